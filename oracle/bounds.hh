#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "oracle/oracle.hh"

/// Lower bounds on the least total latency, from docs/model.md, as plainly as they are written
/// there.
namespace oracle {

/// The sum of o.
inline std::int64_t outputs_bound(std::vector<Request> const& requests)
{
    std::int64_t sum = 0;
    for (Request const& r : requests) sum += r.output;
    return sum;
}

/// sum_k max(o_(k), ceil(sum of the k least volumes / M)), all at 0. Throws std::overflow_error
/// past 2^62.
inline std::int64_t volume_bound(std::vector<Request> const& requests, std::int64_t memory)
{
    std::vector<std::int64_t> outputs;
    std::vector<__int128> volumes;
    for (Request const& r : requests) {
        outputs.push_back(r.output);
        __int128 const o = r.output;
        volumes.push_back(r.prompt * o + o * (o + 1) / 2);
    }
    std::sort(outputs.begin(), outputs.end());
    std::sort(volumes.begin(), volumes.end());
    __int128 sum = 0, volume = 0;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        volume += volumes[k];
        sum += std::max<__int128>(outputs[k], (volume + memory - 1) / memory);
    }
    if (sum > std::int64_t{1} << 62) throw std::overflow_error("a volume bound past 2^62");
    return static_cast<std::int64_t>(sum);
}

/// With arrivals: the largest, over tau, of what those before tau need alone and the others need
/// from tau on. Where all arrive at 0 it is the volume bound.
inline std::int64_t release_bound(std::vector<Request> const& requests, std::int64_t memory)
{
    std::int64_t best = 0;
    for (Request const& at : requests) {
        std::int64_t const tau = at.arrival;
        std::vector<Request> before, later;
        std::int64_t waits = 0;
        for (Request const& r : requests) {
            (r.arrival < tau ? before : later).push_back(r);
            if (r.arrival >= tau) waits += r.arrival - tau;
        }
        best =
            std::max(best, outputs_bound(before) +
                               std::max(outputs_bound(later), volume_bound(later, memory) - waits));
    }
    return best;
}

} // namespace oracle
