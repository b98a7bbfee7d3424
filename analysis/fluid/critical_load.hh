#pragma once

#include "analysis/fluid/equilibrium.hh"
#include "kernels/engines/iterations/iterate.hh"

namespace crx::fluid {

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
