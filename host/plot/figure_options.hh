#pragma once

#include "host/results/stored_panels.hh"

namespace crx {

/// Leaves of each panel the policies of these labels, and the curves that speak of them or of none;
/// a panel that shows none of them goes. A text is a label, or several with commas between them.
/// Throws InputError where the store has no such policy, or no panel is left.
/// `only`: the number of a panel (from 1) that alone is to be drawn, which then alone is left; one
/// that is not there is for store_figure to refuse.
void keep_policies(StoredPanels& experiment, std::vector<PolicyEntry> const& policies,
                   std::vector<std::string> const& texts, std::optional<int>& only);

/// A length such as 3.35in, 8.5cm, 85mm or 241pt (of which LaTeX counts 72.27 an inch), in points
/// of 1/72 inch. Throws InputError naming `option`; a picture is 1 to 40 inches wide.
double width_of(std::string const& option, std::string const& text);

} // namespace crx
