#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "oracle/oracle.hh"

/// Random instances with awkward shapes, for tests that compare engines.
namespace crx_test {

struct Instance
{
    std::vector<oracle::Request> requests;
    std::int64_t memory = 1;
    std::vector<std::int64_t> levels; ///< for a-ladder, ascending
    std::string shape;                ///< how it was made
};

/// Valid for every policy: 1 <= l <= o <= u, s + u <= M, levels ascending and positive.
inline bool is_valid(Instance const& instance)
{
    for (oracle::Request const& r : instance.requests)
        if (r.arrival < 0 || r.prompt < 0 || r.lower < 1 || r.output < r.lower ||
            r.upper < r.output || r.prompt + r.upper > instance.memory)
            return false;
    for (std::size_t k = 0; k < instance.levels.size(); ++k)
        if (instance.levels[k] <= (k == 0 ? 0 : instance.levels[k - 1])) return false;
    return true;
}

namespace random_instance_parts {

using Rng = std::mt19937_64;
using Requests = std::vector<oracle::Request>;

/// lo .. hi. By remainder: std::uniform_int_distribution differs between libraries.
inline std::int64_t pick(Rng& rng, std::int64_t lo, std::int64_t hi)
{
    return lo + static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(hi - lo + 1));
}

inline std::size_t pick_count(Rng& rng)
{
    static std::int64_t const most[] = {1, 2, 3, 5, 8, 12, 20, 40, 60};
    std::int64_t const top = most[pick(rng, 0, 8)];
    return static_cast<std::size_t>(pick(rng, std::max<std::int64_t>(1, top / 2), top));
}

inline std::string set_prompts(Rng& rng, Requests& requests)
{
    std::int64_t const size = pick(rng, 1, 12), kind = pick(rng, 0, 3);
    for (oracle::Request& r : requests)
        r.prompt = kind == 0 ? 0 : kind == 1 ? size : pick(rng, 0, size);
    if (kind == 3) // one giant
        requests[rng() % requests.size()].prompt = 10 * size;
    static char const* const names[] = {"no", "constant", "varying", "one giant"};
    return std::string(names[kind]) + " prompts";
}

/// Output and interval of one request, by the common kind and numbers l <= u.
inline void set_length(Rng& rng, oracle::Request& r, std::int64_t kind, std::int64_t l,
                       std::int64_t u)
{
    r.lower = l;
    r.upper = u;
    r.output = pick(rng, l, u);
    if (kind == 0) // exact
        r.lower = r.upper = r.output;
    if (kind == 2) { // an interval of its own
        r.lower = pick(rng, 1, r.output);
        r.upper = pick(rng, r.output, u);
    }
    if (kind == 3) { // relative: half to one and a half
        r.lower = std::max<std::int64_t>(1, r.output / 2);
        r.upper = (3 * r.output + 1) / 2;
    }
    if (kind == 4) // two points
        r.output = pick(rng, 0, 1) == 0 ? l : u;
    if (kind == 5) // long u, short o
        r.output = std::min(u, l + pick(rng, 0, 1));
    if (kind == 6) // ties everywhere
        r.output = (l + u) / 2;
}

inline std::string set_lengths(Rng& rng, Requests& requests)
{
    static std::int64_t const most[] = {1, 2, 4, 8, 16, 40};
    std::int64_t const u = most[pick(rng, 0, 5)];
    std::int64_t const l = pick(rng, 0, 2) == 0 ? pick(rng, 1, u) : 1;
    std::int64_t const kind = pick(rng, 0, 6);
    for (oracle::Request& r : requests) set_length(rng, r, kind, l, u);
    static char const* const names[] = {"exact",     "common",         "own", "relative",
                                        "two-point", "long u short o", "tied"};
    return std::string(names[kind]) + " lengths";
}

inline std::string const faster_than_served = "arrivals faster than they are served";

inline std::string set_arrivals(Rng& rng, Requests& requests)
{
    std::int64_t const n = static_cast<std::int64_t>(requests.size()), kind = pick(rng, 0, 7);
    std::int64_t const burst_gap = pick(rng, 1, 20), burst_size = pick(rng, 1, 6);
    std::int64_t clock = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        oracle::Request& r = requests[static_cast<std::size_t>(i)];
        if (kind == 4 && pick(rng, 0, 3) == 0) clock += pick(rng, 50, 400);
        r.arrival = kind <= 1   ? 0
                    : kind == 2 ? pick(rng, 0, 3 * n)
                    : kind == 3 ? i / burst_size * burst_gap
                                : clock;
    }
    if (pick(rng, 0, 3) == 0) // index order is not time order
        for (std::size_t i = requests.size(); i > 1; --i)
            std::swap(requests[i - 1].arrival, requests[rng() % i].arrival);
    static char const* const names[] = {"at 0", "at 0", "spread", "clustered", "after idle gaps"};
    return kind > 4 ? faster_than_served : std::string("arrivals ") + names[kind];
}

/// Spreads arrivals over part of the time that memory needs to serve all requests, so that the
/// queue is long while many arrive.
inline void queue_up(Rng& rng, Instance& instance)
{
    std::int64_t volume = 0;
    for (oracle::Request const& r : instance.requests)
        volume += r.output * r.prompt + r.output * (r.output + 1) / 2;
    std::int64_t const last = 1 + volume * pick(rng, 30, 110) / 100 / instance.memory;
    for (oracle::Request& r : instance.requests) r.arrival = pick(rng, 0, last);
}

inline std::string set_memory(Rng& rng, Instance& instance)
{
    Requests const& all = instance.requests;
    std::int64_t need = 1, total = 0;
    for (oracle::Request const& r : all) {
        need = std::max(need, r.prompt + r.upper);
        total += r.prompt + r.upper;
    }
    oracle::Request const &a = all[rng() % all.size()], &b = all[rng() % all.size()];
    std::int64_t const kind = pick(rng, 0, 6);
    std::int64_t const by_kind[] = {need,
                                    need + pick(rng, 1, 3),
                                    a.prompt + a.output + b.prompt + b.output,
                                    a.prompt + a.upper + b.prompt + b.upper,
                                    need * pick(rng, 2, 4) + pick(rng, -1, 1),
                                    pick(rng, need, std::max(need, total)),
                                    total + pick(rng, 0, 5)};
    instance.memory = std::max(need, by_kind[kind]);
    static char const* const names[] = {
        "one fills", "tight", "two outputs fill", "two upper fill", "a few", "any", "ample"};
    return std::string("memory: ") + names[kind];
}

inline void set_levels(Rng& rng, Instance& instance)
{
    std::int64_t top = 1;
    for (oracle::Request const& r : instance.requests) top = std::max(top, r.upper);
    std::int64_t level = 0;
    std::int64_t const step = pick(rng, 1, top);
    while (level < top && instance.levels.size() < 32) {
        level += pick(rng, 1, step);
        instance.levels.push_back(level);
    }
    if (pick(rng, 0, 3) == 0 && instance.levels.size() > 1) // the last is below u
        instance.levels.pop_back();
}

} // namespace random_instance_parts

inline Instance random_instance(std::mt19937_64& rng)
{
    using namespace random_instance_parts;
    Instance instance;
    instance.requests.resize(pick_count(rng));
    instance.shape = set_prompts(rng, instance.requests);
    instance.shape += ", " + set_lengths(rng, instance.requests);
    instance.shape += ", " + set_arrivals(rng, instance.requests);
    auto const long_queue = instance.shape.ends_with(random_instance_parts::faster_than_served);
    instance.shape += ", " + set_memory(rng, instance);
    if (long_queue) queue_up(rng, instance);
    set_levels(rng, instance);
    return instance;
}

/// The instance as a comment, as C++ and as CSV, for the message of a failing test.
inline std::string describe(Instance const& instance)
{
    std::string cpp, csv, levels;
    for (oracle::Request const& r : instance.requests) {
        std::string const commas = std::to_string(r.arrival) + ", " + std::to_string(r.prompt) +
                                   ", " + std::to_string(r.output) + ", " +
                                   std::to_string(r.lower) + ", " + std::to_string(r.upper);
        cpp += (cpp.empty() ? "{" : ", {") + commas + "}";
        std::string row = commas;
        row.erase(std::remove(row.begin(), row.end(), ' '), row.end());
        csv += row + "\n";
    }
    for (std::int64_t level : instance.levels)
        levels += (levels.empty() ? "" : ", ") + std::to_string(level);
    return "// " + instance.shape + "\nInstance{{" + cpp + "}, " + std::to_string(instance.memory) +
           ", {" + levels + "}, \"\"}\narrival,prompt,output,lower,upper\n" + csv;
}

} // namespace crx_test
