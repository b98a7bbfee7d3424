#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace crx::certificate {

/// 2^-20 rounds, the unit of prices; sums of many are taken in 128 bits.
using Price = __int128;
inline constexpr int fraction_bits = 20;

struct Request
{
    std::int64_t arrival = 0, prompt = 0, output = 0;
    bool operator==(Request const&) const = default;
};

/// A set of starts (request, round), of which a schedule uses one at most.
struct Clique
{
    std::int64_t price = 0;
    std::vector<std::pair<std::size_t, std::int64_t>> starts;
};

/// Prices of the rows of one family: around each instant requests of large memory count units, k at
/// most (docs/certificates.md).
struct PeakFamily
{
    std::int64_t k = 1, largest_prompt = 0;
    std::vector<std::int64_t> price; ///< price[c]: of a unit at time c / 2
};

/// The file's numbers. docs/certificates.md says what each is for.
struct Certified
{
    std::int64_t memory = 0;
    std::vector<Request> requests;
    std::vector<std::int64_t> starts;
    std::int64_t upper = 0, lower = 0;
    bool by_search = false; ///< the file says that no better schedule exists, by a search
    bool by_pairs = false;  ///< the file says that paths of pairs give its lower bound
    std::vector<std::int64_t> memory_price; ///< [t]: of a token held at time t
    std::vector<PeakFamily> peaks;
    std::vector<Clique> cliques;
    // With by_pairs: prices of a second bound, the last of them of starting each request once.
    std::vector<std::int64_t> pair_memory_price, request_price;
    std::vector<PeakFamily> pair_peaks;
};

/// Throws std::invalid_argument where a number is missing or out of range.
Certified read_certified(nlohmann::ordered_json const& file);

/// Does a request that starts in round `start` hold memory at time t, and how much?
inline std::int64_t held(Request const& r, std::int64_t start, std::int64_t t)
{
    return t > start && t <= start + r.output ? r.prompt + t - start : 0;
}

} // namespace crx::certificate
