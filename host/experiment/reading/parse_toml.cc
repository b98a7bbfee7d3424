// The one place that includes toml++, which is slow to compile.
#include "host/error.hh"
#include "host/experiment/reading/config_value.hh"
#include "host/experiment/reading/nesting.hh"

#include <algorithm>
#include <map>
#include <sstream>
#include <toml++/toml.h>

namespace crx {

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
