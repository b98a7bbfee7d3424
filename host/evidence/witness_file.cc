#include "host/evidence/witness_file.hh"

#include "analysis/statistics/estimate.hh"
#include "host/error.hh"
#include "host/input/text_file.hh"
#include "host/output_file.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace crx {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_witness_bytes = 16u << 20;

std::string measure_key(SearchOptions const& options)
{
    return options.measure == "tel" ? "total_latency" : options.measure;
}

/// A policy's id and parameters. The options' parameters belong to the numerator.
Json policy_as_json(SearchOptions const& options, std::string const& id, bool is_numerator)
{
    Json side{{"policy", policy_id(id)}};
    if (id == "sorted-f") side["selector"] = options.selector;
    if (!is_numerator) return side;
    side.update(parameters_as_json(options.parameters));
    return side;
}

/// The best schedule as the denominator over `opt`.
Json schedule_as_json(worst::Settled const& settled, Tokens memory)
{
    return {{"memory", memory},
            {"starts", settled.starts},
            {"lower_bound", settled.lower},
            {"proof", settled.lower_bound_id},
            {"total_latency", std::to_string(settled.denominator)}};
}

Json side_as_json(worst::Cost const& cost, SearchOptions const& options, bool is_numerator,
                  Tokens memory, std::int64_t sum)
{
    auto side = policy_as_json(options, cost.id, is_numerator);
    side["memory"] = memory;
    if (cost.draws > 1) side["instances"] = cost.draws;
    side["seed"] = options.draw_seed;
    side[measure_key(options)] = fraction_text({sum, cost.draws});
    return side;
}

void add_sides(Json& object, SearchOptions const& options, worst::Objective const& objective,
               Tokens memory, worst::Settled const& settled)
{
    object["numerator"] =
        side_as_json(objective.numerator, options, true, memory, settled.numerator);
    auto& below = object["denominator"];
    switch (objective.over) {
    case worst::Over::cost:
        below = side_as_json(objective.denominator, options, false, memory, settled.denominator);
        return;
    case worst::Over::opt: below = schedule_as_json(settled, memory); return;
    case worst::Over::best_found:
        below = {{"memory", memory}, {"schedule", "best-found"}, {"starts", settled.starts}};
        break;
    case worst::Over::volume: below = {{"memory", memory}, {"bound", "volume"}}; break;
    }
    below["total_latency"] = std::to_string(settled.denominator);
}

/// The part of a side that does not depend on the instance: policy, parameters and draws, or the
/// kind of bound or schedule.
nlohmann::json kind_of(Json side)
{
    for (auto const* key : {"memory", "orders", "starts", "lower_bound", "proof", "fresh"})
        side.erase(key);
    for (auto const* measure : {"total_latency", "makespan", "p99"})
        if (side.contains(measure)) side[measure] = "";
    return side;
}

} // namespace

std::string fraction_text(worst::Ratio const& ratio)
{
    auto const common = std::gcd(ratio.above, ratio.below);
    if (ratio.below == common) return std::to_string(ratio.above / common);
    return fmt::format("{}/{}", ratio.above / common, ratio.below / common);
}

Json requests_as_json(OwnedInstance const& instance)
{
    auto rows = Json::array();
    for (std::size_t i = 0; i < instance.output.size(); ++i) {
        Json row;
        if (instance.arrival[i] != 0) row["arrival"] = instance.arrival[i];
        row["prompt"] = instance.prompt[i];
        row["output"] = instance.output[i];
        if (instance.lower[i] != instance.output[i]) row["lower"] = instance.lower[i];
        if (instance.upper[i] != instance.output[i]) row["upper"] = instance.upper[i];
        if (!rows.empty()) {
            auto last = rows.back();
            auto const count = last.value("count", 1);
            last.erase("count");
            if (last == row) {
                rows.back()["count"] = count + 1;
                continue;
            }
        }
        rows.push_back(row);
    }
    return rows;
}

std::string requests_as_text(OwnedInstance const& instance)
{
    std::string text = "count arrival  prompt  output   lower   upper\n";
    for (auto const& row : requests_as_json(instance)) {
        auto const output = row["output"].get<std::int64_t>();
        text += fmt::format("{:5} {:7} {:7} {:7} {:7} {:7}\n", row.value("count", 1),
                            row.value("arrival", 0), row["prompt"].get<std::int64_t>(), output,
                            row.value("lower", output), row.value("upper", output));
    }
    return text;
}

Json with_checksum(Json file)
{
    file.erase("checksum");
    std::uint64_t hash = 14695981039346656037u; // FNV-1a
    for (auto const c : nlohmann::json::parse(file.dump()).dump())
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    file["checksum"] = fmt::format("{:016x}", hash);
    return file;
}

FreshCosts::FreshCosts(SearchOptions options, worst::Objective const& objective)
    : options_(std::move(options)), above_(objective.numerator.random),
      below_(objective.over == worst::Over::cost && objective.denominator.random)
{
}

FreshCosts::Means FreshCosts::means(char const* option, std::string const& id,
                                    OwnedInstance const& instance) const
{
    Means means;
    std::int64_t draws = 1;
    for (int k = 0; k < sets; ++k) {
        auto const cost =
            cost_argument(option, id, options_, first_seed + static_cast<std::uint64_t>(k));
        auto const sum = cost.sum(instance);
        if (!sum) return {};
        means.sums.push_back(*sum);
        draws = cost.draws;
    }
    auto const total = std::accumulate(means.sums.begin(), means.sums.end(), std::int64_t{0});
    means.mean = {total, draws * sets};
    double squares = 0;
    for (auto const sum : means.sums) {
        auto const rest = (static_cast<double>(sum) - static_cast<double>(total) / sets) /
                          static_cast<double>(draws);
        squares += rest * rest;
    }
    means.within = two_sided_quantile(sets, 0.95) * std::sqrt(squares / (sets - 1.0) / sets);
    return means;
}

Json found_as_json(SearchOptions const& options, worst::Objective const& objective,
                   worst::Found const& found, FreshCosts const& fresh)
{
    auto const& [instance, value, settled] = found;
    Json object;
    object["shows"] = fmt::format("{} over {} is {:.6f} on {} requests with M = {}",
                                  objective.numerator.id, objective.denominator_name(),
                                  settled.ratio.value(), instance.requests(), instance.memory);
    object["requests"] = requests_as_json(instance);
    add_sides(object, options, objective, instance.memory, settled);
    auto const add_fresh = [&](Json& side, FreshCosts::Means const& means) {
        if (!means.sums.empty())
            side["fresh"] = {{"seed", FreshCosts::first_seed},
                             {"seeds", FreshCosts::sets},
                             {measure_key(options), fraction_text(means.mean)},
                             {"within", fmt::format("{:.9f}", means.within)}};
    };
    add_fresh(object["numerator"], fresh.above(instance));
    add_fresh(object["denominator"], fresh.below(instance));
    object["ratio"] = fraction_text(settled.ratio);
    if (objective.bound) {
        object["against"] = options.against;
        object["times_the_bound"] = value;
    }
    object["proven"] = settled.proven() && !fresh.any();
    object["found_by"] = options.command();
    return with_checksum(std::move(object));
}

OwnedInstance instance_of(oracle::Witness const& witness)
{
    constexpr std::int64_t most = INT32_MAX;
    OwnedInstance instance;
    instance.memory = witness.numerator.memory;
    if (instance.memory > most)
        throw std::invalid_argument(
            fmt::format("memory = {}, not in 1 .. {}", instance.memory, most));
    if (auto const& clock = witness.clock)
        instance.clock = {ClockKind::affine, clock->d0, clock->d1, clock->d2, clock->d3};
    for (auto const& r : witness.requests) {
        for (auto const length : {r.prompt, r.upper})
            if (length > most)
                throw std::invalid_argument(
                    fmt::format("a length of {} is above {}", length, most));
        instance.arrival.push_back(r.arrival);
        instance.prompt.push_back(static_cast<std::int32_t>(r.prompt));
        instance.output.push_back(static_cast<std::int32_t>(r.output));
        instance.lower.push_back(static_cast<std::int32_t>(r.lower));
        instance.upper.push_back(static_cast<std::int32_t>(r.upper));
    }
    return instance;
}

EvidenceFile read_evidence(std::filesystem::path const& file)
{
    auto const text = read_whole_file(file, most_witness_bytes);
    try {
        EvidenceFile read;
        auto const strict = oracle::parse_strictly(text);
        if (strict.contains("optimum_certificate"))
            throw std::invalid_argument("is the certificate of an optimum, where a witness is "
                                        "expected; crx baseline --check and crx witness take it");
        if (!strict.contains("requests") || !strict.contains("numerator"))
            throw std::invalid_argument(
                "no requests and numerator: it is no witness file; requests "
                "are read from a list [{..}, {..}] or JSON lines");
        read.witness = oracle::read_witness(strict);
        read.instance = instance_of(read.witness);
        read.json = Json::parse(text);
        return read;
    } catch (std::exception const& error) {
        throw InputError(file.string() + ": " + reason_of(error));
    }
}

bool is_of_search(Json const& witness, SearchOptions const& options,
                  worst::Objective const& objective)
{
    Json sought;
    add_sides(sought, options, objective, 0, {});
    for (auto const* side : {"numerator", "denominator"}) {
        auto const found = witness.find(side);
        if (found == witness.end() || !found->is_object() ||
            kind_of(*found) != kind_of(sought[side]))
            return false;
    }
    return witness.value("against", "") == options.against;
}

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
