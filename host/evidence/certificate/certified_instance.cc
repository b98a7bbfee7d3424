#include "host/evidence/certificate/certified_instance.hh"

#include <fmt/format.h>
#include <stdexcept>

namespace crx::certificate {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t most_tokens = 1 << 24; ///< keeps every sum below 2^63
constexpr std::int64_t most_price = std::int64_t{1} << 48;

std::int64_t number(Json const& value, std::int64_t least, std::int64_t most, char const* name)
{
    auto const fault = [&] {
        return std::invalid_argument(fmt::format("{}: {} .. {} is expected, {} is written", name,
                                                 least, most, value.dump()));
    };
    if (!value.is_number_integer()) throw fault();
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(most))
        throw fault();
    auto const given = value.get<std::int64_t>();
    if (given < least || given > most) throw fault();
    return given;
}

Json const& member(Json const& of, char const* key)
{
    if (!of.is_object() || !of.contains(key))
        throw std::invalid_argument(fmt::format("{} is missing", key));
    return of.at(key);
}

Json const& list(Json const& of, char const* key)
{
    auto const& value = member(of, key);
    if (!value.is_array()) throw std::invalid_argument(fmt::format("{}: no list", key));
    return value;
}

/// Contract: `at` < size.
Json const& entry(Json const& of, std::size_t at, std::size_t size, char const* name)
{
    if (!of.is_array() || of.size() != size)
        throw std::invalid_argument(
            fmt::format("{}: {} numbers are expected, {} is written", name, size, of.dump()));
    return of[at];
}

std::vector<std::int64_t> prices(Json const& of, char const* key)
{
    std::vector<std::int64_t> result;
    for (auto const& price : list(of, key)) result.push_back(number(price, 0, most_price, key));
    return result;
}

std::vector<PeakFamily> peak_families(Json const& of)
{
    std::vector<PeakFamily> families;
    for (auto const& family : list(of, "peak_prices"))
        families.push_back(
            {number(member(family, "k"), 1, 1000, "k"),
             number(member(family, "largest_prompt"), 0, INT32_MAX, "largest_prompt"),
             prices(family, "price")});
    return families;
}

PathPrices path_prices(Json const& file, std::size_t n)
{
    PathPrices read;
    read.memory = prices(file, "memory_prices");
    read.peaks = peak_families(file);
    for (auto const& price : list(file, "request_prices"))
        read.requests.push_back(number(price, -most_price, most_price, "request_prices"));
    if (read.requests.size() != n)
        throw std::invalid_argument(
            fmt::format("{} request prices for {} requests", read.requests.size(), n));
    return read;
}

Proof proof(Json const& file)
{
    auto const& value = member(file, "proof");
    auto const written = value.is_string() ? value.get<std::string>() : value.dump();
    for (auto const& [name, proof] :
         {std::pair{"prices", Proof::prices}, std::pair{"pairs", Proof::pairs},
          std::pair{"configurations", Proof::configurations}, std::pair{"search", Proof::search}})
        if (written == name) return proof;
    throw std::invalid_argument("proof: \"prices\", \"pairs\", \"configurations\" or "
                                "\"search\" is expected, \"" +
                                written + "\" is written");
}

} // namespace

Certified read_certified(Json const& file)
{
    Certified certified;
    certified.memory = number(member(file, "memory"), 1, INT32_MAX, "memory");
    for (auto const& r : list(file, "requests"))
        certified.requests.push_back(
            {number(entry(r, 0, 3, "requests"), 0, most_tokens, "arrival"),
             number(entry(r, 1, 3, "requests"), 0, INT32_MAX, "prompt"),
             number(entry(r, 2, 3, "requests"), 1, most_tokens, "output")});
    auto const n = certified.requests.size();
    if (n == 0) throw std::invalid_argument("no request");
    for (auto const& start : list(file, "starts"))
        certified.starts.push_back(number(start, 0, 2 * most_tokens, "start"));
    if (certified.starts.size() != n)
        throw std::invalid_argument(
            fmt::format("{} starts for {} requests", certified.starts.size(), n));
    certified.upper = number(member(file, "total_latency"), 1, INT64_MAX, "total_latency");
    certified.lower = number(member(file, "lower_bound"), 0, INT64_MAX, "lower_bound");
    certified.proof = proof(file);
    certified.memory_price = prices(file, "memory_prices");
    certified.peaks = peak_families(file);
    if (certified.proof == Proof::pairs) certified.pairs = path_prices(member(file, "pairs"), n);
    if (certified.proof == Proof::configurations)
        for (auto const& given : list(file, "configurations")) {
            auto const least = certified.stages.empty() ? 1 : certified.stages.back().active;
            auto& stage = certified.stages.emplace_back();
            stage.active = static_cast<std::size_t>(number(member(given, "active"),
                                                           static_cast<std::int64_t>(least),
                                                           static_cast<std::int64_t>(n), "active"));
            for (auto const& prices : list(given, "prices"))
                stage.prices.push_back(path_prices(prices, n));
            if (stage.prices.empty())
                throw std::invalid_argument("configurations: a stage without prices");
        }
    for (auto const& given : list(file, "cliques")) {
        auto& clique = certified.cliques.emplace_back();
        clique.price = number(member(given, "price"), 0, most_price, "clique's price");
        for (auto const& start : list(given, "starts"))
            clique.starts.emplace_back(
                number(entry(start, 0, 2, "clique's start"), 0, static_cast<std::int64_t>(n) - 1,
                       "clique's request"),
                number(entry(start, 1, 2, "clique's start"), 0, 2 * most_tokens, "clique's start"));
    }
    return certified;
}

} // namespace crx::certificate
