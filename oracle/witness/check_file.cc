#include <cstdio>

#include "oracle/bounds.hh"
#include "oracle/witness/certificate.hh"
#include "oracle/witness/side.hh"

namespace oracle {
namespace {

using Json = nlohmann::json;

constexpr char const* measures[] = {"total_latency", "makespan", "p99"};

std::string measure_of(Json const& side)
{
    for (char const* measure : measures)
        if (side.contains(measure)) return measure;
    throw Fault("a side has no total_latency, makespan or p99");
}

void must_be(char const* what, Fraction const& found, Json const& said)
{
    if (found != fraction_of(said))
        throw Fault(std::string(what) + " is " + text_of(found) + ", the file says " +
                    said.get<std::string>());
}

/// The cost of a side and what it is, in words; `proof` gets how its lower bound was shown.
Fraction side_cost(char const* name, Json const& side, std::vector<Request> const& requests,
                   Clock const& clock, CheckLimits const& limits, std::string& proof)
{
    std::string const measure = measure_of(side);
    std::int64_t const memory = side.at("memory");
    Fraction cost;
    if (side.contains("policy")) {
        cost = policy_cost(side, requests, measure, clock);
    } else if (side.contains("starts")) {
        std::vector<std::int64_t> const starts = side["starts"];
        cost = schedule_latency(starts, requests, memory);
    } else if (side.value("bound", "") == "volume") {
        cost = release_bound(requests, memory);
    } else {
        throw Fault(std::string(name) + " has no policy, no starts and no bound");
    }
    must_be((std::string(name) + ": " + measure).c_str(), cost, side.at(measure));
    if (side.contains("lower_bound")) {
        std::int64_t const lower = side["lower_bound"];
        if (Fraction(lower) > cost) throw Fault("lower_bound is above the schedule");
        proof = "; nothing below " + std::to_string(lower) + " " +
                reason_for_bound(requests, memory, lower, limits);
    }
    return cost;
}

std::string checksum_of(Json file)
{
    file.erase("checksum");
    std::uint64_t hash = 14695981039346656037u; // FNV-1a
    for (char const c : file.dump()) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

/// Real numbers stand nowhere but here.
bool may_be_real(std::string const& key)
{
    return key == "alpha" || key == "beta" || key == "times_the_bound";
}

/// A real number where a whole one is meant would be cut off.
void check_real_numbers(Json const& file)
{
    std::vector<std::pair<std::string, Json const*>> rest{{"", &file}};
    while (!rest.empty()) {
        auto const [key, value] = rest.back();
        rest.pop_back();
        if (value->is_number_float() && !may_be_real(key))
            throw Fault(key + ": " + value->dump() + " is no whole number");
        if (value->is_object())
            for (auto const& [name, part] : value->items()) rest.emplace_back(name, &part);
        if (value->is_array())
            for (Json const& part : *value) rest.emplace_back(key, &part);
    }
}

} // namespace

void check_checksum(Json const& file)
{
    if (file.contains("checksum") && file["checksum"] != checksum_of(file))
        throw Fault("the file was changed: its checksum is " + file["checksum"].dump() +
                    ", its contents have \"" + checksum_of(file) + "\"");
}

std::string check_witness(Json const& witness, CheckLimits const& limits)
{
    check_checksum(witness);
    std::vector<Request> const requests = requests_of(witness);
    Clock const clock = clock_of(witness);
    Json const& above = witness.at("numerator");
    std::string proof;
    Fraction const numerator = side_cost("numerator", above, requests, clock, limits, proof);
    std::string text = measure_of(above) + " " + text_of(numerator);
    if (!witness.contains("denominator")) return text;
    Json const& below = witness["denominator"];
    // A schedule or a bound is of the unit clock.
    if (!below.contains("policy") && witness.contains("clock"))
        throw Fault("a denominator that is no policy goes with the unit clock");
    Fraction const denominator = side_cost("denominator", below, requests, clock, limits, proof);
    if (denominator == 0) throw Fault("the denominator is 0");
    Fraction const ratio = numerator / denominator;
    must_be("the ratio", ratio, witness.at("ratio"));
    if (witness.contains("bound") && ratio <= fraction_of(witness["bound"]))
        throw Fault("the ratio does not exceed the bound " + witness["bound"].get<std::string>());
    bool const is_optimum = below.contains("starts") && below.value("schedule", "") != "best-found";
    if (witness.value("proven", false) && is_optimum &&
        (!below.contains("lower_bound") ||
         Fraction(below["lower_bound"].get<std::int64_t>()) != denominator))
        throw Fault("it says proven, but its lower bound does not meet the schedule");
    text += " over " + text_of(denominator) + ", ratio " + text_of(ratio) + proof;
    if (witness.contains("against"))
        text += "; the bound " + witness["against"].get<std::string>() + " was not looked at";
    return text;
}

Verdict check_file(std::string const& text, CheckLimits const& limits)
{
    try {
        Json const file = Json::parse(text);
        check_real_numbers(file);
        if (!file.is_object()) return {false, "it is no JSON object"};
        if (file.contains("range")) return {true, check_certificate(file, limits)};
        return {true, check_witness(file, limits)};
    } catch (std::exception const& error) {
        return {false, error.what()};
    }
}

} // namespace oracle
