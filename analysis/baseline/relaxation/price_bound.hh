#pragma once

#include "analysis/baseline/relaxation/clique_cuts.hh"

namespace crx::baseline {

/// What prices say against a known schedule of TEL `upper`: the exact bound, and the starts that a
/// better schedule can use, those for which the bound with that start fixed stays below `upper`. As
/// many starts are looked at as any better schedule can reach; past most_domain_entries the domain
/// has none at all. Contract: `starts` above every
/// arrival and every start in the cliques.
CliqueBound price_bound(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                        Rounds upper, Prices const& prices, Rounds starts);

} // namespace crx::baseline
