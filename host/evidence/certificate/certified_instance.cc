#include "host/evidence/certificate/certified_instance.hh"

#include "oracle/witness/fields.hh"

#include <algorithm>
#include <stdexcept>

namespace crx::certificate {
namespace {

using oracle::Fields;
using Json = nlohmann::json;

constexpr std::int64_t most_tokens = 1 << 24; ///< keeps every sum below 2^63
constexpr std::int64_t most_price = std::int64_t{1} << 48;
constexpr std::int64_t most_looked_at = 1 << 28; ///< tokens of all requests
constexpr std::size_t most_requests = 1'000'000, most_entries = std::size_t{1} << 26;

/// Calls visit(fields, number) for each object of a list.
template <class Visit>
void for_each_object(Fields& of, char const* key, Visit const& visit)
{
    auto const& list = of.at(key);
    if (!list.is_array()) of.refuse(key, "no list");
    for (auto const& object : list) {
        Fields fields(object, key);
        visit(fields);
        fields.end();
    }
}

std::vector<Request> requests_of(Fields& fields)
{
    auto const& list = fields.at("requests");
    if (!list.is_array()) fields.refuse("requests", "no list");
    if (list.empty() || list.size() > most_requests)
        fields.refuse("requests", "1 to 1000000 are expected");
    std::vector<Request> requests;
    std::int64_t tokens = 0;
    for (auto const& row : list) {
        Json const object{{"requests", row}};
        auto const r = Fields(object, "").wholes("requests", 0, INT32_MAX, 3);
        if (r.size() != 3) fields.refuse("requests", "lists of 3 numbers are expected");
        if (r[0] > most_tokens || r[2] < 1 || r[2] > most_tokens)
            fields.refuse("requests", "an arrival or an output is out of its range");
        requests.push_back({r[0], r[1], r[2]});
        tokens += r[2];
    }
    if (tokens > most_looked_at) fields.refuse("requests", "too many tokens to look at each");
    return requests;
}

std::vector<std::int64_t> prices(Fields& of, char const* key)
{
    return of.wholes(key, 0, most_price, most_entries);
}

std::vector<PeakFamily> peak_families(Fields& of)
{
    std::vector<PeakFamily> families;
    for_each_object(of, "peak_prices", [&](Fields& family) {
        families.push_back({family.whole("k", 1, 1000),
                            family.whole("largest_prompt", 0, INT32_MAX), prices(family, "price")});
    });
    return families;
}

PathPrices path_prices(Fields& of, std::size_t n)
{
    PathPrices read;
    read.memory = prices(of, "memory_prices");
    read.peaks = peak_families(of);
    read.requests = of.wholes("request_prices", -most_price, most_price, n);
    if (read.requests.size() != n) of.refuse("request_prices", "not one for each request");
    return read;
}

Stage stage_of(Fields& given, std::size_t least, std::size_t n)
{
    Stage stage;
    stage.active = static_cast<std::size_t>(
        given.whole("active", static_cast<std::int64_t>(least), static_cast<std::int64_t>(n)));
    for_each_object(given, "prices",
                    [&](Fields& of) { stage.prices.push_back(path_prices(of, n)); });
    if (stage.prices.empty()) given.refuse("prices", "there are none");
    return stage;
}

Certified read(Json const& file)
{
    Fields fields(file, "");
    fields.whole("optimum_certificate", 2, 2);
    Certified certified;
    certified.memory = fields.whole("memory", 1, INT32_MAX);
    certified.requests = requests_of(fields);
    auto const n = certified.requests.size();
    certified.starts = fields.wholes("starts", 0, 2 * most_tokens, n);
    if (certified.starts.size() != n) fields.refuse("starts", "not one for each request");
    certified.upper = fields.whole("total_latency", 1, INT64_MAX);
    certified.lower = fields.whole("lower_bound", 0, INT64_MAX);
    char const* const names[] = {"prices", "pairs", "configurations"};
    auto const proof = fields.word("proof", {std::begin(names), std::end(names)});
    if (proof.empty()) fields.refuse("proof", "is missing");
    certified.proof = static_cast<Proof>(std::ranges::find(names, proof) - std::begin(names));
    certified.memory_price = prices(fields, "memory_prices");
    certified.peaks = peak_families(fields);
    if (certified.proof == Proof::pairs) {
        Fields of(fields.at("pairs"), "pairs");
        certified.pairs = path_prices(of, n);
        of.end();
    }
    if (certified.proof == Proof::configurations)
        for_each_object(fields, "configurations", [&](Fields& given) {
            auto const least = certified.stages.empty() ? 1 : certified.stages.back().active;
            certified.stages.push_back(stage_of(given, least, n));
        });
    fields.end();
    return certified;
}

} // namespace

Certified read_certified(nlohmann::ordered_json const& file)
{
    try {
        return read(Json(file));
    } catch (oracle::Fault const& fault) {
        throw std::invalid_argument(fault.what());
    }
}

} // namespace crx::certificate
