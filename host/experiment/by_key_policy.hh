#pragma once

#include "host/experiment/expression.hh"
#include "host/experiment/policy_parameters.hh"
#include "kernels/engines/requests/by_key.hh"

#include <memory>
#include <string>

namespace crx {

/// The name of a policy that serves by a key which the user writes (docs/model.md#by-key).
inline constexpr char const* by_key_id = "by-key";

/// It as an experiment file gives it.
struct ByKeyPlan
{
    Expression key, plans_with;
    OnOverflow on_overflow = OnOverflow::none;
    Ties ties = Ties::arrival;

    /// Whether it reads the prediction interval, and its upper end.
    bool reads_interval() const;
    bool plans_with_upper() const;
    /// Whether it reads true lengths.
    bool knows_lengths() const;
};

/// Of a [[policy]] table. Throws InputError.
ByKeyPlan read_by_key(ConfigReader& reader);

/// The policy of one cell: names of the file stand for their values there. Throws ConfigError.
std::shared_ptr<ByKey const> plan_by_key(ByKeyPlan const& plan, NameTable& names);

/// The policy of --key, --plans-with and --on-overflow. Throws ConfigError.
std::shared_ptr<ByKey const> by_key_argument(PolicyParameters const& given);

} // namespace crx
