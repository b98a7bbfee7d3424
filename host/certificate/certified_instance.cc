#include "host/certificate/certified_instance.hh"

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

std::vector<std::int64_t> prices(Json const& list, char const* name)
{
    std::vector<std::int64_t> result;
    for (auto const& price : list) result.push_back(number(price, 0, most_price, name));
    return result;
}

std::vector<PeakFamily> peak_families(Json const& list)
{
    std::vector<PeakFamily> families;
    for (auto const& family : list)
        families.push_back({number(family.at("k"), 1, 1000, "k"),
                            number(family.at("largest_prompt"), 0, INT32_MAX, "largest_prompt"),
                            prices(family.at("price"), "peak price")});
    return families;
}

PathPrices path_prices(Json const& file, std::size_t n)
{
    PathPrices read;
    read.memory = prices(file.at("memory_prices"), "memory price");
    read.peaks = peak_families(file.at("peak_prices"));
    for (auto const& price : file.at("request_prices"))
        read.requests.push_back(number(price, -most_price, most_price, "request price"));
    if (read.requests.size() != n)
        throw std::invalid_argument(
            fmt::format("{} request prices for {} requests", read.requests.size(), n));
    return read;
}

Proof proof(Json const& file)
{
    auto const written = file.get<std::string>();
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
    certified.memory = number(file.at("memory"), 1, INT32_MAX, "memory");
    for (auto const& r : file.at("requests"))
        certified.requests.push_back({number(r.at(0), 0, most_tokens, "arrival"),
                                      number(r.at(1), 0, INT32_MAX, "prompt"),
                                      number(r.at(2), 1, most_tokens, "output")});
    auto const n = certified.requests.size();
    if (n == 0) throw std::invalid_argument("no request");
    for (auto const& start : file.at("starts"))
        certified.starts.push_back(number(start, 0, 2 * most_tokens, "start"));
    if (certified.starts.size() != n)
        throw std::invalid_argument(
            fmt::format("{} starts for {} requests", certified.starts.size(), n));
    certified.upper = number(file.at("total_latency"), 1, INT64_MAX, "total_latency");
    certified.lower = number(file.at("lower_bound"), 0, INT64_MAX, "lower_bound");
    certified.proof = proof(file.at("proof"));
    certified.memory_price = prices(file.at("memory_prices"), "memory price");
    certified.peaks = peak_families(file.at("peak_prices"));
    if (certified.proof == Proof::pairs) certified.pairs = path_prices(file.at("pairs"), n);
    if (certified.proof == Proof::configurations)
        for (auto const& given : file.at("configurations")) {
            auto& stage = certified.stages.emplace_back();
            stage.active = static_cast<std::size_t>(
                number(given.at("active"), 1, static_cast<std::int64_t>(n), "active"));
            for (auto const& prices : given.at("prices"))
                stage.prices.push_back(path_prices(prices, n));
            if (stage.prices.empty())
                throw std::invalid_argument("configurations: a stage without prices");
        }
    for (auto const& given : file.at("cliques")) {
        auto& clique = certified.cliques.emplace_back();
        clique.price = number(given.at("price"), 0, most_price, "clique price");
        for (auto const& start : given.at("starts"))
            clique.starts.emplace_back(
                number(start.at(0), 0, static_cast<std::int64_t>(n) - 1, "clique's request"),
                number(start.at(1), 0, 2 * most_tokens, "clique's start"));
    }
    return certified;
}

} // namespace crx::certificate
