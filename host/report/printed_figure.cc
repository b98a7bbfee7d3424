#include "analysis/plot/picture_file.hh"
#include "host/report/section.hh"

#include <algorithm>

namespace crx::report {

std::string printed_figure(plot::Figure const& figure, std::string const& description, Notes& notes)
{
    try {
        auto const svg = plot::picture(figure, plot::PictureFormat::svg);
        return "<img alt=\"" + escaped(description) + "\" src=\"" + svg_address(svg) + "\">\n";
    } catch (plot::PlotError const& error) {
        std::string const note = std::string("figures for print are missing: ") + error.what();
        if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
        return "<p>No figure for print: " + escaped(error.what()) + "</p>\n";
    }
}

} // namespace crx::report
