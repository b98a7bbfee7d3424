#pragma once

#include "analysis/worst/resize.hh"
#include "host/evidence/witness_file.hh"

#include <string>

namespace crx {

// What `crx search` prints.

std::string found_as_text(SearchOptions const& options, worst::Objective const& objective,
                          worst::Found const& found);

/// A line of a search's progress.
std::string progress_text(SearchOptions const& options, worst::Objective const& objective,
                          worst::Found const& found, double seconds);

/// The ratio of means over draws that the search has not seen, with an interval; an empty text
/// where neither policy draws.
std::string confirmed_as_text(SearchOptions const& options, worst::Found const& found,
                              FreshCosts const& fresh);

/// A line for each family of scaled instances.
std::string families_as_text(std::vector<worst::FamilyReport> const& reports);

} // namespace crx
