#include "analysis/plot/key.hh"

#include "analysis/plot/enhanced_text.hh"

#include <algorithm>

namespace crx::plot {

namespace {

constexpr double between_columns = 10;

void add_once(std::vector<KeyEntry>& entries, KeyEntry const& entry)
{
    if (!entry.label.empty() && std::find(entries.begin(), entries.end(), entry) == entries.end())
        entries.push_back(entry);
}

/// A series by its symbol alone, whether or not this panel joins its points.
KeyEntry entry_of(Series const& series)
{
    KeyEntry entry{series.label, series.style};
    if (entry.style.shape >= 0) entry.style.stroke = Stroke::none, entry.style.width = 1;
    return entry;
}

double entry_width(KeyEntry const& entry)
{
    return key_sample_width + key_sample_gap + key_text_size * text_width(entry.label);
}

/// Width of each column if the entries stand in `columns` of them.
std::vector<double> column_widths(std::vector<KeyEntry> const& entries, std::size_t columns)
{
    std::size_t const rows = (entries.size() + columns - 1) / columns;
    std::vector<double> widths;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (i % rows == 0) widths.push_back(0);
        widths.back() = std::max(widths.back(), entry_width(entries[i]));
    }
    return widths;
}

double total(std::vector<double> const& widths)
{
    double sum = between_columns * static_cast<double>(widths.size() - 1);
    for (double const width : widths) sum += width;
    return sum;
}

} // namespace

std::vector<KeyEntry> key_entries(Panel const& panel)
{
    std::vector<KeyEntry> entries;
    for (auto const& series : panel.series) add_once(entries, entry_of(series));
    for (auto const& curve : panel.curves) add_once(entries, {curve.label, curve.style});
    return entries;
}

std::vector<KeyEntry> shared_entries(std::vector<Panel> const& panels)
{
    std::vector<KeyEntry> points, lines;
    for (auto const& panel : panels) {
        for (auto const& series : panel.series) add_once(points, entry_of(series));
        for (auto const& curve : panel.curves) add_once(lines, {curve.label, curve.style});
    }
    for (auto const& line : lines) add_once(points, line);
    for (auto const& one : points)
        for (auto const& other : points)
            if ((one.label == other.label) != (one.style == other.style)) return {};
    return points;
}

Key place_key(std::vector<KeyEntry> const& entries, double width, double scale)
{
    Key key;
    if (entries.empty()) return key;
    std::size_t columns = std::min<std::size_t>(entries.size(), 6);
    while (columns > 1 && total(column_widths(entries, columns)) > width / scale) --columns;
    auto const widths = column_widths(entries, columns);
    std::size_t const rows = (entries.size() + columns - 1) / columns;
    double right = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (i > 0 && i % rows == 0) right += widths[i / rows - 1] + between_columns;
        key.entries.push_back(
            {entries[i], scale * right, scale * key_line_height * static_cast<double>(i % rows)});
    }
    key.width = scale * total(widths);
    key.height = scale * key_line_height * static_cast<double>(rows);
    return key;
}

} // namespace crx::plot
