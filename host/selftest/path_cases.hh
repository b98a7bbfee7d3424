#pragma once

#include "kernels/engines/iterations/iterate.hh"

#include <string>
#include <vector>

namespace crx {

/// A cell of the iteration model with awkward shapes: blocks of arrivals in order and not, more
/// than 64 types, rates that vary, queues that outgrow their first room, every policy.
struct PathCase
{
    std::string name;
    IterationCell cell;
};

std::vector<PathCase> path_cases();

} // namespace crx
