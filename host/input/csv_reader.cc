#include "host/input/csv_reader.hh"

#include "host/error.hh"

#include <algorithm>
#include <charconv>

namespace crx {

namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

std::string joined(std::vector<std::string> const& names, char const* between)
{
    std::string out;
    for (auto const& name : names) out += (out.empty() ? "" : between) + name;
    return out;
}

/// A field in a message: cut where it is long, with control characters shown as '?'.
std::string shown(std::string_view text)
{
    std::string out(text.substr(0, 40));
    std::replace_if(
        out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 32; }, '?');
    return "\"" + out + (text.size() > 40 ? "..\"" : "\"");
}

} // namespace

CsvReader::CsvReader(std::filesystem::path const& file) : lines_(file)
{
    std::string_view line;
    if (!lines_.next(line))
        throw InputError(lines_.file() + ": the file is empty; it needs a header line");
    split(line);
    for (auto const& name : fields_) {
        if (std::find(columns_.begin(), columns_.end(), name) != columns_.end())
            fail("the header names column " + shown(name) + " twice");
        columns_.emplace_back(name);
    }
}

std::optional<std::size_t> CsvReader::find_column(std::vector<std::string> const& names) const
{
    for (auto const& name : names) {
        auto const at = std::find(columns_.begin(), columns_.end(), name);
        if (at != columns_.end()) return static_cast<std::size_t>(at - columns_.begin());
    }
    return {};
}

std::size_t CsvReader::need_column(std::string const& what,
                                   std::vector<std::string> const& names) const
{
    if (auto const column = find_column(names)) {
        for (auto const& name : names)
            if (name != columns_[*column] && find_column({name}))
                fail("two columns for the " + what + ": " + columns_[*column] + " and " + name);
        return *column;
    }
    std::string there;
    for (auto const& name : columns_)
        there += (there.empty() ? "" : ", ") + shown(name).substr(1, shown(name).size() - 2);
    throw InputError(lines_.file() + ":1: no column for the " + what + " (" +
                     joined(names, " or ") + "); the columns are: " + there);
}

bool CsvReader::next()
{
    std::string_view line;
    if (!lines_.next(line)) return false;
    if (line.empty()) {
        auto const blank = lines_.line_number();
        while (lines_.next(line))
            if (!line.empty())
                throw InputError(lines_.file() + ":" + std::to_string(blank) +
                                 ": an empty line before the end of the file");
        return false;
    }
    split(line);
    if (fields_.size() != columns_.size())
        fail("the row has " + std::to_string(fields_.size()) + " fields, the header has " +
             std::to_string(columns_.size()));
    return true;
}

std::int64_t CsvReader::integer(std::size_t column, std::int64_t low, std::int64_t high) const
{
    auto const text = fields_[column];
    std::int64_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() ||
        !(value >= low && value <= high))
        fail(columns_[column] + " = " + shown(text) + " is not an integer in [" +
             std::to_string(low) + ", " + std::to_string(high) + "]");
    return value;
}

void CsvReader::split(std::string_view line)
{
    fields_.clear();
    unquoted_.clear();
    if (line.find('"') == std::string_view::npos) {
        for (std::size_t start = 0;;) {
            auto const comma = line.find(',', start);
            fields_.push_back(trimmed(line.substr(start, comma - start)));
            if (comma == std::string_view::npos) return;
            start = comma + 1;
        }
    }
    // Enough for all the row's text, so that views into it stay valid.
    unquoted_.reserve(line.size());
    for (std::size_t at = 0;;) {
        while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
        if (at < line.size() && line[at] == '"') {
            auto const first = unquoted_.size();
            for (++at;; ++at) {
                if (at >= line.size()) fail("a quoted field does not end on its line");
                if (line[at] == '"') {
                    ++at;
                    if (at >= line.size() || line[at] != '"') break;
                }
                unquoted_ += line[at];
            }
            fields_.push_back(std::string_view(unquoted_).substr(first));
            while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
            if (at < line.size() && line[at] != ',')
                fail("text after the closing quote of a field");
        } else {
            auto const comma = std::min(line.find(',', at), line.size());
            auto const text = trimmed(line.substr(at, comma - at));
            if (text.find('"') != std::string_view::npos)
                fail("a quote inside the field " + shown(text) + " that has none around it");
            fields_.push_back(text);
            at = comma;
        }
        if (at >= line.size()) return;
        ++at;
    }
}

} // namespace crx
