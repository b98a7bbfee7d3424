#pragma once

#include "analysis/fluid/equilibrium.hh"

#include <optional>
#include <string>

namespace crx::fluid {

/// Whether AO's inequalities on the time of a full batch are wanted with equality allowed.
enum class Margin
{
    at_least, ///< (9): d0 + d1 M^pi <= n_j / lambda_j
    inside    ///< strict, as Theorem 1's second part and (10) want it
};

/// M^pi of WAIT: tokens of a batch with n_j prompts at every stage of type j. Source: AO (9).
Tokens wait_batch_tokens(std::vector<PromptType> const& types,
                         std::vector<std::int64_t> const& thresholds);

/// Least positive thresholds with (9), or nothing where D >= 1 and none exist.
///
/// n_j <- ceil(lambda_j (d0 + d1 M^pi)), or floor + 1 inside, from lambda_j d0 / (1-D) on, which no
/// solution is below: it rises to the least solution, which is least in every component. d0, d1 and
/// the rates count as written (as_written) and the sums are exact, so loads meant to be at
/// equality are. Throws std::domain_error where 1-D is too small: for thresholds above 10^9, and
/// where rounding takes too many steps (ThresholdClimb).
std::optional<std::vector<std::int64_t>> least_wait_thresholds(Load const& load,
                                                               Margin margin = Margin::at_least);

/// What of (9) does not hold, in words with the numbers; empty if all holds.
std::string broken_wait_condition(Load const& load, std::vector<std::int64_t> const& thresholds,
                                  Margin margin = Margin::at_least);

/// Segments of Nested WAIT for one prompt length: stages up to ends[0], then up to ends[1], ..
struct NestedLoad
{
    double overhead = 0, per_token = 0; ///< as in Load
    Tokens prompt = 1;
    std::vector<Tokens> ends;    ///< ascending; the last is the longest l'
    double rate = 0;             ///< of all types, prompts per second
    std::vector<double> passing; ///< p_i: share of the prompts in segment i that reach segment i+1
};

/// Constant rates. Throws std::domain_error as utilisation does, where prompts differ, and where
/// the ends do not ascend or stop short of the longest output.
NestedLoad nested_load(Load const& load, std::vector<Tokens> const& ends);

/// Rates that vary (AO section 7.1): the largest total and the largest p_i over all slices, which
/// is what (13) asks for where slices are longer than a batch. `rate[s][j]` of slice s.
NestedLoad nested_load(Load const& load, std::vector<Tokens> const& ends,
                       std::vector<std::vector<double>> const& rate);

/// M^pi of Nested WAIT: n_i prompts at every stage of segment i (docs/model.md#nested-wait, exact).
Tokens nested_batch_tokens(Tokens prompt, std::vector<Tokens> const& ends,
                           std::vector<std::int64_t> const& thresholds);
/// The same as AO (11) prints it: L'_j is the sum of l'_1 .. l'_j, and stage 0 is missing.
double nested_batch_tokens_as_printed(Tokens prompt, std::vector<Tokens> const& ends,
                                      std::vector<std::int64_t> const& thresholds);

/// D of the segments: d1 times the tokens per second if every prompt stays to its segment's end.
/// At least the load's own D; thresholds with (10) or (14) exist iff it is below 1.
double nested_utilisation(NestedLoad const& load);

/// Least positive thresholds with (10), (13) or (14), all strict: d0 + d1 M^pi < n_1 / rate and
/// n_{i+1} > p_i n_i, where p_i n_i within 1e-12 of a whole number counts as that number. Nothing
/// where nested_utilisation is 1 or more; std::domain_error as in least_wait_thresholds.
std::optional<std::vector<std::int64_t>> least_nested_thresholds(NestedLoad const& load);

/// What of (10) does not hold, in words with the numbers; empty if all holds.
std::string broken_nested_condition(NestedLoad const& load,
                                    std::vector<std::int64_t> const& thresholds);

} // namespace crx::fluid
