#include "host/bench/bench_cases.hh"

#include "analysis/laws/jaillet_shape.hh"
#include "bench/peers.hh"
#include "kernels/cpu/policy_run.hh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <memory>
#include <random>

namespace crx {
namespace {

round_loop::Rule rule_of(PolicyKind kind)
{
    if (kind == MaxLength::kind) return round_loop::Rule::upper_lengths;
    if (kind == PromoteLower::kind) return round_loop::Rule::promote_lower;
    if (kind == MinLength::kind) return round_loop::Rule::learn;
    CRX_EXPECT(kind == ShortestFirst::kind);
    return round_loop::Rule::true_lengths;
}

round_loop::Check check_of(bool branch_free)
{
    return branch_free ? round_loop::Check::branch_free : round_loop::Check::early_exit;
}

} // namespace

Workload two_point_workload(std::int64_t n, Tokens memory, std::int32_t lower, std::int32_t upper)
{
    Workload w;
    w.seed = 1;
    w.requests = n;
    w.memory = memory;
    w.output_kind = OutputKind::composition;
    w.output_value = {lower, upper};
    w.output_count = {n / 2, n - n / 2};
    w.interval = {IntervalKind::common, lower, upper, 100, 0, 1};
    return w;
}

Workload jaillet_workload() { return jaillet_shape(50, 40, 35, 1); }

Contender engine_contender(std::string const& name, Workload const& workload, PolicyKind kind,
                           RandomLaw engine)
{
    auto const cell = std::make_shared<Cell>();
    cell->workload = workload;
    cell->policies = {{kind, {}}};
    cell->baseline[0] = cell->baseline[1] = false;
    cell->laws = {engine};
    return {name,
            [cell](std::int64_t first, std::int64_t count) {
                return static_cast<std::int64_t>(launch_host(*cell, {first, count})[0].sums.events);
            },
            widest_batch(CellEngines(*cell, Processor::cpu))};
}

Contender loop_contender(std::string const& name, Workload const& workload, PolicyKind kind,
                         bool branch_free)
{
    auto const in = std::make_shared<round_loop::Instance>();
    for (std::size_t k = 0; k < workload.output_value.size(); ++k)
        in->output.insert(in->output.end(), static_cast<std::size_t>(workload.output_count[k]),
                          workload.output_value[k]);
    std::mt19937_64 rng(1);
    if (kind != ShortestFirst::kind) std::shuffle(in->output.begin(), in->output.end(), rng);
    in->memory = static_cast<std::int32_t>(workload.memory);
    in->lower = workload.interval.lower;
    in->upper = workload.interval.upper;
    return {name, [=](std::int64_t, std::int64_t count) {
                std::int64_t total = 0;
                for (; count > 0; --count)
                    total += round_loop::total_latency(rule_of(kind), check_of(branch_free), *in);
                return total > 0 ? std::int64_t{0} : std::int64_t{1}; // the work is not left out
            }};
}

Contender jaillet_loop_contender(std::string const& name, bool branch_free)
{
    return {name, [=](std::int64_t first, std::int64_t count) {
                auto const total = round_loop::many_small(check_of(branch_free), 50, 40, count,
                                                          static_cast<std::uint64_t>(first));
                return total > 0 ? std::int64_t{0} : std::int64_t{1};
            }};
}

std::string loop_instruction_set() { return round_loop::instruction_set(); }

} // namespace crx
