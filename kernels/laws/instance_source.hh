#pragma once

#include "kernels/model/requests.cuh"

#include <string>
#include <utility>
#include <vector>

namespace crx {

/// A published law of whole instances that no product of laws can say: n, M or both differ from
/// instance to instance, or lengths depend on each other. Made on the host only.
class InstanceSource
{
  public:
    virtual ~InstanceSource() = default;

    /// Writes the requests' arrays, n and M: a function of seed and instance alone. Called by
    /// several threads at once. Contract: the arrays have room for most_requests().
    virtual void generate(std::uint64_t seed, std::uint64_t instance, Requests& requests) const = 0;
    virtual std::int64_t most_requests() const = 0;
    virtual Tokens most_memory() const = 0;
    /// Whether all arrive at 0.
    virtual bool together() const = 0;

    /// All that the law depends on, as names and values: the id first.
    virtual std::vector<std::pair<std::string, std::string>> identity() const = 0;
};

} // namespace crx
