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

/// Colours of an order, from dark to light, for more values than the palette has colours: numbers
/// from first_of_ramp on. Between a dark blue and Okabe and Ito's blue, green and orange, so that
/// lightness alone tells them apart.
inline constexpr int first_of_ramp = 1000;
inline constexpr std::array<std::string_view, 16> ramp{
    "#1A1A4B", "#152C60", "#103D74", "#0A4F89", "#05609D", "#0072B2", "#007BA5", "#008499",
    "#008C8C", "#009580", "#009E73", "#2E9E5C", "#5C9E45", "#8A9F2E", "#B89F17", "#E69F00"};

/// The colour of value `index` of `count` in an order.
inline constexpr int ramp_colour(std::size_t index, std::size_t count)
{
    return first_of_ramp +
           static_cast<int>(count < 2 ? 0 : index * (ramp.size() - 1) / (count - 1));
}

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

/// The colour of a number of any size: of the ramp, or the palette again from its start.
inline constexpr std::string_view colour_code(int colour)
{
    if (colour >= first_of_ramp)
        return ramp[static_cast<std::size_t>(colour - first_of_ramp) % ramp.size()];
    return palette[static_cast<std::size_t>(colour) % palette.size()];
}

inline constexpr int point_type(int shape)
{
    return point_types[static_cast<std::size_t>(shape) % point_types.size()];
}

} // namespace crx::plot
