#include "host/evidence/run_witness.hh"

#include "host/error.hh"
#include "host/evidence/witness_file.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <fmt/format.h>

namespace crx {
namespace {

using Json = nlohmann::ordered_json;

/// Id and parameters of a policy of a cell.
Json side_of(Cell const& cell, std::size_t policy)
{
    Json side;
    if (auto const* const order = order_of(cell, policy)) {
        for (auto const& [name, value] : order->identity())
            side[name == "id" ? "policy" : name] = value;
        return side;
    }
    auto const& spec = cell.policies[policy];
    side["policy"] = policy_info(spec.kind).id;
    side.update(parameters_as_json(parameters_of(spec)));
    return side;
}

void add_run(Json& side, Tokens memory, std::uint64_t seed, std::int64_t number,
             std::int64_t total_latency)
{
    side["memory"] = memory;
    side["seed"] = seed;
    side["number"] = number;
    side["total_latency"] = std::to_string(total_latency);
}

} // namespace

Json run_as_witness(Cell const& cell, std::size_t policy, OwnedInstance const& instance,
                    std::int64_t number, std::int64_t total_latency, std::string const& found_by)
{
    auto const seed = cell.workload.seed;
    auto above = side_of(cell, policy);
    add_run(above, instance.memory, seed, number, total_latency);
    Json below{{"policy", ShortestFirst::id}};
    auto const baseline = execute_single({ShortestFirst::kind, {}}, instance, seed, number);
    if (baseline.outcome.finished == 0)
        throw RunError("mc-sf does not finish the instance within 2^62: no witness of a ratio");
    add_run(below, instance.memory, seed, number, baseline.outcome.total_latency);
    worst::Ratio const ratio{total_latency, baseline.outcome.total_latency};
    Json witness;
    witness["shows"] = fmt::format("{} over mc-sf is {:.6f} on {} requests with M = {}",
                                   above["policy"].get<std::string>(), ratio.value(),
                                   instance.requests(), instance.memory);
    if (instance.clock.affine())
        witness["clock"] = {{"d0", instance.clock.d0},
                            {"d1", instance.clock.d1},
                            {"d2", instance.clock.d2},
                            {"d3", instance.clock.d3}};
    witness["requests"] = requests_as_json(instance);
    witness["numerator"] = above;
    witness["denominator"] = below;
    witness["ratio"] = fraction_text(ratio);
    witness["found_by"] = found_by;
    return with_checksum(std::move(witness));
}

WitnessRun read_witness_run(std::filesystem::path const& file)
{
    auto const [json, witness, instance] = read_evidence(file);
    auto const& side = witness.numerator;
    if (side.kind != oracle::Side::Kind::policy)
        throw InputError(file.string() + ": its numerator is no policy");
    WitnessRun run{instance,  side.policy.id, side.selector, parameters_in(json.at("numerator")),
                   side.seed, side.number};
    if (side.known) {
        if (side.known->second > INT32_MAX) throw InputError(file.string() + ": known passes 2^31");
        std::ranges::fill(run.instance.lower, static_cast<std::int32_t>(side.known->first));
        std::ranges::fill(run.instance.upper, static_cast<std::int32_t>(side.known->second));
    }
    return run;
}

} // namespace crx
