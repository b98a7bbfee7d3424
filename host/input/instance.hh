#pragma once

#include "kernels/base/host_device.cuh"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace crx {

/// A request as a file gives it (docs/model.md#requests).
struct Request
{
    std::string id;
    std::int64_t arrival = 0;
    std::int32_t prompt = 0; ///< s >= 0
    std::int32_t output = 0; ///< o >= 1
    std::int32_t lower = 0;  ///< 1 <= l <= o
    std::int32_t upper = 0;  ///< u >= o
    std::int64_t line = 0;   ///< in the file, from 1
    /// Place in the order of a policy of one's own, the least first; nothing: the file has none.
    std::optional<std::int64_t> order = {};
};

/// Throws InputError naming the later of two requests with one id, and the line of the other.
void check_ids_differ(std::vector<Request> const& requests, std::string const& file);

/// Throws InputError naming the first request that can never fit in `memory`: s + o > M, or
/// s + u > M where the policy plans with u.
/// `file` is where they were read.
void check_fits(std::vector<Request> const& requests, std::filesystem::path const& file,
                Tokens memory, bool plans_with_upper);

} // namespace crx
