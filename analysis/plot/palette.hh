#pragma once

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace crx::plot {

/// Okabe and Ito's colours, which people with any common colour blindness tell apart, without their
/// yellow (too light for a line on white), and two greys and a brown at the end.
/// Source: M. Okabe and K. Ito (2008), Color Universal Design.
enum Colour : int
{
    vermilion,
    blue,
    sky,
    green,
    purple,
    orange,
    black,
    grey,
    brown
};
inline constexpr std::array<std::string_view, 9> palette{"#D55E00", "#0072B2", "#56B4E9",
                                                         "#009E73", "#CC79A7", "#E69F00",
                                                         "#000000", "#7F7F7F", "#8C6239"};

/// Point types of gnuplot: closed and open shapes that differ in outline, not only in filling.
enum Shape : int
{
    square,
    circle,
    open_circle,
    triangle,
    diamond,
    inverted_triangle,
    cross,
    plus,
    open_square,
    open_diamond,
    open_triangle
};
inline constexpr std::array<int, 11> point_types{5, 7, 6, 9, 13, 11, 2, 1, 4, 12, 8};

inline constexpr std::array<std::string_view, 9> colour_names{
    "vermilion", "blue", "sky", "green", "purple", "orange", "black", "grey", "brown"};
inline constexpr std::array<std::string_view, 11> shape_names{
    "square", "circle", "open_circle", "triangle",     "diamond",      "inverted_triangle",
    "cross",  "plus",   "open_square", "open_diamond", "open_triangle"};

/// Colour and shape by name. Contract: it is one of the names.
inline constexpr int colour_named(std::string_view name)
{
    auto const found = std::ranges::find(colour_names, name);
    if (found == colour_names.end()) throw std::logic_error("no colour has this name");
    return static_cast<int>(found - colour_names.begin());
}
inline constexpr int shape_named(std::string_view name)
{
    auto const found = std::ranges::find(shape_names, name);
    if (found == shape_names.end()) throw std::logic_error("no shape has this name");
    return static_cast<int>(found - shape_names.begin());
}

/// The colour of a number of any size: the palette again from its start.
inline constexpr std::string_view colour_code(int colour)
{
    return palette[static_cast<std::size_t>(colour) % palette.size()];
}

inline constexpr int point_type(int shape)
{
    return point_types[static_cast<std::size_t>(shape) % point_types.size()];
}

} // namespace crx::plot
