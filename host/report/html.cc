#include "host/report/html.hh"

#include <fmt/format.h>

#include <cmath>

namespace crx::report {

std::string escaped(std::string_view plain)
{
    std::string text;
    for (char const c : plain) {
        switch (c) {
        case '&': text += "&amp;"; break;
        case '<': text += "&lt;"; break;
        case '>': text += "&gt;"; break;
        case '"': text += "&quot;"; break;
        case '\'': text += "&#39;"; break;
        default:
            text += (static_cast<unsigned char>(c) < 32 && c != '\n' && c != '\t') || c == 127 ? ' '
                                                                                               : c;
        }
    }
    return text;
}

std::string json_in_script(nlohmann::ordered_json const& value)
{
    auto const plain = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    std::string text;
    for (char const c : plain) {
        if (c == '<')
            text += "\\u003c"; // no end of the element and no comment in it
        else
            text += c;
    }
    return text;
}

std::string svg_address(std::string_view svg)
{
    static constexpr char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text = "data:image/svg+xml;base64,";
    for (std::size_t at = 0; at < svg.size(); at += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (at + k < svg.size() ? static_cast<unsigned char>(svg[at + k]) : 0u);
        for (int k = 0; k < 4; ++k)
            text += at + static_cast<std::size_t>(k) > svg.size()
                        ? '='
                        : digits[bits >> (18 - 6 * k) & 63];
    }
    return text;
}

std::string table(std::string const& caption, std::vector<std::string> const& columns,
                  std::vector<std::vector<TableCell>> const& rows)
{
    std::string text = "<div class=\"wide\"><table class=\"sortable\">\n<caption>" + caption +
                       "</caption>\n<thead><tr>";
    for (auto const& column : columns) text += "<th scope=\"col\">" + column + "</th>";
    text += "</tr></thead>\n<tbody>\n";
    for (auto const& row : rows) {
        text += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i) {
            auto const& sort = row[i].sort;
            auto const by = sort && std::isfinite(*sort)
                                ? fmt::format(" data-sort=\"{:.12g}\"", *sort)
                                : std::string();
            text += i == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", by, row[i].html)
                           : fmt::format("<td{}>{}</td>", by, row[i].html);
        }
        text += "</tr>\n";
    }
    return text + "</tbody></table></div>\n";
}

std::string command(std::string const& line)
{
    return "<code class=\"command\">" + escaped(line) + "</code>";
}

} // namespace crx::report
