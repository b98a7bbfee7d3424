#pragma once

#include <string>
#include <vector>

namespace crx {

/// Something that has a name for users: a key, a law, a policy, a measure.
struct ReferenceEntry
{
    std::string name;    ///< as users write it
    std::string meaning; ///< plain text, with `names` in backquotes
};

/// Entries of one kind, in the order in which they are listed.
struct ReferenceSection
{
    std::string title; ///< "Policies of the round model"
    std::string kind;  ///< what one of them is: "policy of the round model"
    std::string text;  ///< what is said before the list
    std::vector<ReferenceEntry> entries;
};

/// What `crx docs` knows beside the commands, made of the tables that the program itself uses.
std::vector<ReferenceSection> reference_sections();

/// Keys of experiment files, each as "table.key", with what is accepted.
std::vector<ReferenceSection> experiment_key_sections();

/// Sections as a page in Markdown; each is a heading and a list.
std::string as_markdown(std::vector<ReferenceSection> const& sections);

/// Sections as the body of a manual page (roff, macros of man(7)).
std::string as_manual(std::vector<ReferenceSection> const& sections);

/// Every entry of that name, or whose last part it is ("half_width" for "stop.half_width"), for a
/// terminal. Where there is none: those that name it as a value ("in-order"); empty: none either.
std::string found_entries(std::vector<ReferenceSection> const& sections, std::string const& name);

} // namespace crx
