#include "analysis/plot/layout.hh"

#include "analysis/plot/enhanced_text.hh"

#include <algorithm>
#include <cmath>

namespace crx::plot {

namespace {

/// Sizes of text where numbers at axes are 8 points large.
struct Sizes
{
    double scale = 1;
    double title = 10 * scale, panel_title = 9 * scale, label = 8.5 * scale, caption = 7 * scale;
    double tick = 8 * scale;
    double below = 32 * scale; ///< room below a frame for its axis
};

constexpr double leading = 1.3; ///< distance of lines in font sizes
constexpr double margin = 8;    ///< free edge of the figure
constexpr double column_gap = 12;

/// What a panel needs around its frame.
struct Needs
{
    std::vector<std::string> title, y_label;
    std::vector<KeyEntry> key;
    double tick_width = 0;

    double left(Sizes const& size) const
    {
        return tick_width + 8 * size.scale +
               size.label * leading * static_cast<double>(y_label.size());
    }
};

double height_of(std::vector<std::string> const& lines, double size)
{
    return size * leading * static_cast<double>(lines.size());
}

/// How far the numbers of the horizontal axis reach beyond the frame's right end.
double overhang(PlacedPanel const& placed, bool logarithmic, double tick_size)
{
    auto const at = [&](double value) { return logarithmic ? std::log10(value) : value; };
    auto const low = at(placed.x.low), high = at(placed.x.high);
    double most = 0;
    for (auto const& tick : placed.x_ticks) {
        auto const right = placed.width * (high - at(tick.at)) / (high - low);
        most = std::max(most, tick_size * text_width(tick.label) / 2 - right);
    }
    return most;
}

class Composer
{
  public:
    explicit Composer(Figure const& figure) : figure_(figure), size_{figure.font_size / 8}
    {
        auto const count = figure.panels.size();
        columns_ =
            figure.columns > 0 ? static_cast<std::size_t>(figure.columns) : (count > 1 ? 2u : 1u);
        columns_ = std::clamp<std::size_t>(count, 1, columns_);
        layout_.width = columns_ == 1 ? 360 : 260.0 * static_cast<double>(columns_);
        frame_height_ = columns_ > 1 ? 150 : (count == 1 ? 205 : 130);
        layout_.scale = size_.scale;
        if (figure.width) {
            auto const columns = static_cast<double>(columns_);
            double const shape = std::max(frame_height_ * columns / layout_.width, 0.5);
            layout_.width = *figure.width;
            frame_height_ = shape * layout_.width / columns;
        }
        shared_ = shared_entries(figure.panels);
        for (std::size_t i = 0; i < count; ++i) measure(figure.panels[i], i);
    }

    Layout compose()
    {
        double const middle = layout_.width / 2;
        y_ = margin;
        lines(wrap_evenly(figure_.title, (layout_.width - 2 * margin) / size_.title / 1.06), middle,
              size_.title, true);
        if (!figure_.title.empty()) y_ += 4;
        for (std::size_t i = 0; i < figure_.panels.size(); i += columns_) row(i);
        if (!shared_.empty()) {
            auto const key = place_key(shared_, layout_.width - 2 * margin, size_.scale);
            layout_.keys.push_back({key, middle - key.width / 2, y_});
            y_ += key.height + 4;
        }
        if (!figure_.caption.empty()) {
            y_ += 2;
            lines(wrap_evenly(figure_.caption, (layout_.width - 2 * margin) / size_.caption),
                  middle, size_.caption, false);
        }
        layout_.height = std::ceil(y_ + margin - 2);
        return layout_;
    }

  private:
    void measure(Panel const& panel, std::size_t number)
    {
        PlacedPanel placed{};
        placed.x = x_range(panel);
        placed.y = y_range(panel);
        placed.y_ticks = ticks(placed.y, panel.y.logarithmic, {frame_height_ / size_.tick, false});
        Needs needs;
        std::string title = panel.title;
        if (figure_.panels.size() > 1)
            title = "(" + std::string(1, static_cast<char>('a' + number % 26)) + ") " + title;
        double const room = layout_.width / static_cast<double>(columns_) - 60;
        needs.title = wrap_evenly(title, room / size_.panel_title);
        needs.y_label = wrap_evenly(panel.y.label, frame_height_ * 1.05 / size_.label);
        if (shared_.empty()) needs.key = key_entries(panel);
        for (auto const& tick : placed.y_ticks)
            needs.tick_width = std::max(needs.tick_width, size_.tick * text_width(tick.label));
        needs_.push_back(needs);
        layout_.panels.push_back(placed);
    }

    /// Centred lines at the cursor, which moves below them.
    void lines(std::vector<std::string> const& texts, double x, double size, bool bold)
    {
        for (auto const& text : texts) {
            layout_.texts.push_back({text, x, y_ + size * leading / 2, size, Align::center, bold});
            y_ += size * leading;
        }
    }

    /// Room left of the frames of one column, so that they stand in line.
    double left_of_column(std::size_t column) const
    {
        double left = 0;
        for (std::size_t i = column; i < needs_.size(); i += columns_)
            left = std::max(left, needs_[i].left(size_));
        return left;
    }

    void row(std::size_t first)
    {
        std::size_t const end = std::min(first + columns_, figure_.panels.size());
        double title_height = 0, key_height = 0;
        for (std::size_t i = first; i < end; ++i)
            title_height = std::max(title_height, height_of(needs_[i].title, size_.panel_title));
        double const cell = (layout_.width - 2 * margin - column_gap * double(columns_ - 1)) /
                            static_cast<double>(columns_);
        // A last row that is not full stands in the middle.
        double const indent =
            (cell + column_gap) / 2 * static_cast<double>(columns_ - (end - first));
        double const top = y_ + title_height + 3;
        for (std::size_t i = first; i < end; ++i) {
            std::size_t const column = i - first;
            double const left = margin + indent + (cell + column_gap) * double(column);
            panel(i, left, left_of_column(column), cell, top);
            // Below the frame's middle, and as far to the left as the axis's label reaches.
            auto const& placed = layout_.panels[i];
            double const right = placed.left + placed.width;
            auto const key = place_key(needs_[i].key, right - left, size_.scale);
            double const centred = placed.left + (placed.width - key.width) / 2;
            layout_.keys.push_back({key, std::max(left, std::min(centred, right - key.width)),
                                    top + frame_height_ + size_.below});
            key_height = std::max(key_height, key.height);
        }
        y_ = top + frame_height_ + size_.below + key_height + (key_height > 0 ? 8 : 4);
    }

    void panel(std::size_t i, double left, double indent, double cell, double top)
    {
        auto& placed = layout_.panels[i];
        placed.left = left + indent;
        placed.width = cell - indent - 4;
        placed.top = top;
        placed.height = frame_height_;
        bool const logarithmic = figure_.panels[i].x.logarithmic;
        auto const mark = [&] {
            placed.x_ticks = ticks(placed.x, logarithmic, {placed.width / size_.tick, true});
        };
        mark();
        // A mark's number at the right end stays inside the picture.
        auto const beyond = overhang(placed, logarithmic, size_.tick) - 4 - margin / 2;
        if (beyond > 0) {
            placed.width -= beyond;
            mark();
        }
        double const middle = placed.left + placed.width / 2;
        y_ = top - 3 - height_of(needs_[i].title, size_.panel_title);
        lines(needs_[i].title, middle, size_.panel_title, false);
        layout_.texts.push_back({figure_.panels[i].x.label, middle,
                                 top + frame_height_ + 22.5 * size_.scale, size_.label});
        double x = placed.left - needs_[i].left(size_) + size_.label * leading / 2;
        for (auto const& line : needs_[i].y_label) {
            layout_.texts.push_back(
                {line, x, top + frame_height_ / 2, size_.label, Align::center, false, true});
            x += size_.label * leading;
        }
    }

    Figure const& figure_;
    Sizes size_;
    Layout layout_;
    std::size_t columns_ = 1;
    double frame_height_ = 0, y_ = 0;
    std::vector<KeyEntry> shared_;
    std::vector<Needs> needs_;
};

} // namespace

Layout lay_out(Figure const& figure) { return Composer(figure).compose(); }

} // namespace crx::plot
