#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace crx {

/// Tables at the top of a kind of file.
struct TableNames
{
    std::vector<std::string> once;    ///< written as [name]
    std::vector<std::string> several; ///< written as [[name]]
};

/// How a table of which there may be several must be written, to complete "must be ..".
std::string written_with_two_brackets(std::string const& name);

/// The message for the first header among the first `lines` lines of a TOML text that has no name
/// of `known`, or too few or too many brackets; empty: there is none. For texts that TOML refuses:
/// a table that was meant to be another often shows first as one that is there twice. `file` stands
/// for the file in the message.
std::string wrong_header(std::string const& text, std::string const& file, std::int64_t lines,
                         TableNames const& known);

} // namespace crx
