#include "host/experiment/point_text.hh"

#include "host/experiment/reading/number_range.hh"

#include <fmt/core.h>

namespace crx {

std::string point_text(Coordinates const& coordinates)
{
    std::string text;
    for (auto const& [axis, value] : coordinates)
        text += fmt::format("{}{}={:.12g}", text.empty() ? "" : " ", axis, value);
    return text;
}

std::string point_text(std::string const& sweep, Coordinates const& coordinates)
{
    return sweep + (coordinates.empty() ? "" : " " + point_text(coordinates));
}

std::string point_clause(Coordinates const& coordinates)
{
    std::string text;
    for (auto const& [axis, value] : coordinates)
        text += ", " + axis + " = " + written_number(value);
    return text;
}

std::string cell_place(std::string const& sweep, Coordinates const& coordinates)
{
    auto const clause = point_clause(coordinates);
    return (clause.empty() ? "" : " at " + clause.substr(2)) + " (sweep " + sweep + ")";
}

} // namespace crx
