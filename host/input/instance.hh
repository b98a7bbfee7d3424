#pragma once

#include "kernels/base/host_device.cuh"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace crx {

/// A request as an instance file gives it (docs/model.md#requests).
struct Request
{
    std::string id;
    Rounds arrival = 0;
    std::int32_t prompt = 0; ///< s >= 0
    std::int32_t output = 0; ///< o >= 1
    std::int32_t lower = 0;  ///< 1 <= l <= o
    std::int32_t upper = 0;  ///< u >= o
    std::int64_t line = 0;   ///< in the file, from 1
    /// Place in the order of a policy of one's own, the least first; nothing: the file has none.
    std::optional<std::int64_t> order = {};
};

/// Names under which each quantity is recognised as a column: our own, then those of published
/// traces.
std::vector<std::string> const& prompt_columns();
std::vector<std::string> const& output_columns();

/// What the times of an instance file are.
enum class InstanceTimes
{
    rounds,     ///< `arrival` is a round
    nanoseconds ///< `arrival` is in nanoseconds, or `arrived_at` in seconds as a decimal
};

/// Reads an instance file (docs/experiments.md): `prompt` and `output` are required; id, arrival,
/// lower, upper default to the row's number from 0, to 0, output, output; order to none. Columns of
/// traces that say nothing to the round model (num_total_tokens, pd_ratio, and under the unit clock
/// arrived_at, which is in seconds) are named in `ignored`; any other column is refused.
///
/// Throws InputError "FILE:LINE: why".
std::vector<Request> read_instance(std::filesystem::path const& file,
                                   std::vector<std::string>* ignored = nullptr,
                                   InstanceTimes times = InstanceTimes::rounds);

/// Says that a column in `ignored` is not used, and where it is.
std::string not_used_text(std::filesystem::path const& file, std::string const& column);

/// Throws InputError naming the first request that can never fit in `memory`: s + o > M, or
/// s + u > M where the policy plans with u.
/// `file` is where they were read.
void check_fits(std::vector<Request> const& requests, std::filesystem::path const& file,
                Tokens memory, bool plans_with_upper);

} // namespace crx
