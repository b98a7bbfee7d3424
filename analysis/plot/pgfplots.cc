#include "analysis/plot/pgfplots.hh"

#include "analysis/plot/layout.hh"
#include "analysis/plot/palette.hh"
#include "analysis/plot/tex_text.hh"

#include <fmt/format.h>

#include <iterator>

namespace crx::plot {

namespace {

/// Marks of pgfplots in the order of Shape.
constexpr std::array<std::string_view, 11> marks{
    "square*",   "*",        "o",
    "triangle*", "diamond*", "triangle*, mark options={rotate=180, solid}",
    "x",         "+",        "square",
    "diamond",   "triangle"};

constexpr std::array<std::string_view, strokes> dashes{
    "only marks",
    "solid",
    "dashed",
    "dotted",
    "dash pattern=on 5pt off 1.8pt on 1.2pt off 1.8pt",
    "dash pattern=on 9pt off 3pt"};

std::string number(double value)
{
    return std::isfinite(value) ? fmt::format("{:.9g}", value) : "nan";
}

class TexWriter
{
  public:
    explicit TexWriter(Figure const& figure) : figure_(figure), layout_(lay_out(figure)) {}

    std::string write()
    {
        line("% Made by crx plot. The preamble needs:");
        line("%   \\usepackage{{pgfplots}} \\usepgfplotslibrary{{groupplots}} "
             "\\pgfplotsset{{compat=1.16}}");
        comment(figure_.caption);
        for (int i = 0; i < static_cast<int>(palette.size()); ++i) define(i);
        for (int i = 0; i < static_cast<int>(ramp.size()); ++i) define(first_of_ramp + i);
        line("\\begin{{tikzpicture}}[font=\\fontsize{{{0:g}}}{{{1:g}}}\\selectfont, mark "
             "size=1.6pt]",
             figure_.font_size, 1.2 * figure_.font_size);
        if (!figure_.title.empty()) line("% {}", tex_text(figure_.title));
        line("\\begin{{groupplot}}[group style={{group size={} by {}, horizontal sep=4em, "
             "vertical sep=9em}},",
             columns(), (figure_.panels.size() + columns() - 1) / columns());
        line("  scale only axis, axis x line*=bottom, axis y line*=left, grid=major, grid "
             "style={{black!10}},");
        line("  unbounded coords=jump, legend cell align=left, legend columns={},",
             layout_.panels[0].width < 300 ? 1 : 2);
        line("  legend style={{draw=none, at={{(0.5,-0.3)}}, anchor=north}},");
        line("  error bars/y dir=both, error bars/y explicit, error bars/error mark=none]");
        for (std::size_t i = 0; i < figure_.panels.size(); ++i) panel(i);
        line("\\end{{groupplot}}");
        line("\\end{{tikzpicture}}");
        return text_;
    }

  private:
    template <class... Values>
    void line(fmt::format_string<Values...> form, Values&&... values)
    {
        fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
        text_ += '\n';
    }

    void comment(std::string const& caption)
    {
        if (!caption.empty()) line("% Caption: {}", tex_text(caption));
    }

    std::size_t columns() const
    {
        std::size_t count = 1;
        while (count < layout_.panels.size() && layout_.panels[count].top == layout_.panels[0].top)
            ++count;
        return count;
    }

    void panel(std::size_t i)
    {
        auto const& panel = figure_.panels[i];
        auto const& placed = layout_.panels[i];
        line("\\nextgroupplot[width={:.2f}bp, height={:.2f}bp, xmode={}, ymode={},", placed.width,
             placed.height, panel.x.logarithmic ? "log" : "normal",
             panel.y.logarithmic ? "log" : "normal");
        line("  xmin={:.9g}, xmax={:.9g}, ymin={:.9g}, ymax={:.9g},", placed.x.low, placed.x.high,
             placed.y.low, placed.y.high);
        ticks('x', placed.x_ticks);
        ticks('y', placed.y_ticks);
        line("  title={{{}}}, xlabel={{{}}}, ylabel={{{}}}]", tex_text(panel.title),
             tex_text(panel.x.label), tex_text(panel.y.label));
        for (auto const& curve : panel.curves) {
            line("\\addplot[{}, {}, line width={:.3g}pt, no marks] table {{", colour(curve.style),
                 stroke(curve.style), curve.style.width);
            for (auto const& point : curve.points) line("{} {}", number(point.x), number(point.y));
            end(curve.label);
        }
        for (auto const& series : panel.series) this->series(series, placed);
    }

    void series(Series const& series, PlacedPanel const& placed)
    {
        auto const shape = series.style.shape;
        auto const mark = shape < 0 ? std::string_view("none")
                                    : marks[static_cast<std::size_t>(shape) % marks.size()];
        line("\\addplot[{}, {}, line width={:.3g}pt, mark={}] table [y error plus=plus, y error "
             "minus=minus] {{",
             colour(series.style), stroke(series.style), series.style.width, mark);
        line("x y plus minus");
        for (auto const& point : series.points) {
            // What a logarithm cannot show of a bar lies below the frame.
            auto low = point.low.value_or(point.y);
            if (low <= 0 && placed.y.low > 0) low = std::min(placed.y.low, point.y);
            line("{} {} {} {}", number(point.x), number(point.y),
                 number(point.high.value_or(point.y) - point.y), number(point.y - low));
        }
        end(series.label);
    }

    void end(std::string const& label)
    {
        line("}};");
        if (label.empty())
            line("\\pgfplotsset{{/pgfplots/forget plot}}");
        else
            line("\\addlegendentry{{{}}}", tex_text(label));
    }

    void ticks(char axis, std::vector<Tick> const& all)
    {
        std::string places, labels, minor;
        for (auto const& mark : all) {
            auto& list = mark.label.empty() ? minor : places;
            list += fmt::format("{}{:.9g}", list.empty() ? "" : ",", mark.at);
            if (!mark.label.empty())
                labels += (labels.empty() ? "{" : ",{") + tex_text(mark.label) + "}";
        }
        line("  {0}tick={{{1}}}, {0}ticklabels={{{2}}}, minor {0}tick={{{3}}},", axis, places,
             labels, minor);
    }

    void define(int colour)
    {
        line("\\definecolor{{{}}}{{HTML}}{{{}}}", name_of(colour), colour_code(colour).substr(1));
    }
    static std::string name_of(int colour)
    {
        if (colour >= first_of_ramp) return fmt::format("crxramp{}", colour - first_of_ramp);
        return fmt::format("crx{}",
                           colour_names[static_cast<std::size_t>(colour) % colour_names.size()]);
    }
    static std::string colour(Style const& style) { return name_of(style.colour); }
    static std::string_view stroke(Style const& style)
    {
        return dashes[static_cast<std::size_t>(style.stroke)];
    }

    Figure const& figure_;
    Layout layout_;
    std::string text_;
};

} // namespace

std::string pgfplots_text(Figure const& figure) { return TexWriter(figure).write(); }

} // namespace crx::plot
