#pragma once

#include "kernels/engines/iterations/iterate.hh"

#include <string>

namespace crx {

/// What a cell of the iteration model says of its paths before any of them has run.
struct PathFacts
{
    std::vector<Tokens> capacity;      ///< of each policy; 0: no limit
    std::vector<PromptType> types;     ///< prompt and output lengths
    std::vector<Nanoseconds> horizons; ///< ascending
    bool by_type = false;              ///< sums of each type are kept
};

/// Reads them from IterationSetting::identity(). Throws std::exception where the text is damaged.
PathFacts path_facts(std::string const& identity);

} // namespace crx
