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
    side["orders"] = "as listed";
    side["seed"] = seed;
    side["number"] = number;
    side["total_latency"] = std::to_string(total_latency);
}

Clock clock_of(Json const& witness)
{
    if (!witness.contains("clock")) return {};
    auto const& given = witness["clock"];
    return {ClockKind::affine, given.at("d0"), given.at("d1"), given.at("d2"),
            given.value("d3", std::int64_t{0})};
}

/// A whole number from 0, or a list of them.
template <class Value>
Value whole(Json const& side, char const* key, Value const& otherwise)
{
    if (!side.contains(key)) return otherwise;
    auto const& value = side[key];
    for (auto const& number : value.is_array() ? value : Json::array({value}))
        if (!number.is_number_unsigned())
            throw std::invalid_argument(
                fmt::format("{}: {} is no whole number from 0", key, number.dump()));
    return value.get<Value>();
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
    auto const witness = read_json_file(file);
    try {
        WitnessRun run;
        run.instance = found_instance(witness);
        run.instance.clock = clock_of(witness);
        auto const& side = witness.at("numerator");
        if (!side.contains("policy"))
            throw std::invalid_argument("its numerator is a schedule, no policy");
        run.policy = side["policy"];
        run.selector = side.value("selector", "");
        run.parameters = parameters_in(side);
        run.seed = whole(side, "seed", std::uint64_t{0});
        run.number = whole(side, "number", std::int64_t{0});
        if (side.contains("known")) {
            std::ranges::fill(run.instance.lower, side["known"].at(0).get<std::int32_t>());
            std::ranges::fill(run.instance.upper, side["known"].at(1).get<std::int32_t>());
        }
        return run;
    } catch (std::exception const& error) {
        throw InputError(file.string() + ": " + reason_of(error));
    }
}

} // namespace crx
