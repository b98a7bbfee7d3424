#pragma once

#include "host/bench/measure.hh"

namespace crx {

/// Neighbours of the search for worst instances, n <= 8 and M <= 16: as `crx search` looks at them,
/// beside a loop that does for each what `crx simulate` (and, over opt, `crx baseline`) does. An
/// instance of these contenders is a neighbour.
enum class SearchCase
{
    over_opt,        ///< mc-sf over the optimum
    over_h_sf,       ///< a-max, one draw, over mc-sf
    draws_over_h_sf, ///< the mean of a-min over 64 draws, over mc-sf
};
std::vector<Contender> search_contenders(SearchCase which);

} // namespace crx
