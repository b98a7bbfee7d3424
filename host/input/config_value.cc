#include "host/input/config_value.hh"

#include "host/error.hh"
#include "host/input/accepted.hh"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>
#include <toml++/toml.h>
#include <utility>
#include <vector>

namespace crx {

ConfigValue const* ConfigValue::find(std::string const& key) const
{
    for (auto const& [name, value] : table)
        if (name == key) return &value;
    return nullptr;
}

ConfigValue* ConfigValue::find(std::string const& key)
{
    return const_cast<ConfigValue*>(std::as_const(*this).find(key));
}

namespace {

std::string written_real(double x)
{
    char buffer[40];
    auto const end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
    return {buffer, end};
}

std::string quoted(std::string const& text)
{
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n')
            out += "\\n";
        else
            out += c;
    }
    return out + '"';
}

} // namespace

std::string shortened(std::string const& text)
{
    constexpr std::size_t most = 200;
    if (text.size() <= most) return text;
    auto end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end; // a letter
    return text.substr(0, end) + " ..";
}

std::string ConfigValue::written() const
{
    switch (kind) {
    case Kind::boolean: return boolean ? "true" : "false";
    case Kind::integer: return std::to_string(integer);
    case Kind::real: return written_real(real);
    case Kind::text: return quoted(text);
    case Kind::other: return text;
    case Kind::list: {
        std::string out = "[";
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (i == 6 && list.size() > 8)
                return out + ", .. " + std::to_string(list.size()) + " elements]";
            out += (i == 0 ? "" : ", ") + list[i].written();
        }
        return out + "]";
    }
    case Kind::table: {
        std::string out;
        for (auto const& [name, value] : table)
            out += (out.empty() ? "" : ", ") + name + " = " + value.written();
        return out.empty() ? "{}" : "{ " + out + " }";
    }
    }
    return {};
}

namespace {

/// Walks over TOML text bracket by bracket and key by key, past its texts and comments.
class Nesting
{
  public:
    explicit Nesting(std::string_view text) : text_(text) {}

    std::string place_too_deep()
    {
        while (at_ < text_.size() && depth_ + parts_ <= most_nested) step();
        return depth_ + parts_ <= most_nested ? "" : place();
    }

  private:
    void step()
    {
        char const c = text_[at_];
        if (c == '"' || c == '\'') return skip_text(c);
        if (c == '#') {
            at_ = std::min(text_.find('\n', at_), text_.size());
            return;
        }
        if (c == '.') ++parts_;
        if (c == ',' || (c == '\n' && open_.empty())) parts_ = 0;
        if (c == '[' || c == '{') {
            open_.push_back(parts_ + 1);
            depth_ += open_.back();
            parts_ = 0;
        }
        if ((c == ']' || c == '}') && !open_.empty()) {
            depth_ -= open_.back();
            open_.pop_back();
            parts_ = 0;
        }
        ++at_;
    }

    void skip_text(char quote)
    {
        std::string const three(3, quote);
        bool const lines = text_.substr(at_, 3) == three;
        auto const end = lines ? std::string_view(three) : std::string_view(three).substr(0, 1);
        for (at_ += end.size(); at_ < text_.size(); ++at_) {
            if (quote == '"' && text_[at_] == '\\') {
                ++at_;
                continue;
            }
            if (text_.substr(at_, end.size()) == end) break;
            if (!lines && text_[at_] == '\n') return; // not TOML: its reader says so
        }
        at_ = std::min(at_ + end.size(), text_.size());
    }

    std::string place() const
    {
        auto const before = text_.substr(0, at_);
        auto const line = std::count(before.begin(), before.end(), '\n') + 1;
        auto const begin = before.rfind('\n'); // npos + 1 is 0
        return std::to_string(line) + ":" + std::to_string(at_ - (begin + 1));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<int> open_; ///< levels that each open bracket added
    int depth_ = 0;         ///< their sum
    int parts_ = 0;         ///< of the key since
};

} // namespace

std::string place_nested_too_deep(std::string_view text) { return Nesting(text).place_too_deep(); }

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

// The one place that includes toml++, which is slow to compile.

namespace {

class Converter
{
  public:
    explicit Converter(std::string name) : name_(std::move(name)) {}

    ConfigValue convert(toml::node const& node) const
    {
        ConfigValue value;
        value.where = name_ + ":" + std::to_string(node.source().begin.line);
        if (auto const* table = node.as_table()) {
            value.kind = ConfigValue::Kind::table;
            value.braced = table->is_inline();
            for (auto const& [key, element] : *table) {
                value.table.push_back({std::string(key.str()), convert(element)});
                // A table that only dotted keys made has no place of its own.
                auto& made = value.table.back().value;
                if (made.kind != ConfigValue::Kind::list)
                    made.where = name_ + ":" + std::to_string(key.source().begin.line);
            }
            in_file_order(*table, value);
        } else if (auto const* list = node.as_array()) {
            value.kind = ConfigValue::Kind::list;
            for (auto const& element : *list) value.list.push_back(convert(element));
        } else if (auto const* boolean = node.as_boolean()) {
            value.kind = ConfigValue::Kind::boolean;
            value.boolean = boolean->get();
        } else if (auto const* integer = node.as_integer()) {
            value.kind = ConfigValue::Kind::integer;
            value.integer = integer->get();
        } else if (auto const* real = node.as_floating_point()) {
            value.kind = ConfigValue::Kind::real;
            value.real = real->get();
        } else if (auto const* text = node.as_string()) {
            value.kind = ConfigValue::Kind::text;
            value.text = text->get();
        } else {
            value.kind = ConfigValue::Kind::other;
            std::ostringstream out;
            node.visit([&](auto const& any) {
                if constexpr (toml::is_value<decltype(any)>) out << any.get();
            });
            value.text = out.str();
        }
        return value;
    }

  private:
    // toml++ sorts keys by name; axes and messages want the order of the file.
    static void in_file_order(toml::table const& table, ConfigValue& value)
    {
        std::map<std::string_view, std::pair<toml::source_index, toml::source_index>> places;
        for (auto const& [key, element] : table)
            places[key.str()] = {key.source().begin.line, key.source().begin.column};
        auto const place = [&](auto const& entry) { return places.at(entry.key); };
        std::stable_sort(value.table.begin(), value.table.end(),
                         [&](auto const& a, auto const& b) { return place(a) < place(b); });
    }

    std::string name_;
};

} // namespace

namespace {

/// `name` ends in a colon where a line of it is to follow.
void refuse_deep(std::string const& text, std::string const& name)
{
    if (auto const place = place_nested_too_deep(text); !place.empty())
        throw InputError(name + (name.ends_with(':') ? place : "") + ": more than " +
                         std::to_string(most_nested) +
                         " tables, lists or parts of keys inside each other, which no experiment "
                         "has");
}

} // namespace

ConfigValue parse_toml(std::string const& text, std::string const& name, TableNames const& known)
{
    refuse_deep(text, name + ':');
    try {
        return Converter(name).convert(toml::parse(text, name));
    } catch (toml::parse_error const& error) {
        auto const at = error.source().begin;
        std::string const why(error.description());
        auto const refused = name + ":" + std::to_string(at.line) + ":" +
                             std::to_string(at.column) + ": not valid TOML: " + why;
        // What is there twice was often meant to be something else.
        if (why.find("redefine") != std::string::npos && !known.once.empty())
            if (auto const wrong = wrong_header(text, name, at.line, known); !wrong.empty())
                throw InputError(wrong + "\n  " + refused);
        throw InputError(refused);
    }
}

ConfigValue parse_override_value(std::string const& text, std::string const& where)
{
    ConfigValue value;
    value.kind = ConfigValue::Kind::text;
    value.text = text;
    refuse_deep(text, where);
    if (text.find('\n') == std::string::npos) {
        try {
            auto const document = Converter(where).convert(toml::parse("v = " + text));
            if (document.table.size() == 1) value = document.table.front().value;
        } catch (toml::parse_error const&) {
            // Not a TOML value, so the text itself: --set policy.0.id=a-max
        }
    }
    struct
    {
        void operator()(ConfigValue& v, std::string const& place) const
        {
            v.where = place;
            for (auto& element : v.list) (*this)(element, place);
            for (auto& [key, element] : v.table) (*this)(element, place);
        }
    } set_where;
    set_where(value, where);
    return value;
}

} // namespace crx
