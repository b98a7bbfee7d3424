#pragma once

#include "analysis/plot/figure.hh"

namespace crx::plot {

/// One line of a key.
struct KeyEntry
{
    std::string label;
    Style style;

    bool operator==(KeyEntry const&) const = default;
};

/// Where an entry's sample begins, in points right of and below the key's upper left corner.
struct PlacedEntry
{
    KeyEntry entry;
    double right, down;
};

struct Key
{
    std::vector<PlacedEntry> entries;
    double width = 0, height = 0;
};

/// What a panel's key lists: points first, then curves; nothing twice.
std::vector<KeyEntry> key_entries(Panel const& panel);

/// The entries of all panels if one key can serve them all: no style means two things. Else empty.
std::vector<KeyEntry> shared_entries(std::vector<Panel> const& panels);

/// Sets entries in as many columns as fit into `width` points, filled downwards.
/// `scale`: of text and samples against the sizes below.
Key place_key(std::vector<KeyEntry> const& entries, double width, double scale = 1);

inline constexpr double key_text_size = 8; ///< points
inline constexpr double key_line_height = 11.5;
inline constexpr double key_sample_width = 22; ///< of the piece of line before the label
inline constexpr double key_sample_gap = 5;    ///< between it and the label

} // namespace crx::plot
