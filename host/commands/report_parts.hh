#pragma once

#include "host/evidence/claims/claim.hh"
#include "host/results/stored_panels.hh"

#include <nlohmann/json.hpp>

namespace crx {

/// Adds to a document of panels what a report says beside them (docs/report.md): `ranks`, or
/// `horizons` in the iteration model, `capacity` where the experiment asks for it, `worst`,
/// `claims` and `theory`.
void add_report_parts(nlohmann::ordered_json& document, StoreContents const& contents,
                      StoredPanels const& experiment, std::string const& name);

/// A claim that an experiment has to do with, and why.
struct TouchedClaim
{
    claims::Claim const* claim;
    std::string why; ///< a clause: "its command runs this experiment"
};

/// Claims whose command runs an experiment of this name, whose theorem or figure the experiment's
/// name or title names with its paper, or of which a panel draws a curve. In the registry's order.
std::vector<TouchedClaim> touched_claims(StoreContents const& contents,
                                         StoredPanels const& experiment);

} // namespace crx
