#include "analysis/claims/tools/paths.hh"

#include <fmt/format.h>

namespace crx::claims {

fluid::Load appendix_load() { return {0.55, 0.05, {{1, 1}, {1, 2}}, {1, 1}}; }

IterationCell appendix_cell(IterationPolicyKind kind, int doublings)
{
    constexpr Nanoseconds second = 1'000'000'000;
    IterationCell cell;
    cell.time = {550'000'000, std::uint64_t{50'000'000} << 16};
    cell.types = {{1, 1}, {1, 2}};
    cell.arrivals = poisson_rates({{1, 1}});
    cell.policy.kind = kind;
    cell.seed = 1;
    for (int k = 0; k <= doublings; ++k) cell.checkpoints.push_back((16 * second) << k);
    return cell;
}

IterationCell wait_cell(std::vector<std::int64_t> const& thresholds, int doublings)
{
    auto cell = appendix_cell(IterationPolicyKind::wait, doublings);
    cell.policy.thresholds = wait_table(cell.types, thresholds);
    return cell;
}

IterationCell nested_cell(std::vector<std::int64_t> const& thresholds, int doublings)
{
    auto cell = appendix_cell(IterationPolicyKind::nested_wait, doublings);
    cell.policy.thresholds = nested_table(cell.types, {{1, {1, 2}, thresholds}});
    return cell;
}

IterationCell fcfs_cell(IterationPolicyKind kind, Tokens memory, int doublings)
{
    auto cell = appendix_cell(kind, doublings);
    cell.policy.memory = memory;
    return cell;
}

fluid::HeavyTrafficCurve curve_of(IterationCell const& cell, std::int64_t paths,
                                  std::size_t fit_from)
{
    return fluid::heavy_traffic_curve(launch_paths(cell, 0, paths), fit_from, 0.95);
}

std::string text(fluid::Exponent const& exponent)
{
    return fmt::format("{:.3f} [{:.3f}, {:.3f}]", exponent.value,
                       exponent.value - exponent.half_width, exponent.value + exponent.half_width);
}

} // namespace crx::claims
