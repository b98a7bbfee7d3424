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

/// Prices of the rows of one family: around each instant requests of large memory count units, k at
/// most (docs/witnesses.md).
struct PeakFamily
{
    std::int64_t k = 1, largest_prompt = 0;
    std::vector<std::int64_t> price; ///< price[c]: of a unit at time c / 2
};

/// Prices of rows, and of starting each request once, which are of any sign: they bound paths.
struct PathPrices
{
    std::vector<std::int64_t> memory; ///< [t]: of a token held at time t
    std::vector<PeakFamily> peaks;
    std::vector<std::int64_t> requests;
};

/// Prices by which paths were left out that tell apart so many active requests; n: all.
struct Stage
{
    std::size_t active = 1;
    std::vector<PathPrices> prices;
};

/// What the file says its lower bound follows from.
enum class Proof
{
    prices,
    pairs,
    configurations
};

/// The file's numbers. docs/witnesses.md says what each is for.
struct Certified
{
    std::int64_t memory = 0;
    std::vector<Request> requests;
    std::vector<std::int64_t> starts;
    std::int64_t upper = 0, lower = 0;
    Proof proof = Proof::prices;
    std::vector<std::int64_t> memory_price; ///< [t]: of a token held at time t
    std::vector<PeakFamily> peaks;
    PathPrices pairs;          ///< with that proof
    std::vector<Stage> stages; ///< of configurations, with that proof
};

/// Throws std::invalid_argument where a number is missing or out of range.
Certified read_certified(nlohmann::ordered_json const& file);

/// Does a request that starts in round `start` hold memory at time t, and how much?
inline std::int64_t held(Request const& r, std::int64_t start, std::int64_t t)
{
    return t > start && t <= start + r.output ? r.prompt + t - start : 0;
}

/// Of a set of at most 64 requests.
inline std::uint64_t bit(std::size_t request) { return std::uint64_t{1} << request; }

} // namespace crx::certificate
