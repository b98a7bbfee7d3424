#pragma once

#include "analysis/plot/figure.hh"
#include "host/report/html.hh"
#include "host/results/stored_panels.hh"

namespace crx::report {

/// A store as a report reads it.
struct ReportedStore
{
    std::string name;        ///< as commands name it
    StoreContents contents;  ///< as with_horizons() splits it
    StoredPanels experiment; ///< title, confidence and panels
    std::size_t number = 0;  ///< among those of the page, from 0

    /// The same title for people everywhere: the experiment's, or its name.
    std::string title() const
    {
        return experiment.title.empty() ? contents.header.name : experiment.title;
    }
    /// An id of an element that no other store's has.
    std::string id(std::string const& what) const
    {
        return "store-" + std::to_string(number + 1) + "-" + what;
    }
};

/// What could not be put on the page, for the program to say; each a sentence or more.
using Notes = std::vector<std::string>;

/// A figure for print. Where gnuplot is not there, or fails, one that says so.
std::string printed_figure(plot::Figure const& figure, std::string const& description,
                           Notes& notes);

// Each is the HTML of one section of a store, with its heading; empty where there is nothing to
// say.

std::string provenance_section(ReportedStore const& store);
/// The same in one paragraph.
std::string provenance_summary(ReportedStore const& store);
std::string panels_section(ReportedStore const& store, Notes& notes);
std::string ranks_section(ReportedStore const& store);
/// `most`: runs that are shown with their timelines.
std::string worst_section(ReportedStore const& store, std::size_t most, Notes& notes);
std::string bounds_section(ReportedStore const& store);
std::string claims_section(ReportedStore const& store);

/// <h3> with an anchor.
inline std::string heading(ReportedStore const& store, std::string const& what,
                           std::string const& text)
{
    return "<h3 id=\"" + store.id(what) + "\">" + text + "</h3>\n";
}

} // namespace crx::report
