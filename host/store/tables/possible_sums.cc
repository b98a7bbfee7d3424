#include "host/store/tables/possible_sums.hh"

#include "analysis/statistics/baseline_name.hh"
#include "analysis/statistics/wide_integer.hh"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace crx {

namespace {

void expect(bool holds, char const* what)
{
    if (!holds) throw std::invalid_argument(std::string("its sums cannot be: ") + what);
}

/// By Cauchy and Schwarz of `count` numbers, whose sum is 0 where there are none.
bool fit(std::int64_t count, Unsigned128 sum, Unsigned192 const& squares)
{
    auto const s = to_big(sum);
    return BigInteger(count) * to_big(squares) >= s * s;
}

/// `policy`: its own sums over the same instances; null where another chunk has them.
void expect_ratio(RatioTally const& r, Histogram const& histogram, PolicySums const* policy,
                  InstanceRange range)
{
    auto const finished = policy != nullptr ? policy->count : range.count;
    std::int64_t divided = 0;
    for (auto const& [bin, count] : histogram) {
        expect(count > 0 && count <= finished, "a histogram counts more than were finished");
        divided += count;
        expect(divided <= finished, "a histogram counts more than were finished");
    }
    expect(divided > 0 && r.baseline_sum > 0, "ratios without a denominator");
    auto const lies_in = [&](ExtremeRatio const& e) {
        return e.ratio >= 0 && e.instance >= range.first && e.instance - range.first < range.count;
    };
    expect(lies_in(r.smallest) && lies_in(r.largest), "an extreme ratio of no instance of it");
    expect(r.smallest.ratio <= r.largest.ratio, "the smallest ratio is above the largest");
    auto const n = to_big(static_cast<Unsigned128>(divided));
    auto const sum = to_big(r.sum);
    expect(n * r.smallest.ratio <= sum && sum <= n * r.largest.ratio,
           "the mean ratio is not between the smallest and the largest");
    expect(fit(divided, r.sum, r.sum_of_squares) &&
               fit(divided, r.baseline_sum, r.baseline_squares),
           "squares of ratios or denominators are too small");
    if (policy == nullptr) return;
    auto const cross = to_big(r.cross);
    expect(cross * cross <= to_big(policy->latency_squares) * to_big(r.baseline_squares),
           "products of latency and denominator are too large");
}

void expect_sums(PolicySums const& s, InstanceRange range)
{
    expect(s.count >= 0 && s.count <= range.count && s.unfinished == range.count - s.count,
           "finished and unfinished instances are not all of its instances");
    std::int64_t by_reason = 0;
    for (auto const count : s.unfinished_by) {
        expect(count >= 0 && count <= s.unfinished, "reasons of unfinished instances");
        by_reason += count;
    }
    expect(by_reason == s.unfinished, "reasons of unfinished instances");
    expect(fit(s.count, s.latency, s.latency_squares) &&
               fit(s.count, s.first_token_latency, s.first_token_squares) &&
               fit(s.count, s.makespan, s.makespan_squares),
           "sums of squares are too small for their sums");
    expect(s.peak_memory >= 0, "negative memory");
}

} // namespace

void expect_possible(Tally const& tally, InstanceRange range, Holdings const& holdings,
                     std::span<std::string const> baselines)
{
    for (std::size_t p = 0; p < tally.size(); ++p) {
        auto const& [s, histogram] = tally[p];
        if (holdings.sums(p))
            expect_sums(s, range);
        else
            expect(s.count == 0 && s.unfinished == 0, "of a policy that its part does not have");
        for (int k = 0; k < baseline_kinds; ++k) {
            if (s.ratio[k].smallest.instance < 0) continue;
            auto const id = name_of(static_cast<BaselineKind>(k)).id;
            auto const found = std::ranges::find(baselines, id);
            expect(found != baselines.end() &&
                       holdings.ratios(p, static_cast<std::size_t>(found - baselines.begin())),
                   "over a baseline that its part does not have");
            expect_ratio(s.ratio[k], histogram[k], holdings.sums(p) ? &s : nullptr, range);
        }
    }
}

void expect_possible(PathSums const& sums, InstanceRange range, Holdings const& holdings)
{
    std::size_t horizons = 0;
    for (std::size_t p = 0; p < sums.size(); ++p) {
        auto const& paths = sums[p];
        if (!holdings.sums(p)) {
            expect(paths.empty(), "of a policy that its part does not have");
            continue;
        }
        expect(static_cast<std::int64_t>(paths.size()) == range.count, "not all its paths");
        auto number = range.first;
        for (auto const& path : paths) {
            expect(path.path == number++, "a path of another chunk");
            if (horizons == 0) horizons = path.tallies.size();
            expect(horizons > 0 && path.tallies.size() == horizons, "horizons are missing");
            expect(path.types.empty() || path.types.size() == horizons, "types are missing");
            Nanoseconds until = -1;
            for (auto const& t : path.tallies) {
                expect(t.until > until, "horizons out of order");
                until = t.until;
                expect(0 <= t.completed && t.completed <= t.arrivals && 0 <= t.first_tokens &&
                           t.first_tokens <= t.arrivals,
                       "more prompts are served than arrived");
                for (auto const value : {t.arrived_tokens, t.completed_tokens, t.iterations,
                                         t.batch_prompts, t.cancelled, t.overflows, t.peak_memory})
                    expect(value >= 0, "a negative count");
            }
        }
    }
}

} // namespace crx
