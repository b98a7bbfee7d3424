#pragma once

#include "kernels/policies/policy_info.hh"
#include "oracle/oracle.hh"

#include <cstdint>

/// Values for the parameters of policies, for tests that run every policy.
namespace crx_test {

template <class Choice>
void set_choice(Choice& choice, std::uint64_t number)
{
    choice = static_cast<Choice>(number);
}

/// The policy with values for all its parameters: other ones for another `number`.
inline crx::PolicySpec with_parameters(crx::PolicyInfo const& info, std::uint64_t number = 0,
                                       crx::LadderLevels const& levels = {2, {2, 9}})
{
    static constexpr crx::ExactShare shares[] = {{1, 5}, {1, 2},  {0, 1}, {1, 10},
                                                 {1, 3}, {9, 10}, {1, 4}};
    crx::PolicySpec spec{info.kind};
    for (auto const& parameter : crx::policy_parameters) {
        if (info.takes(parameter))
            crx::by_kind(
                parameter, [&](crx::LevelsOf of) { spec.*of = levels; },
                [&](crx::ShareOf of) { spec.*of = shares[number % 7]; },
                [&](crx::CountOf of) {
                    // Few enough to matter in instances of ten requests; 0: no limit.
                    auto const few = of == &crx::PolicySpec::max_running ? 4
                                     : of == &crx::PolicySpec::budget    ? 12
                                                                         : 0;
                    spec.*of = few > 0
                                   ? static_cast<std::int64_t>(number % few)
                                   : parameter.least + 49 + static_cast<std::int64_t>(number % 300);
                },
                [&](auto of) { set_choice(spec.*of, number % 2); });
        number = number * 5 + 1; // so that the next row's does not go with this one's
    }
    return spec;
}

/// The same policy for the oracle, which shares no code with the program.
inline oracle::Policy oracle_policy(crx::PolicySpec const& spec, std::int64_t memory)
{
    oracle::Policy policy{crx::policy_info(spec.kind).id};
    policy.levels.assign(spec.levels.level, spec.levels.level + spec.levels.count);
    policy.alpha = {spec.alpha.numerator, spec.alpha.denominator};
    policy.beta = {spec.beta.numerator, spec.beta.denominator};
    policy.watermark = {spec.watermark.numerator, spec.watermark.denominator};
    policy.max_running = spec.max_running;
    policy.budget = spec.budget;
    policy.round_cap = spec.round_cap > 0 ? spec.round_cap : 10 * memory;
    policy.learns_exceeded = spec.learns == crx::Learns::exceeded;
    policy.cancels_newest = spec.cancels == crx::Cancels::newest;
    policy.evicts_least_current_bound = spec.evicts == crx::Evicts::least_current_bound;
    return policy;
}

} // namespace crx_test
