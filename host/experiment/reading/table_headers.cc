#include "host/experiment/reading/table_headers.hh"

#include "host/experiment/reading/nearest_name.hh"

#include <algorithm>
#include <optional>
#include <sstream>

namespace crx {

namespace {

struct Header
{
    std::string name; ///< the first part of its key
    bool doubled;     ///< [[..]]
    bool nested;      ///< its key has further parts
};

/// The header in a line, where its first part is a bare key.
std::optional<Header> header_in(std::string const& line)
{
    auto at = line.find_first_not_of(" \t");
    auto const skip_blanks = [&] { at = std::min(line.find_first_not_of(" \t", at), line.size()); };
    if (at == std::string::npos || line[at] != '[') return {};
    Header header{{}, at + 1 < line.size() && line[at + 1] == '[', false};
    at += header.doubled ? 2 : 1;
    skip_blanks();
    auto const end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789_-",
                                            at);
    if (end == std::string::npos || end == at) return {};
    header.name = line.substr(at, end - at);
    at = end;
    skip_blanks();
    if (at == line.size() || (line[at] != '.' && line[at] != ']')) return {};
    header.nested = line[at] == '.';
    return header;
}

bool contains(std::vector<std::string> const& names, std::string const& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// What the header must be; empty: it is right.
std::string complaint(Header const& header, TableNames const& known)
{
    auto const once = contains(known.once, header.name);
    auto const several = contains(known.several, header.name);
    if (!once && !several) {
        auto names = known.once;
        names.insert(names.end(), known.several.begin(), known.several.end());
        return "unknown table; accepted here: " + listed_with_nearest(header.name, names);
    }
    if (header.nested || header.doubled == several) return {};
    return "not accepted: must be " + (several ? written_with_two_brackets(header.name)
                                               : "written as [" + header.name + "], once");
}

} // namespace

std::string written_with_two_brackets(std::string const& name)
{
    return "written as [[" + name + "]], as there may be several";
}

std::string wrong_header(std::string const& text, std::string const& file, std::int64_t lines,
                         TableNames const& known)
{
    std::istringstream in(text);
    std::string line;
    for (std::int64_t k = 1; k <= lines && std::getline(in, line); ++k)
        if (auto const header = header_in(line))
            if (auto const wrong = complaint(*header, known); !wrong.empty())
                return file + ":" + std::to_string(k) + ": " + (header->doubled ? "[[" : "[") +
                       header->name + (header->nested ? ".." : "") +
                       (header->doubled ? "]]" : "]") + "\n  " + wrong;
    return {};
}

} // namespace crx
