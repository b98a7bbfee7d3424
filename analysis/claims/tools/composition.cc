#include "analysis/claims/tools/composition.hh"

#include "analysis/bounds/lemma_4_6.hh"
#include "analysis/laws/discrete_laws.hh"
#include "analysis/statistics/summary.hh"
#include "kernels/engines/cell.hh"
#include "kernels/engines/cohorts/cohort.hh"

#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace crx::claims {

Composition two_point(std::int32_t l, std::int32_t u, Tokens memory, std::int64_t load, double odds)
{
    auto const n = load * memory;
    auto const shorts = std::llround(static_cast<double>(n) * odds / (1 + odds));
    return {l, u, 0, memory, {l, u}, {shorts, n - shorts}};
}

Composition one_length(std::int32_t lower, std::int32_t upper, std::int32_t length, Tokens memory,
                       std::int64_t load)
{
    return {lower, upper, 0, memory, {length}, {load * memory}};
}

Composition worst_of_lemma_4_6(std::int32_t l, std::int32_t u, std::int32_t prompt, Tokens memory,
                               std::int64_t load)
{
    Composition c{l, u, prompt, memory, {}, {}};
    std::vector<double> weights;
    auto const share = [&](std::int32_t k) { return k > u ? 0 : (2. * l - 1) / (2. * k - 1); };
    for (auto k = l; k <= u; ++k) {
        c.length.push_back(k);
        weights.push_back(share(k) - share(k + 1));
    }
    c.count = largest_remainder(load * memory, weights);
    return c;
}

Simulated simulate(PolicySpec const& spec, Composition const& composition, std::int64_t instances)
{
    Cell cell;
    auto& w = cell.workload;
    w.seed = 1;
    w.memory = composition.memory;
    w.requests =
        std::accumulate(composition.count.begin(), composition.count.end(), std::int64_t{0});
    w.output_kind = OutputKind::composition;
    w.output_value = composition.length;
    w.output_count = composition.count;
    w.prompt_constant = composition.prompt;
    w.interval = {IntervalKind::common, composition.lower, composition.upper};
    cell.policies = {spec};
    for (auto& wanted : cell.baseline) wanted = false;
    cell.baseline[static_cast<int>(BaselineKind::h_sf)] = true;
    if (cohort_refusal(spec, view_of(w)).empty()) cell.laws = {RandomLaw::cohort};
    auto const tally = launch_host(cell, {0, instances});
    auto const& sums = tally.front().sums;
    auto const ratio = summarise(sums, BaselineKind::h_sf, 0.95).ratio_of_means;
    auto const all = static_cast<double>(w.requests) * static_cast<double>(instances);
    return {ratio.value(), static_cast<double>(sums.cancellations) / all};
}

std::vector<Reading> four_readings()
{
    std::vector<Reading> all{{"1", policy("a-min")},
                             {"1 exceeded", policy("a-min")},
                             {"2", policy("a-min-evict")},
                             {"2 exceeded", policy("a-min-evict")}};
    all[1].policy.learns = all[3].policy.learns = Learns::exceeded;
    return all;
}

std::vector<Simulated> simulate_readings(Composition const& composition, std::int64_t instances)
{
    std::vector<Simulated> all;
    for (auto const& reading : four_readings())
        all.push_back(simulate(reading.policy, composition, instances));
    return all;
}

double fluid_ratio(Composition const& composition)
{
    bounds::Lemma46Sum sum(composition.lower, composition.prompt);
    auto k = composition.length.size();
    for (auto length = composition.upper; length >= composition.lower; --length) {
        double weight = 0;
        if (k > 0 && composition.length[k - 1] == length)
            weight = static_cast<double>(composition.count[--k]);
        sum.add(length, weight);
    }
    return sum.value().ratio();
}

std::string text(std::vector<Simulated> const& readings)
{
    std::string all;
    for (std::size_t k = 0; k < readings.size(); ++k)
        all +=
            fmt::format("{}{}: {}", k == 0 ? "" : ", ", four_readings()[k].name, text(readings[k]));
    return all;
}

std::string text(Simulated const& s)
{
    return fmt::format("{:.4g} [{:.4g}, {:.4g}]", s.ratio.mean, s.low(), s.high());
}

} // namespace crx::claims
