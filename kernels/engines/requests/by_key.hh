#pragma once

#include "kernels/policies/host_policy.hh"
#include "kernels/policies/key_expression.hh"

#include <cstdint>
#include <span>
#include <string>

namespace crx {

/// Whom a policy by key cancels where memory overflows (docs/model.md#by-key).
enum class OnOverflow : std::uint8_t
{
    none, ///< memory never overflows: the planned length is at least the true one
    newest,
    all,
    greatest_key,
};
inline constexpr char const* on_overflow_ids[] = {"none", "newest", "all", "greatest-key"};

/// Which of two requests of one key is preferred.
enum class Ties : std::uint8_t
{
    arrival, ///< the first arrival, then the least index
    drawn,   ///< the first in a random order of all requests
};
inline constexpr char const* ties_ids[] = {"arrival", "drawn"};

/// The prefix rule in the order of a key that the user writes (docs/model.md#by-key): the least
/// first, of equal ones as `Ties` says.
class ByKey : public HostPolicy
{
  public:
    /// Contract: neither expression has names.
    ByKey(KeyExpression key, KeyExpression plans_with, OnOverflow on_overflow,
          Ties ties = Ties::arrival);

    /// Throws std::range_error naming the request: a number of 2^53 or more; a planned length that
    /// is no whole number from 1 to M - s; without cancelling, one below the true length.
    Outcome run(Requests const& requests, std::uint64_t seed, std::int64_t instance,
                ScheduleLog const& log) const override;
    std::vector<std::pair<std::string, std::string>> identity() const override;

    /// Whether it reads true lengths.
    bool knows_lengths() const
    {
        return key_.reads(KeyField::output) || plans_with_.reads(KeyField::output);
    }

  private:
    KeyExpression key_, plans_with_;
    OnOverflow on_overflow_;
    Ties ties_;
};

/// The prefix rule by ranks: rank[i] is the place of request i, length[i] what it plans with. Where
/// all arrive at 0 under the unit clock and lengths are true ones, without stepping through rounds.
/// Contract: ranks are 0 .. n - 1; 1 <= length <= M - s; without cancelling length >= output.
Outcome execute_by_ranks(Requests const& requests, std::span<std::int32_t> rank,
                         std::span<std::int32_t> length, OnOverflow on_overflow,
                         ScheduleLog const& log);

} // namespace crx
