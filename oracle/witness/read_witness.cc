#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <stdexcept>

#include "oracle/key.hh"
#include "oracle/witness/witness.hh"

namespace oracle {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t most_requests = 1'000'000;

/// An entry of `requests`, with its count.
std::pair<std::int64_t, Request> request_of(Json const& row, std::size_t number)
{
    Fields fields(row, "entry " + std::to_string(number) + " of requests");
    Request request;
    request.arrival = fields.whole("arrival", 0, most_whole, 0);
    request.prompt = fields.whole("prompt", 0, most_whole);
    request.output = fields.whole("output", 1, most_whole);
    request.lower = fields.whole("lower", 1, request.output, request.output);
    request.upper = fields.whole("upper", request.output, most_whole, request.output);
    std::int64_t const count = fields.whole("count", 1, most_requests, 1);
    fields.end();
    return {count, request};
}

std::vector<Request> requests_of(Json const& rows)
{
    if (!rows.is_array() || rows.empty()) throw Fault("requests: no list of requests");
    std::vector<Request> requests;
    std::size_t number = 0;
    for (Json const& row : rows) {
        auto const [count, request] = request_of(row, ++number);
        if (static_cast<std::int64_t>(requests.size()) + count > most_requests)
            throw Fault("more than a million requests");
        requests.insert(requests.end(), static_cast<std::size_t>(count), request);
    }
    return requests;
}

Clock clock_of(Json const& given)
{
    Fields fields(given, "clock");
    Clock clock;
    clock.d0 = fields.whole("d0", 0, most_whole);
    clock.d1 = fields.whole("d1", 0, most_whole);
    clock.d2 = fields.whole("d2", 0, most_whole, 0);
    clock.d3 = fields.whole("d3", 0, most_whole, 0);
    fields.end();
    return clock;
}

/// A parameter that another policy has would say nothing.
struct Taken
{
    char const* key;
    bool needed;
    std::vector<std::string> policies;
};
std::vector<Taken> const parameters{{"levels", true, {"a-ladder"}},
                                    {"alpha", true, {"protect", "clear"}},
                                    {"beta", true, {"clear"}},
                                    {"round_cap", false, {"clear"}},
                                    {"learns", false, {"a-min", "a-min-evict"}},
                                    {"evicts", false, {"a-min", "a-min-evict"}},
                                    {"cancels", false, {"protect"}},
                                    {"watermark", false, {"fcfs"}},
                                    {"max_running", false, {"fcfs"}},
                                    {"budget", false, {"fcfs"}},
                                    {"selector", true, {"sorted-f"}},
                                    {"key", true, {"by-key"}},
                                    {"plans_with", false, {"by-key"}},
                                    {"on_overflow", false, {"by-key"}},
                                    {"ties", false, {"by-key"}}};

/// A text that is an expression of a request, on one that is like any.
std::string expression(Fields& fields, char const* name, bool of_what_changes)
{
    std::string const text = fields.text(name);
    std::map<std::string, std::int64_t> values{{"prompt", 1}, {"output", 1},  {"lower", 1},
                                               {"upper", 1},  {"arrival", 1}, {"memory", 2}};
    if (of_what_changes) values["waited"] = values["generated"] = 1;
    try {
        key_value(text, values);
    } catch (std::invalid_argument const& error) {
        std::string const why = std::string(error.what()).substr(std::string("key: ").size());
        if (why != "0 divides") fields.refuse(name, why); // for other requests it may be a number
    }
    return text;
}

void read_key(Fields& fields, Policy& policy)
{
    policy.key = expression(fields, "key", true);
    policy.plans_with =
        fields.has("plans_with") ? expression(fields, "plans_with", false) : "upper";
    policy.on_overflow = fields.word("on_overflow", {"none", "newest", "all", "greatest-key"});
    if (policy.on_overflow.empty()) policy.on_overflow = "none";
    policy.ties_drawn = fields.word("ties", {"arrival", "drawn"}) == "drawn";
}

void read_parameters(Fields& fields, Side& side)
{
    Policy& policy = side.policy;
    for (auto const& [key, needed, policies] : parameters) {
        bool const takes = std::count(policies.begin(), policies.end(), policy.id) > 0;
        if (fields.has(key) && !takes) fields.refuse(key, policy.id + " has no such parameter");
        if (!fields.has(key) && takes && needed) fields.refuse(key, "is missing");
    }
    if (fields.has("levels")) policy.levels = fields.wholes("levels", 1, most_whole, 1000);
    if (!std::is_sorted(policy.levels.begin(), policy.levels.end()))
        fields.refuse("levels", "they do not ascend");
    if (fields.has("alpha")) policy.alpha = fields.share("alpha");
    if (fields.has("beta")) policy.beta = fields.share("beta");
    policy.round_cap = fields.whole("round_cap", 1, most_whole, 10 * side.memory);
    if (fields.has("watermark")) policy.watermark = fields.share("watermark");
    policy.max_running = fields.whole("max_running", 1, most_whole, 0);
    policy.budget = fields.whole("budget", 1, most_whole, 0);
    policy.learns_exceeded = fields.word("learns", {"reached", "exceeded"}) == "exceeded";
    policy.evicts_least_current_bound =
        fields.word("evicts", {"least-bound", "least-current-bound"}) == "least-current-bound";
    policy.cancels_newest = fields.word("cancels", {"all", "newest"}) == "newest";
    if (policy.id == "by-key") read_key(fields, policy);
    side.selector =
        fields.word("selector", {"exact", "scaled", "swap", "quantile", "exact-together"});
}

/// How a policy is run: what it is told, and which draws count.
void read_draws(Fields& fields, Side& side, std::vector<Request> const& requests)
{
    side.seed = fields.seed("seed");
    fields.word("orders", {"as listed"});
    side.number = fields.whole("number", 0, most_whole, 0);
    side.instances = fields.whole("instances", 1, 1'000'000, 1);
    side.exact_mean = fields.word("mean", {"exact"}) == "exact";
    if (side.exact_mean && (fields.has("number") || fields.has("instances")))
        fields.refuse("mean", "an exact mean has no number of draws");
    if (fields.has("known")) {
        auto const known = fields.wholes("known", 1, most_whole, 2);
        if (known.size() != 2) fields.refuse("known", "two numbers are expected");
        for (Request const& r : requests)
            if (r.output < known[0] || r.output > known[1])
                fields.refuse("known", "an output of " + std::to_string(r.output) + " is outside");
        side.known = {known[0], known[1]};
    }
    if (!fields.has("fresh")) return;
    if (side.is_exact()) fields.refuse("fresh", "the cost does not depend on draws");
    Fields given(fields.at("fresh"), side.name + ": fresh");
    FreshDraws fresh;
    fresh.seed = given.seed("seed");
    fresh.seeds = given.whole("seeds", 2, 10'000);
    fresh.instances = given.whole("instances", 1, 1'000'000, side.instances);
    fresh.mean = given.fraction(measure_names[static_cast<int>(side.measure)]);
    fresh.within = given.decimal("within");
    given.end();
    if (side.seed - fresh.seed < static_cast<std::uint64_t>(fresh.seeds))
        fields.refuse("fresh", "its seeds hold that of the side");
    if (fresh.seed > UINT64_MAX - 10'000) fields.refuse("fresh", "its seeds pass 2^64");
    side.fresh = fresh;
}

void read_starts(Fields& fields, Side& side, std::vector<Request> const& requests)
{
    std::int64_t sum = 0, last = 0;
    for (Request const& r : requests) {
        sum += r.output;
        last = std::max(last, r.arrival);
    }
    // Nobody needs to start later than after all others, one by one.
    side.starts = fields.wholes("starts", 0, last + sum - 1, requests.size());
    if (side.starts.size() != requests.size())
        fields.refuse("starts", "there are " + std::to_string(side.starts.size()) + " for " +
                                    std::to_string(requests.size()) + " requests");
    side.best_found = !fields.word("schedule", {"best-found"}).empty();
    fields.text("proof");
    if (!fields.has("lower_bound")) return;
    if (side.measure != Measure::total_latency)
        fields.refuse("lower_bound", "it is one of the total latency");
    side.lower_bound = fields.whole("lower_bound", 0, INT64_MAX);
}

Side side_of(Json const& given, char const* name, Witness const& witness)
{
    Fields fields(given, name);
    Side side;
    side.name = name;
    side.memory = fields.whole("memory", 1, most_whole);
    int measures = 0;
    for (int m = 0; m < 3; ++m)
        if (fields.has(measure_names[m])) {
            side.measure = static_cast<Measure>(m);
            ++measures;
        }
    if (measures != 1)
        throw Fault(std::string(name) + ": one of total_latency, p99 and makespan is expected");
    side.cost = fields.fraction(measure_names[static_cast<int>(side.measure)]);
    if (fields.has("policy") + fields.has("starts") + fields.has("bound") != 1)
        throw Fault(std::string(name) + ": one of policy, starts and bound is expected");
    if (fields.has("policy")) {
        side.policy.id = fields.text("policy");
        read_parameters(fields, side);
        read_draws(fields, side, witness.requests);
    } else if (fields.has("starts")) {
        side.kind = Side::Kind::schedule;
        read_starts(fields, side, witness.requests);
    } else {
        side.kind = Side::Kind::volume;
        fields.word("bound", {"volume"});
        if (side.measure != Measure::total_latency)
            fields.refuse("bound", "it is one of the total latency");
    }
    fields.end();
    if (side.kind != Side::Kind::policy && witness.clock)
        throw Fault(side.name + ": a side that is no policy goes with the unit clock");
    return side;
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

} // namespace

bool Side::is_exact() const
{
    if (kind != Kind::policy || exact_mean) return true;
    if (policy.id == "sorted-f") return selector != "quantile";
    if (policy.id == "by-key") return !policy.ties_drawn;
    char const* const certain[] = {"mc-sf", "mc-sf-total", "mc-benchmark", "protect",
                                   "fcfs",  "sorted-lp",   "lp-swap"};
    return std::find(std::begin(certain), std::end(certain), policy.id) != std::end(certain);
}

Witness read_witness(Json const& file)
{
    Fields fields(file, "");
    std::string const checksum = fields.text("checksum");
    if (!checksum.empty() && checksum != checksum_of(file))
        throw Fault("the file was changed: its checksum is " + checksum + ", its contents have " +
                    checksum_of(file));
    Witness witness;
    witness.requests = requests_of(fields.at("requests"));
    if (fields.has("clock")) witness.clock = clock_of(fields.at("clock"));
    witness.numerator = side_of(fields.at("numerator"), "numerator", witness);
    for (char const* text : {"claim", "shows", "reading", "bound_is", "found_by"})
        fields.text(text);
    if (fields.has("denominator")) {
        witness.denominator = side_of(fields.at("denominator"), "denominator", witness);
        if (witness.denominator->measure != witness.numerator.measure)
            throw Fault("the numerator is a " +
                        std::string(measure_names[static_cast<int>(witness.numerator.measure)]) +
                        ", the denominator is none");
        witness.ratio = fields.fraction("ratio");
        if (fields.has("bound")) witness.bound = fields.fraction("bound");
        witness.proven = fields.flag("proven");
        witness.against = fields.text("against");
        if (fields.has("times_the_bound") && !fields.at("times_the_bound").is_number())
            fields.refuse("times_the_bound", "no number");
    }
    fields.end();
    return witness;
}

} // namespace oracle
