#pragma once

#include "kernels/cpu/single.hh"

#include <cstddef>
#include <optional>
#include <vector>

namespace crx_test {

/// What execute(log, arena) says of n requests, and what it logs, with an arena no larger than
/// `bytes`; nothing if it does not take the instance.
template <class Execute>
std::optional<crx::SingleRun> logged_run(std::size_t n, std::size_t bytes, Execute execute)
{
    std::vector<std::byte> block(bytes);
    crx::Arena arena(block.data(), block.size());
    crx::SingleRun run;
    run.start.resize(n);
    run.completion.resize(n);
    run.cancellations.resize(n, -1);
    crx::ScheduleLog const log{run.start.data(), run.completion.data(), run.cancellations.data()};
    std::optional<crx::Outcome> const outcome = execute(log, arena);
    if (!outcome) return {};
    run.outcome = *outcome;
    return run;
}

} // namespace crx_test
