#include "analysis/claims/tools/chats.hh"

#include "analysis/claims/tools/runs.hh"
#include "analysis/fluid/machine_profile.hh"

#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace crx::claims {
namespace {

/// 1.96 standard errors.
MeanOf mean_of(std::vector<double> const& values)
{
    auto const n = static_cast<double>(values.size());
    auto const mean = std::accumulate(values.begin(), values.end(), 0.) / n;
    double squares = 0;
    for (auto const v : values) squares += (v - mean) * (v - mean);
    return {mean, 1.96 * std::sqrt(squares / (n - 1) / n)};
}

} // namespace

Clock data_sheet_clock()
{
    auto const& profile = *machine_profile_named("llama2-70b-2xa100");
    return {ClockKind::affine, profile.d0, profile.d1, profile.d2, 0};
}

Clock measured_clock()
{
    auto const fixed = [](double nanoseconds) { return std::llround(nanoseconds * 65'536); };
    return {ClockKind::affine, 45'000'000, fixed(80.353), fixed(309e3), 800'000};
}

Cell chats(LmsysSource source, std::int64_t requests, Clock const& clock)
{
    Cell cell;
    auto& w = cell.workload;
    w.seed = 1;
    w.requests = requests;
    w.memory = 16'492;
    auto const& output = tabulate_lmsys(source, LmsysPart::output);
    auto const& prompt = tabulate_lmsys(source, LmsysPart::prompt);
    w.output_value = output.value;
    w.output_threshold = output.threshold;
    w.prompt_kind = PromptKind::table;
    w.prompt_value = prompt.value;
    w.prompt_threshold = prompt.threshold;
    w.clock = clock;
    for (auto& wanted : cell.baseline) wanted = false;
    return cell;
}

Cell chats_over_time(LmsysSource source, std::int64_t requests, Clock const& clock, int rate)
{
    auto cell = chats(source, requests, clock);
    cell.workload.arrival_kind = ArrivalKind::poisson;
    cell.workload.rate_step = {{0, rate * std::int64_t{1'000'000'000}}};
    return cell;
}

PolicySpec protection(int alpha, int beta)
{
    auto const share = [](int hundredths) {
        auto const divisor = std::gcd(hundredths, 100);
        return ExactShare{hundredths / divisor, 100 / divisor};
    };
    auto spec = policy(beta == 0 ? "protect" : "clear");
    spec.alpha = share(alpha);
    if (beta > 0) spec.beta = share(beta);
    return spec;
}

std::vector<Latencies> average_latencies(Cell const& cell, std::int64_t instances)
{
    std::vector<Latencies> all(cell.policies.size());
    auto const requests = static_cast<double>(cell.workload.requests);
    for (std::int64_t k = 0; k < instances; ++k) {
        auto const tally = launch_host(cell, {k, 1});
        for (std::size_t p = 0; p < all.size(); ++p) {
            auto const& sums = tally[p].sums;
            all[p].unfinished += sums.unfinished;
            if (sums.unfinished > 0) continue;
            all[p].seconds.push_back(1e-9 * static_cast<double>(sums.latency) / requests);
        }
    }
    return all;
}

MeanOf mean_ratio(Latencies const& a, Latencies const& b)
{
    std::vector<double> ratios;
    for (std::size_t k = 0; k < a.seconds.size(); ++k)
        ratios.push_back(a.seconds[k] / b.seconds[k]);
    return mean_of(ratios);
}

MeanOf mean_of(Latencies const& a) { return mean_of(a.seconds); }

std::string text(MeanOf const& mean)
{
    return fmt::format("{:.4g} [{:.4g}, {:.4g}]", mean.mean, mean.low(), mean.high());
}

} // namespace crx::claims
