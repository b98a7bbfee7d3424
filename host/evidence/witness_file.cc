#include "host/evidence/witness_file.hh"

#include "host/error.hh"
#include "host/input/text_file.hh"
#include "host/output_file.hh"

#include <fmt/format.h>
#include <numeric>

namespace crx {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_witness_bytes = 16u << 20;
constexpr std::int64_t most_witness_requests = 1'000'000;

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
    side["orders"] = "as listed";
    if (cost.draws > 1) side["instances"] = cost.draws;
    side["seed"] = options.draw_seed;
    auto const name = options.measure == "tel" ? "total_latency" : options.measure;
    side[name] = fraction_text({sum, cost.draws});
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
    for (auto const* key : {"memory", "orders", "starts", "lower_bound", "proof"}) side.erase(key);
    for (auto const* measure : {"total_latency", "makespan", "p99"})
        if (side.contains(measure)) side[measure] = "";
    return side;
}

std::int64_t whole(Json const& row, char const* key, std::int64_t otherwise, std::int64_t low,
                   std::int64_t high)
{
    auto const found = row.find(key);
    if (found == row.end()) return otherwise;
    if (!found->is_number_integer() ||
        (found->is_number_unsigned() && found->get<std::uint64_t>() > INT64_MAX))
        throw std::invalid_argument(std::string(key) + " is no whole number");
    auto const value = found->get<std::int64_t>();
    if (value < low || value > high)
        throw std::invalid_argument(fmt::format("{} = {}, not in {} .. {}", key, value, low, high));
    return value;
}

/// A number with a point or an exponent may stand where a whole one is meant: what fits in no
/// integer type must not be made one. Throws std::invalid_argument.
void check_real_numbers(Json const& object)
{
    std::vector<Json const*> rest{&object};
    while (!rest.empty()) {
        auto const& value = *rest.back();
        rest.pop_back();
        auto const real = value.is_number_float() ? value.get<double>() : 0;
        if (!(real >= 0 && real < 0x1p31))
            throw std::invalid_argument("the number " + value.dump() + " is not in [0, 2^31)");
        if (value.is_structured())
            for (auto const& part : value) rest.push_back(&part);
    }
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

Json found_as_json(SearchOptions const& options, worst::Objective const& objective,
                   worst::Found const& found)
{
    auto const& [instance, value, settled] = found;
    Json object;
    object["shows"] = fmt::format("{} over {} is {:.6f} on {} requests with M = {}",
                                  objective.numerator.id, objective.denominator_name(),
                                  settled.ratio.value(), instance.requests(), instance.memory);
    object["requests"] = requests_as_json(instance);
    add_sides(object, options, objective, instance.memory, settled);
    object["ratio"] = fraction_text(settled.ratio);
    if (objective.bound) {
        object["against"] = options.against;
        object["times_the_bound"] = value;
    }
    object["proven"] = settled.proven();
    object["found_by"] = options.command();
    return with_checksum(std::move(object));
}

OwnedInstance found_instance(Json const& object)
{
    if (!object.is_object() || !object.contains("requests") || !object["requests"].is_array() ||
        !object.contains("numerator") || !object["numerator"].is_object())
        throw std::invalid_argument(
            object.is_object() && object.contains("optimum_certificate")
                ? "is the certificate of an optimum, where a witness is expected; crx baseline "
                  "--check and crx witness take it"
                : "no requests and numerator: it is no witness file");
    OwnedInstance instance;
    instance.memory = whole(object["numerator"], "memory", 0, 1, INT32_MAX);
    for (auto const& row : object["requests"]) {
        if (!row.is_object()) throw std::invalid_argument("a request is no object");
        auto const output = whole(row, "output", 0, 1, INT32_MAX);
        auto const count = whole(row, "count", 1, 1, most_witness_requests);
        for (std::int64_t k = 0; k < count; ++k) {
            instance.arrival.push_back(whole(row, "arrival", 0, 0, INT64_MAX / 4));
            instance.prompt.push_back(
                static_cast<std::int32_t>(whole(row, "prompt", 0, 0, INT32_MAX)));
            instance.output.push_back(static_cast<std::int32_t>(output));
            instance.lower.push_back(
                static_cast<std::int32_t>(whole(row, "lower", output, 1, output)));
            instance.upper.push_back(
                static_cast<std::int32_t>(whole(row, "upper", output, output, INT32_MAX)));
        }
        if (instance.requests() > most_witness_requests)
            throw std::invalid_argument("more than a million requests");
    }
    if (instance.output.empty()) throw std::invalid_argument("no request");
    return instance;
}

Json read_json_file(std::filesystem::path const& file)
{
    auto const text = read_whole_file(file, most_witness_bytes);
    try {
        auto object = Json::parse(text, nullptr, false);
        if (object.is_discarded()) throw std::invalid_argument("not JSON, or cut short");
        check_real_numbers(object);
        return object;
    } catch (std::exception const& error) {
        throw InputError(file.string() + ": " + reason_of(error));
    }
}

OwnedInstance read_found(std::filesystem::path const& file)
{
    auto const object = read_json_file(file);
    try {
        return found_instance(object);
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

} // namespace crx
