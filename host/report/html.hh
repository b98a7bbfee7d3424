#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crx::report {

/// Plain text as HTML that shows just that, in text and in attributes: marks that mean something
/// there are escaped, control characters become spaces.
std::string escaped(std::string_view plain);

/// gnuplot's enhanced text (analysis/plot/figure.hh) as HTML: slanted letters, subscripts and
/// superscripts; everything else is escaped.
std::string html_of_enhanced(std::string_view enhanced);
/// The same as plain text, for charts: "A_min".
std::string plain_of_enhanced(std::string_view enhanced);

/// JSON that may stand in a <script> element whatever its texts are.
std::string json_in_script(nlohmann::ordered_json const& value);

/// Bytes of a picture as a data: address, so that it needs no file beside the page.
std::string svg_address(std::string_view svg);

/// A cell of a table: what it shows, and the number by which its column is sorted.
struct TableCell
{
    std::string html;
    std::optional<double> sort = {};
};

/// A table that readers with scripts can sort by a click on a column's name. The first cell of a
/// row is its name. `columns` and `caption` are HTML.
std::string table(std::string const& caption, std::vector<std::string> const& columns,
                  std::vector<std::vector<TableCell>> const& rows);

/// A command to copy.
std::string command(std::string const& line);

} // namespace crx::report
