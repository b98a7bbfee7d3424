#pragma once

#include "kernels/engines/iterations/iterate.hh"
#include "kernels/engines/iterations/iteration_model.cuh"

#include <vector>

namespace crx::fluid {

/// Prompts of several types that arrive as Poisson processes (AO section 2).
struct Load
{
    double overhead = 0;  ///< d0, seconds
    double per_token = 0; ///< d1, seconds
    std::vector<PromptType> types;
    std::vector<double> rate; ///< lambda_j, prompts per second
};

/// Tokens of one prompt summed over its stages: (l'+1)(l + l'/2), a whole number.
Tokens tokens_of_all_stages(PromptType const& type);

/// D = d1 sum lambda_j (l'_j+1)(l_j + l'_j/2): the share of time that tokens take in equilibrium.
///
/// Stable iff D < 1. Source: AO (6), with d1 where Proposition 1 prints d0
/// (docs/errata.md#ao-proposition-1). Throws std::domain_error for an empty load, a rate that is
/// not positive and finite, d0 <= 0 or d1 < 0, naming it.
double utilisation(Load const& load);

/// The fluid in equilibrium; "tokens" are of the KV cache.
struct Equilibrium
{
    double utilisation;           ///< D
    double iteration;             ///< d0/(1-D), seconds: AO (7)
    double memory;                ///< M* = d0 (D/d1)/(1-D), tokens: AO (6)
    double throughput;            ///< sum lambda_j l'_j: decode tokens per second
    double throughput_as_in_8;    ///< sum lambda_j (l'_j+1), as AO (8) counts
    std::vector<double> at_stage; ///< per type, prompts at each stage: lambda_j d0/(1-D)
};

/// Throws std::domain_error, also where D >= 1 ("unstable: D = ..").
Equilibrium equilibrium(Load const& load);

/// Work that is left at an instant, whatever the policy. Work is counted in tokens: a prompt brings
/// tokens_of_all_stages.
struct WorkLeft
{
    Nanoseconds until = 0;
    double work = 0;      ///< at `until`, tokens
    double work_time = 0; ///< its integral from 0 to `until`, token seconds
};

/// A lower bound, path by path, on the work left under any policy whose batches take at most
/// `memory` tokens, even one that knows all arrivals beforehand; one entry a checkpoint.
///
/// A batch of x <= C tokens does at most x tokens of work in d0 + d1 x, so no more than mu = C/(d0
/// + d1 C) a second. If a batch of x runs at s, its x tokens are left at s, and by t at most x + mu
/// (t - s) are done. So what is left at t is at least the work that arrived in (s, t] less mu (t -
/// s), for every s <= t: the workload of a queue with a server of speed mu, which this is. At
/// C = M* mu is the mean rate at which work arrives: the queue is critically loaded, its mean grows
/// like the root of time, and so do the prompts in the system and the mean latency. That proves AO,
/// Proposition 3, for the latency on every instance and every policy
/// (docs/findings/heavy_traffic.md has the time to first token).
///
/// Contract: 1 <= memory; d0 above `memory` nanoseconds, so that rounding a batch's time down to
/// whole nanoseconds leaves the largest batch the fastest.
std::vector<WorkLeft> work_left_at_least(IterationCell const& cell, Tokens memory,
                                         std::int64_t path);

/// What the means of that bound say at C = M*, for long times t in seconds.
struct CriticalLoad
{
    double deviation = 0;       ///< sigma = sqrt(sum lambda_j w_j^2), tokens a root second
    double work_per_prompt = 0; ///< largest w_j
    double work_per_token = 0;  ///< largest w_j / l'_j
    double rate = 0;            ///< sum lambda_j, prompts per second

    /// Mean work left at t: sigma sqrt(2t/pi), that of a reflected Brownian motion without drift.
    /// Source: Harrison (1985), Brownian Motion and Stochastic Flow Systems, section 1.8.
    double work(double t) const;
    /// No policy's mean latency over [0, t] grows more slowly: (2/3) work(t) / (rate
    /// work_per_prompt), as the integral of a root.
    double latency(double t) const;
    /// Nor does its gap fall faster: work(t) / (work_per_token t).
    double gap(double t) const;
};
CriticalLoad critical_load(Load const& load);

} // namespace crx::fluid
