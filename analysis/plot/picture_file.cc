#include "analysis/plot/picture_file.hh"

#include "analysis/plot/gnuplot_process.hh"
#include "analysis/plot/pgfplots.hh"
#include "analysis/plot/replace_all.hh"

#include <algorithm>
#include <string_view>

namespace crx::plot {

namespace {

namespace fs = std::filesystem;

void replace_first(std::string& text, std::string_view from, std::string_view to)
{
    if (auto const at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
}

/// Takes out groups that hold nothing, a third of what gnuplot writes.
void drop_empty_groups(std::string& svg)
{
    constexpr std::string_view end = "\n</g>\n";
    std::string kept;
    for (std::size_t at = 0; at < svg.size();) {
        auto const line_end = std::min(svg.find('\n', at), svg.size());
        bool const opens = svg.compare(at, 3, "<g ") == 0 && svg[line_end - 1] == '>';
        if (opens && svg.compare(line_end, end.size(), end) == 0) {
            at = line_end + end.size();
            continue;
        }
        kept.append(svg, at, line_end + 1 - at);
        at = line_end + 1;
    }
    svg = std::move(kept);
}

/// Mends what gnuplot's svg leaves open: a title of its own, fonts of the same metrics for where
/// Liberation Sans is not installed, spaces at the ends of pieces of text, which readers drop, and
/// the end of a CDATA section in a text, which XML allows nowhere else. Leaves out what says
/// nothing.
void mend_svg(std::string& svg)
{
    drop_empty_groups(svg);
    replace_all(svg, "<tspan font-family=\"Liberation Sans\" >", "<tspan>"); // its group's own font
    replace_first(svg, "<title>Gnuplot</title>", "<title>crx plot</title>");
    replace_all(svg, "font-family=\"Liberation Sans\"",
                "font-family=\"Liberation Sans, Arial, Helvetica, DejaVu Sans, sans-serif\"");
    replace_all(svg, "<text>", "<text xml:space=\"preserve\">");
    replace_all(svg, "]]>", "]]&gt;");
}

/// Sets the date of making to a fixed one of the same length, so that equal figures give equal
/// files and no offset in the file moves.
void fix_date(std::string& pdf)
{
    constexpr std::string_view key = "/CreationDate (D:";
    auto const at = pdf.find(key);
    if (at == std::string::npos) return;
    constexpr std::string_view fixed = "20000101000000";
    auto const digits = at + key.size();
    if (digits + fixed.size() <= pdf.size()) pdf.replace(digits, fixed.size(), fixed);
}

/// Likewise in an EPS file, whose lengths nobody counts.
void fix_eps_date(std::string& eps)
{
    constexpr std::string_view key = "%%CreationDate: ";
    auto const at = eps.find(key);
    if (at == std::string::npos) return;
    auto const from = at + key.size();
    eps.replace(from, eps.find('\n', from) - from, "Sat Jan  1 00:00:00 2000");
}

/// Whether the picture ends as its format does: a full disk cuts it short without a word.
bool is_whole(std::string const& bytes, PictureFormat format)
{
    constexpr std::string_view ends[] = {"</svg>", "%%EOF", "IEND", "%%EOF"};
    auto const tail = bytes.size() > 32 ? bytes.substr(bytes.size() - 32) : bytes;
    return tail.find(ends[static_cast<int>(format)]) != std::string::npos;
}

} // namespace

std::optional<PictureFormat> picture_format(fs::path const& file)
{
    std::string extension = file.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    if (extension == ".svg") return PictureFormat::svg;
    if (extension == ".pdf") return PictureFormat::pdf;
    if (extension == ".png") return PictureFormat::png;
    if (extension == ".eps") return PictureFormat::eps;
    if (extension == ".tex") return PictureFormat::tex;
    return std::nullopt;
}

std::string picture(Figure const& figure, PictureFormat format)
{
    if (format == PictureFormat::tex) return pgfplots_text(figure);
    auto bytes = run_gnuplot(gnuplot_script(figure, format));
    if (!is_whole(bytes, format)) throw PlotError("gnuplot did not end the picture");
    if (format == PictureFormat::svg) mend_svg(bytes);
    if (format == PictureFormat::pdf) fix_date(bytes);
    if (format == PictureFormat::eps) fix_eps_date(bytes);
    return bytes;
}

} // namespace crx::plot
