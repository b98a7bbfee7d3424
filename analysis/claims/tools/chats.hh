#pragma once

#include "analysis/laws/lmsys_like.hh"
#include "kernels/engines/cell.hh"

namespace crx::claims {

/// Batch times from data sheets of Llama-2 70B on two A100, and what measured rounds show
/// (docs/profiles.md).
Clock data_sheet_clock();
Clock measured_clock();

/// Requests of experiments on conversations: lengths by the law that stands in for the source's
/// sample, independent of each other, M = 16,492, all there at 0.
Cell chats(LmsysSource source, std::int64_t requests, Clock const& clock);

/// The same as a Poisson process of so many requests a second.
Cell chats_over_time(LmsysSource source, std::int64_t requests, Clock const& clock, int rate);

/// The policies with thresholds (docs/model.md#protect), in hundredths; beta is 0 for
/// alpha-protection.
PolicySpec protection(int alpha, int beta = 0);

/// Average latency of one policy in seconds, instance by instance: those that finished.
struct Latencies
{
    std::vector<double> seconds;
    std::int64_t unfinished = 0;
};

/// Instances 0 .. instances - 1 under each policy of the cell, in its order.
std::vector<Latencies> average_latencies(Cell const& cell, std::int64_t instances);

/// A mean of independent numbers and its 95 % interval's half-width.
struct MeanOf
{
    double mean = 0, half_width = 0;
    double low() const { return mean - half_width; }
    double high() const { return mean + half_width; }
};

/// Of a over b, instance by instance. Contract: as many of each, and at least 2.
MeanOf mean_ratio(Latencies const& a, Latencies const& b);
MeanOf mean_of(Latencies const& a);

/// "1.575 [1.556, 1.594]".
std::string text(MeanOf const& mean);

} // namespace crx::claims
