#pragma once

#include "kernels/cpu/single.hh"

#include <string>
#include <vector>

namespace crx {

/// An instance in which scheduling answers a question about numbers: "yes" exactly if some schedule
/// reaches the threshold. All arrivals at 0, all outputs 1, request i is number i.
struct Reduction
{
    OwnedInstance instance;
    std::int64_t threshold = 0; ///< total latency (3-Partition), makespan (Partition)
};

/// WANG Theorem 2: can 3 m numbers of sum m T, each strictly between T/4 and T/2, be parted into m
/// triples of sum T? Exactly if the least total latency is 3 m (m + 1) / 2. s = x as printed, but
/// M = T + 3, not T: a request with o = 1 holds s + 1 (docs/errata.md#wang-theorem-2). Four never
/// fit, as they hold more than T + 4. Contract: three_partition_fault(numbers) is empty.
Reduction reduce_three_partition(std::vector<std::int64_t> const& numbers);

/// WANG Theorem EC.2: can the numbers be parted into two sets of equal sum? Exactly if the least
/// makespan is 2. s = 2 x - 1, so that each holds 2 x, and M is the sum of the numbers: the paper's
/// 2 T (docs/errata.md#wang-theorem-ec2), and of an odd sum a round leaves a token free, which
/// answers no. Contract: partition_fault(numbers) is empty.
Reduction reduce_partition(std::vector<std::int64_t> const& numbers);

/// What the numbers would have to be; empty if they are.
std::string three_partition_fault(std::vector<std::int64_t> const& numbers);
std::string partition_fault(std::vector<std::int64_t> const& numbers);

} // namespace crx
