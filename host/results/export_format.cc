#include "host/results/export_table.hh"

#include <charconv>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

template <class... Case>
struct Cases : Case...
{
    using Case::operator()...;
};
template <class... Case>
Cases(Case...) -> Cases<Case...>;

std::string shortest(double value)
{
    char text[40];
    auto const result = std::to_chars(text, text + sizeof text, value);
    return {text, result.ptr};
}

/// A field as RFC 4180 quotes it.
std::string quoted(std::string const& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string field = "\"";
    for (char const c : text) {
        if (c == '"') field += '"';
        field += c;
    }
    return field + '"';
}

std::string field(ExportValue const& value)
{
    return std::visit(Cases{[](std::monostate) { return std::string(); },
                            [](std::int64_t number) { return std::to_string(number); },
                            [](double number) { return shortest(number); },
                            [](std::string const& text) { return quoted(text); },
                            [](Digits const& digits) { return digits.text; }},
                      value);
}

using OrderedJson = nlohmann::ordered_json;

OrderedJson json(ExportValue const& value)
{
    return std::visit(Cases{[](std::monostate) { return OrderedJson(); },
                            [](Digits const& digits) { return OrderedJson(digits.text); },
                            [](auto const& other) { return OrderedJson(other); }},
                      value);
}

} // namespace

std::string to_csv(ExportTable const& table)
{
    std::string text;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        text += (i == 0 ? "" : ",") + quoted(table.columns[i]);
    text += '\n';
    for (auto const& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + field(row[i]);
        text += '\n';
    }
    return text;
}

std::string to_json(ExportTable const& table)
{
    std::string text = "[";
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        OrderedJson object;
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            object[table.columns[i]] = json(table.rows[r][i]);
        if (r < table.engines.size()) object["engine"] = json(table.engines[r]);
        text += (r == 0 ? "\n" : ",\n") +
                object.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
    }
    return text + "\n]\n";
}

} // namespace crx
