#include <algorithm>
#include <cstdio>

#include "oracle/bounds.hh"
#include "oracle/witness/side.hh"
#include "oracle/witness/witness.hh"

namespace oracle {
namespace {

using Json = nlohmann::json;

constexpr char const* measures[] = {"total_latency", "makespan", "p99"};

std::string measure_of(Json const& side)
{
    for (char const* measure : measures)
        if (side.contains(measure)) return measure;
    throw Fault("no total_latency, makespan or p99");
}

/// Without the name of the exception that the JSON library puts first.
std::string reason_of(std::exception const& error)
{
    std::string const text = error.what();
    std::size_t const end = text.find("] ");
    return text.rfind("[json.", 0) == 0 && end != std::string::npos ? text.substr(end + 2) : text;
}

/// Refuses keys that say nothing, as a misspelt one would pass unread.
void check_keys(Json const& object, std::vector<std::string> const& known)
{
    if (!object.is_object()) throw Fault("it is no JSON object");
    for (auto const& [key, value] : object.items())
        if (std::find(known.begin(), known.end(), key) == known.end())
            throw Fault("unknown key " + key);
}

/// Refuses a text that is none of these.
void check_word(Json const& side, char const* key, std::vector<std::string> const& accepted)
{
    if (!side.contains(key)) return;
    for (std::string const& word : accepted)
        if (side[key] == word) return;
    std::string list;
    for (std::string const& word : accepted) list += (list.empty() ? "\"" : " or \"") + word + "\"";
    throw Fault(std::string(key) + " is " + side[key].dump() + ", not " + list);
}

void check_side(Json const& side)
{
    check_keys(side, {"memory",      "starts",      "policy",    "selector",      "levels",
                      "alpha",       "beta",        "round_cap", "learns",        "watermark",
                      "max_running", "budget",      "seed",      "number",        "instances",
                      "mean",        "orders",      "known",     "total_latency", "makespan",
                      "p99",         "lower_bound", "proof",     "bound",         "schedule"});
    check_word(side, "learns", {"reached", "exceeded"});
    check_word(side, "mean", {"exact"});
    check_word(side, "orders", {"as listed", "all"});
    check_word(side, "bound", {"volume"});
    check_word(side, "schedule", {"best-found"});
}

void must_be(char const* what, Fraction const& found, Json const& said)
{
    if (found != fraction_of(said))
        throw Fault(std::string(what) + " is " + text_of(found) + ", the file says " +
                    said.get<std::string>());
}

/// The cost of a side; `proof` gets how its lower bound was shown.
Fraction side_cost(Json const& side, std::vector<Request> const& requests, Clock const& clock,
                   std::int64_t most_states, std::string& proof)
{
    check_side(side);
    std::string const measure = measure_of(side);
    std::int64_t const memory = side.at("memory");
    Fraction cost;
    if (side.contains("policy")) {
        cost = policy_cost(side, requests, measure, clock);
    } else if (side.contains("starts")) {
        std::vector<std::int64_t> const starts = side["starts"];
        cost = schedule_latency(starts, requests, memory);
    } else if (side.contains("bound")) {
        cost = release_bound(requests, memory);
    } else {
        throw Fault("no policy, no starts and no bound");
    }
    must_be(measure.c_str(), cost, side.at(measure));
    if (side.contains("lower_bound")) {
        std::int64_t const lower = side["lower_bound"];
        if (Fraction(lower) > cost) throw Fault("lower_bound is above the schedule");
        proof = "; nothing below " + std::to_string(lower) + " " +
                reason_for_bound(requests, memory, lower, most_states);
    }
    return cost;
}

/// Calls `check`, and says of what it refuses where that is.
template <class Check>
auto said_of(char const* name, Check const& check)
{
    try {
        return check();
    } catch (std::exception const& error) {
        throw Fault(std::string(name) + ": " + reason_of(error));
    }
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

/// Throws Fault where the checksum, if there is one, is not that of the rest.
void check_checksum(Json const& file)
{
    if (file.contains("checksum") && file["checksum"] != checksum_of(file))
        throw Fault("the file was changed: its checksum is " + file["checksum"].dump() +
                    ", its contents have \"" + checksum_of(file) + "\"");
}

/// What was found; throws Fault, or what JSON and rules throw, where it fails.
std::string check_witness(Json const& witness, std::int64_t most_states)
{
    check_checksum(witness);
    check_keys(witness, {"claim", "shows", "reading", "requests", "numerator", "denominator",
                         "ratio", "bound", "bound_is", "clock", "found_by", "checksum", "proven",
                         "against", "times_the_bound"});
    std::vector<Request> const requests = requests_of(witness);
    Clock const clock = clock_of(witness);
    Json const& above = witness.at("numerator");
    std::string proof;
    Fraction const numerator =
        said_of("numerator", [&] { return side_cost(above, requests, clock, most_states, proof); });
    std::string text = measure_of(above) + " " + text_of(numerator);
    if (!witness.contains("denominator")) return text;
    Json const& below = witness["denominator"];
    // A schedule or a bound is of the unit clock.
    if (!below.contains("policy") && witness.contains("clock"))
        throw Fault("a denominator that is no policy goes with the unit clock");
    Fraction const denominator = said_of(
        "denominator", [&] { return side_cost(below, requests, clock, most_states, proof); });
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
    if (above.at("memory") != below.at("memory"))
        text +=
            "; M is " + above["memory"].dump() + " above and " + below["memory"].dump() + " below";
    if (witness.contains("against"))
        text += "; the bound " + witness["against"].get<std::string>() + " was not looked at";
    return text;
}

} // namespace

Verdict check_file(std::string const& text, std::int64_t most_states)
{
    try {
        Json const file = Json::parse(text);
        check_real_numbers(file);
        if (!file.is_object()) return {false, "it is no JSON object"};
        return {true, check_witness(file, most_states)};
    } catch (std::exception const& error) {
        return {false, reason_of(error)};
    }
}

} // namespace oracle
