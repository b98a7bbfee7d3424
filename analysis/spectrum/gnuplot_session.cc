#include "analysis/spectrum/gnuplot_session.hh"

#include <cmath>
#include <fmt/core.h>
#include <stdexcept>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <gnuplot-iostream.h>
#pragma GCC diagnostic pop

namespace crx::spectrum {

struct GnuplotSession::Process
{
    Gnuplot stream;
};

namespace {

std::string terminal(std::filesystem::path const& file, int width, int height)
{
    auto const extension = file.extension().string();
    if (extension == ".svg")
        return fmt::format("svg size {},{} dynamic enhanced font 'Helvetica,13' background 'white'",
                           width, height);
    if (extension == ".pdf")
        return fmt::format("pdfcairo size {:.3f}in,{:.3f}in enhanced font 'Helvetica,13'",
                           width / 72.0, height / 72.0);
    if (extension == ".png")
        return fmt::format("pngcairo size {},{} enhanced font 'Helvetica,26' fontscale 1 linewidth "
                           "2 pointscale 2",
                           2 * width, 2 * height);
    throw std::domain_error(fmt::format(
        "plot = {} is not accepted: must be a file ending in .svg, .pdf or .png", file.string()));
}

} // namespace

GnuplotSession::GnuplotSession(std::filesystem::path const& file, int width, int height)
    : file_(file)
{
    auto const chosen = terminal(file, width, height);
    // A file left by an earlier run must not pass for this one's.
    std::filesystem::remove(file);
    process_ = std::make_unique<Process>();
    std::string quoted;
    for (char const c : file.string()) quoted += c == '\'' ? std::string("''") : std::string(1, c);
    send(fmt::format("set terminal {}\nset output '{}'\n", chosen, quoted));
    send("set encoding utf8\n"
         "set border 3 lc rgb '#404040'\n"
         "set tics nomirror textcolor rgb '#202020'\n"
         "set grid lc rgb '#d8d8d8' lw 0.6 dt 1\n"
         "set style line 1 lc rgb '#0072b2' lw 2\n"
         "set style line 2 lc rgb '#d55e00' lw 2\n"
         "set style line 3 lc rgb '#009e73' lw 2\n"
         "set style line 4 lc rgb '#cc79a7' lw 2\n"
         "set style line 5 lc rgb '#e69f00' lw 2\n"
         "set style line 6 lc rgb '#56b4e9' lw 2\n"
         "set style line 9 lc rgb '#606060' lw 1.5\n"
         "set key samplen 2.4 spacing 1.15 noopaque\n");
}

GnuplotSession::~GnuplotSession() = default;

void GnuplotSession::send(std::string const& commands) { process_->stream << commands; }

void GnuplotSession::data(std::string const& name, std::vector<std::vector<double>> const& rows)
{
    std::string text = "$" + name + " << EOD\n";
    for (auto const& row : rows) {
        for (double const value : row)
            text += std::isfinite(value) ? fmt::format("{:.17g} ", value) : std::string("NaN ");
        text += '\n';
    }
    send(text + "EOD\n");
}

void GnuplotSession::finish()
{
    send("unset output\n");
    process_.reset();
    std::error_code failure;
    auto const size = std::filesystem::file_size(file_, failure);
    if (failure || size == 0)
        throw std::runtime_error(fmt::format(
            "gnuplot wrote no {}: is gnuplot installed and the folder writable?", file_.string()));
}

std::vector<std::vector<double>> sampled(double low, double high, int count, bool logarithmic,
                                         std::function<double(double)> const& function)
{
    std::vector<std::vector<double>> rows;
    for (int i = 0; i <= count; ++i) {
        double const part = static_cast<double>(i) / count;
        double const x = logarithmic ? low * std::pow(high / low, part) : low + (high - low) * part;
        rows.push_back({x, function(x)});
    }
    return rows;
}

} // namespace crx::spectrum
