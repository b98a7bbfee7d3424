#pragma once

#include "analysis/fluid/critical_load.hh"

namespace crx::fluid {

/// What a policy may do with a prompt that it has begun.
struct Restarts
{
    bool allowed = true;         ///< it may be cancelled: its tokens are lost, it waits again
    std::int32_t remembered = 1; ///< of the cancelled, how many whose outputs are known to be above
                                 ///< some l'_j it may remember at a time; more are forgotten
};

/// The most that policies can complete that do not know a prompt's type.
struct TypeBlindCapacity
{
    double throughput = 0; ///< decode tokens of completed prompts per second, the supremum
    double error = 0;      ///< it lies in [throughput - error, throughput]
    std::int64_t states = 0;
};

/// Dynamic program over all policies that learn a prompt's type only from its surviving l'_j
/// stages, with C tokens of hard memory for the batch and all that is paused, where prompts never
/// lack. Types are independent of arrival times, so with Poisson arrivals no such policy completes
/// more than `throughput` T + a constant by T: the gap to the fluid stays at sum lambda_j l'_j -
/// throughput where that is positive. Source: AO, Proposition 5 and appendix A.4 (which only says
/// that it is positive on one instance).
///
/// A state counts the prompts begun by what is known of them and by their next stage; a decision
/// cancels some and forms a batch. Semi-Markov decision process, by value iteration after
/// Schweitzer's transformation to constant steps (Puterman 1994, Markov Decision Processes, section
/// 11.4.5) with the bounds of its theorem 8.5.6 on the gain, which hold at any iteration.
///
/// Cost: states times decisions, which grow quickly with C: meant for tens of tokens.
/// Throws std::domain_error: types of different prompt lengths, l + l' above C for some type, more
/// than 400,000 decisions, or the errors of `utilisation`.
TypeBlindCapacity type_blind_capacity(Load const& load, Tokens memory, Restarts const& restarts,
                                      double precision = 1e-9);

} // namespace crx::fluid
