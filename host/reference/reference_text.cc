#include "host/reference/reference.hh"

#include <sstream>

namespace crx {

namespace {

/// The text with each `from` replaced by `to`.
std::string replaced(std::string text, std::string const& from, std::string const& to)
{
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

std::string without_backquotes(std::string const& text) { return replaced(text, "`", ""); }

/// A text as a cell of a table: a bar would end it, and < would begin a tag.
std::string as_cell(std::string const& text)
{
    return replaced(replaced(text, "|", "\\|"), "<", "\\<");
}

/// A text as roff: no line begins with a control character, no backslash is an escape.
std::string as_roff(std::string const& text)
{
    auto plain = replaced(without_backquotes(text), "\\", "\\e");
    plain = replaced(replaced(plain, "-", "\\-"), "∝", "~");
    return plain.starts_with('.') || plain.starts_with('\'') ? "\\&" + plain : plain;
}

/// A text in lines of at most 100 columns.
std::string wrapped(std::string const& text)
{
    std::istringstream words(text);
    std::string lines, line;
    for (std::string word; words >> word;) {
        if (!line.empty() && line.size() + 1 + word.size() > 100) {
            lines += line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    return lines + line;
}

/// "half_width" for "stop.half_width".
std::string last_part(std::string const& name)
{
    auto const dot = name.rfind('.');
    return dot == std::string::npos ? name : name.substr(dot + 1);
}

} // namespace

std::string as_markdown(std::vector<ReferenceSection> const& sections)
{
    std::string page;
    for (auto const& section : sections) {
        page += "\n## " + section.title + "\n\n";
        if (!section.text.empty()) page += wrapped(section.text) + "\n\n";
        page += "| name | meaning |\n|---|---|\n";
        for (auto const& entry : section.entries)
            page += "| `" + entry.name + "` | " + as_cell(entry.meaning) + " |\n";
    }
    return page;
}

std::string as_manual(std::vector<ReferenceSection> const& sections)
{
    std::string page;
    for (auto const& section : sections) {
        page += ".SS " + as_roff(section.title) + "\n";
        if (!section.text.empty()) page += as_roff(section.text) + "\n";
        for (auto const& entry : section.entries)
            page += ".TP\n.B " + as_roff(entry.name) + "\n" + as_roff(entry.meaning) + "\n";
    }
    return page;
}

std::string found_entries(std::vector<ReferenceSection> const& sections, std::string const& name)
{
    std::string of_name, with_value;
    for (auto const& section : sections)
        for (auto const& entry : section.entries) {
            auto const text = entry.name + " (" + section.kind + ")\n  " +
                              without_backquotes(entry.meaning) + "\n";
            if (entry.name == name || last_part(entry.name) == name) of_name += text;
            if (entry.meaning.find("`" + name + "`") != std::string::npos ||
                entry.meaning.find("`" + name + ":") != std::string::npos)
                with_value += text;
        }
    return of_name.empty() ? with_value : of_name;
}

} // namespace crx
