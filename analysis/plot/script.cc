#include "analysis/plot/script.hh"

#include "analysis/plot/enhanced_text.hh"
#include "analysis/plot/layout.hh"
#include "analysis/plot/palette.hh"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace crx::plot {

namespace {

constexpr std::string_view font = "Liberation Sans"; ///< metrics of Helvetica and Arial

/// A terminal: what a length of one point is in its own units.
struct Terminal
{
    double canvas;    ///< in `size`; pdf counts inches
    double font_unit; ///< in font sizes
    double line_unit; ///< in `linewidth`
    double size_unit; ///< in `pointsize`, of the symbol's width
    double dash_unit; ///< in `dashlength`, for a line a point wide
};

Terminal terminal_of(PictureFormat format)
{
    // Cairo's terminals draw letters 4/3 as large as asked, pdfcairo all but symbols half as large.
    constexpr double png = 300.0 / 72;
    switch (format) {
    case PictureFormat::svg: return {1.6, 1.6, 1.6, 1.6 / 9, 1.2};
    case PictureFormat::pdf:
    case PictureFormat::eps: return {1 / 72.0, 1.5, 2, 1 / 6.0, 2.2};
    case PictureFormat::tex: break;
    case PictureFormat::png: return {png, png * 0.75, png, png / 6, 2.2};
    }
    throw std::logic_error("gnuplot does not draw this format");
}

/// Dash patterns as lengths in points, drawn and left out in turn.
std::string dash_type(Stroke stroke)
{
    switch (stroke) {
    case Stroke::dashed: return " dashtype (4,2.2)";
    case Stroke::dotted: return " dashtype (1.2,1.6)";
    case Stroke::dash_dotted: return " dashtype (5,1.8,1.2,1.8)";
    case Stroke::long_dashed: return " dashtype (9,3)";
    default: return " dashtype solid";
    }
}

class Writer
{
  public:
    Writer(Figure const& figure, PictureFormat format)
        : figure_(figure), layout_(lay_out(figure)), terminal_(terminal_of(format)), format_(format)
    {
    }

    std::string write()
    {
        line("set encoding utf8");
        set_terminal();
        for (std::size_t i = 0; i < figure_.panels.size(); ++i) data_of(i);
        line("$one << EOD\n0\nEOD"); // for what is drawn once, of numbers that stand in the command
        line("set multiplot");
        for (std::size_t i = 0; i < figure_.panels.size(); ++i) panel(i);
        overlay();
        line("unset multiplot");
        line("unset output"); // ends the picture
        return text_;
    }

  private:
    template <class... Values>
    void line(fmt::format_string<Values...> form, Values&&... values)
    {
        fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
        text_ += '\n';
    }

    void set_terminal()
    {
        static constexpr char const* names[] = {"svg", "pdfcairo", "pngcairo", "epscairo"};
        double const w = layout_.width * terminal_.canvas, h = layout_.height * terminal_.canvas;
        std::string const size = format_ == PictureFormat::pdf || format_ == PictureFormat::eps
                                     ? fmt::format("{:.4f}in,{:.4f}in", w, h)
                                     : fmt::format("{:.0f},{:.0f}", w, h);
        line("set terminal {} size {} enhanced font '{},{:g}' dashlength {:g} background rgb "
             "'white'",
             names[static_cast<int>(format_)], size, font, 8 * layout_.scale * terminal_.font_unit,
             terminal_.dash_unit);
    }

    static std::vector<Point> partial(Series const& series)
    {
        std::vector<Point> found;
        std::ranges::copy_if(series.points, std::back_inserter(found), &Point::partial);
        return found;
    }

    /// Data blocks $p<panel>s<series> and $p<panel>c<curve>: x, y, low, high. Those of points with
    /// rings, where there are some: $p<panel>s<series>r.
    void data_of(std::size_t i)
    {
        auto const& panel = figure_.panels[i];
        for (std::size_t k = 0; k < panel.series.size(); ++k) {
            auto const name = fmt::format("$p{}s{}", i, k);
            auto points = panel.series[k].points;
            // What a logarithm cannot show of a bar lies below the frame.
            if (panel.y.logarithmic)
                for (auto& point : points)
                    if (point.low && *point.low <= 0) point.low = layout_.panels[i].y.low;
            block(name, points, true);
            if (auto const ringed = partial(panel.series[k]); !ringed.empty())
                block(name + "r", ringed, false);
        }
        for (std::size_t k = 0; k < panel.curves.size(); ++k)
            block(fmt::format("$p{}c{}", i, k), panel.curves[k].points, false);
    }

    void block(std::string const& name, std::vector<Point> const& points, bool bars)
    {
        line("{} << EOD", name);
        for (auto const& point : points) {
            if (!std::isfinite(point.x) || !std::isfinite(point.y))
                line("");
            else if (bars)
                line("{:.9g} {:.9g} {:.9g} {:.9g}", point.x, point.y, point.low.value_or(point.y),
                     point.high.value_or(point.y));
            else
                line("{:.9g} {:.9g}", point.x, point.y);
        }
        line("EOD");
    }

    void frame(double left, double top, double width, double height)
    {
        line("set lmargin at screen {:.6f}", left / layout_.width);
        line("set rmargin at screen {:.6f}", (left + width) / layout_.width);
        line("set tmargin at screen {:.6f}", 1 - top / layout_.height);
        line("set bmargin at screen {:.6f}", 1 - (top + height) / layout_.height);
    }

    void axis(char name, Axis const& axis, Range const& range, std::vector<Tick> const& marks)
    {
        if (axis.logarithmic) line("set logscale {}", name);
        line("set {}range [{:.9g}:{:.9g}]", name, range.low, range.high);
        std::string list;
        for (auto const& mark : marks)
            list += fmt::format("{}{} {:.9g} {}", list.empty() ? "" : ", ", quote(mark.label),
                                mark.at, mark.label.empty() ? 1 : 0);
        line("set {}tics nomirror out scale {:g},{:g} offset {} font ',{:g}' ({})", name, 0.4, 0.22,
             name == 'x' ? "0,0.3" : "0.4,0", 8 * layout_.scale * terminal_.font_unit, list);
    }

    std::string pen(Style const& style) const
    {
        return fmt::format("lc rgb '{}' lw {:.3g}{}", colour_code(style.colour),
                           style.width * terminal_.line_unit, dash_type(style.stroke));
    }

    std::string points(Style const& style, double size) const
    {
        return fmt::format("pt {} ps {:.3g} lc rgb '{}' lw {:.3g}", point_type(style.shape),
                           size * terminal_.size_unit, colour_code(style.colour),
                           0.8 * terminal_.line_unit);
    }

    void panel(std::size_t i)
    {
        auto const& panel = figure_.panels[i];
        auto const& placed = layout_.panels[i];
        line("reset");
        frame(placed.left, placed.top, placed.width, placed.height);
        line("unset key");
        line("set border 3 lw {:.3g} lc rgb '#404040'", 0.6 * terminal_.line_unit);
        axis('x', panel.x, placed.x, placed.x_ticks);
        axis('y', panel.y, placed.y, placed.y_ticks);
        line("set grid back lt 1 lc rgb '#E4E4E4' lw {:.3g}", 0.5 * terminal_.line_unit);
        std::string plots;
        auto const add = [&](std::string const& plot) {
            plots += (plots.empty() ? "" : ", \\\n  ") + plot;
        };
        for (std::size_t k = 0; k < panel.curves.size(); ++k)
            add(is_level(panel.curves[k].points) ? level(panel.curves[k])
                                                 : fmt::format("$p{}c{} using 1:2 with lines {}", i,
                                                               k, pen(panel.curves[k].style)));
        for (std::size_t k = 0; k < panel.series.size(); ++k)
            if (panel.series[k].style.stroke != Stroke::none)
                add(fmt::format("$p{}s{} using 1:2 with lines {}", i, k,
                                pen(panel.series[k].style)));
        for (std::size_t k = 0; k < panel.series.size(); ++k) {
            auto const& series = panel.series[k];
            if (series.style.shape < 0) continue;
            // Bars as vectors: gnuplot's own error bars blank what lies below them.
            bool const bars = std::any_of(series.points.begin(), series.points.end(),
                                          [](Point const& p) { return p.low || p.high; });
            if (bars)
                add(fmt::format("$p{}s{} using 1:3:(0):($4-$3) with vectors nohead lc rgb '{}' lw "
                                "{:.3g}",
                                i, k, colour_code(series.style.colour), 0.8 * terminal_.line_unit));
            add(fmt::format("$p{}s{} using 1:2 with points {}", i, k,
                            points(series.style, point_size(panel))));
            if (auto ring = series.style; !partial(series).empty()) {
                ring.shape = open_circle;
                add(fmt::format("$p{}s{}r using 1:2 with points {}", i, k,
                                points(ring, 2 * point_size(panel))));
            }
        }
        line("plot {}", plots.empty() ? "NaN" : plots);
    }

    static bool is_level(std::vector<Point> const& points)
    {
        return points.size() > 1 && std::ranges::all_of(points, [&](Point const& point) {
                   return std::isfinite(point.x) && point.y == points.front().y;
               });
    }

    /// A horizontal line as a vector: Cairo's terminals begin the path of a line at a whole pixel
    /// and go on to its true first point, and the joint of that short piece shows as a wedge.
    std::string level(Curve const& curve) const
    {
        auto const &first = curve.points.front(), &last = curve.points.back();
        return fmt::format("$one using ({:.9g}):({:.9g}):({:.9g}):(0) with vectors nohead {}",
                           first.x, first.y, last.x - first.x, pen(curve.style));
    }

    /// Symbols shrink where many stand side by side.
    static double point_size(Panel const& panel)
    {
        std::size_t most = 0;
        for (auto const& series : panel.series) most = std::max(most, series.points.size());
        if (panel.series.size() > 8) return 2.6;
        return most > 60 ? 2.6 : most > 30 ? 3.2 : 4;
    }

    /// All text and the keys, on a plot without axes whose units are points.
    void overlay()
    {
        line("reset");
        frame(0, 0, layout_.width, layout_.height);
        line("unset key; unset border; unset tics");
        line("set xrange [0:{:g}]; set yrange [{:g}:0]", layout_.width, layout_.height);
        for (auto const& text : layout_.texts) this->text(text);
        std::string plots = "NaN";
        for (auto const& key : layout_.keys)
            for (auto const& entry : key.key.entries)
                plots += sample(entry, key.left + entry.right,
                                key.top + entry.down + 5.5 * layout_.scale);
        line("plot {}", plots);
    }

    void text(PlacedText const& text)
    {
        static constexpr char const* aligns[] = {"left", "center", "right"};
        std::string const shown = text.bold ? "{/:Bold " + text.text + "}" : text.text;
        line("set label {} at {:.2f},{:.2f} {} {} font ',{:g}' tc rgb '#000000'", quote(shown),
             text.x, text.y, aligns[static_cast<int>(text.align)],
             text.upright ? "rotate by 90" : "norotate", text.size * terminal_.font_unit);
    }

    /// The label of a key's entry; returns the plot elements of its sample.
    std::string sample(PlacedEntry const& placed, double x, double y)
    {
        auto const& style = placed.entry.style;
        double const width = layout_.scale * key_sample_width;
        text({placed.entry.label, x + width + layout_.scale * key_sample_gap, y,
              layout_.scale * key_text_size, Align::left});
        std::string plots;
        // A vector: see `level`.
        if (style.stroke != Stroke::none)
            plots += fmt::format(", \\\n  $one using ({:.2f}):({:.2f}):({:.2f}):(0) with vectors "
                                 "nohead {}",
                                 x, y, width, pen(style));
        if (style.shape >= 0)
            plots += fmt::format(", \\\n  $one using ({:.2f}):({:.2f}) with points {}",
                                 x + width / 2, y, points(style, 4));
        return plots;
    }

    Figure const& figure_;
    Layout layout_;
    Terminal terminal_;
    PictureFormat format_;
    std::string text_;
};

} // namespace

std::string gnuplot_script(Figure const& figure, PictureFormat format)
{
    return Writer(figure, format).write();
}

} // namespace crx::plot
