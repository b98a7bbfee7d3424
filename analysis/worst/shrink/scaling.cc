#include "analysis/worst/shrink/scaling.hh"

#include "analysis/worst/search/instance_class.hh"

#include <algorithm>
#include <cmath>

namespace crx::worst {
namespace {

constexpr std::int32_t factors[] = {1, 2, 4, 8};
constexpr Tokens most_memory = 1 << 24;
constexpr double same = 0.02;

} // namespace

OwnedInstance member_of(Family family, OwnedInstance const& instance, std::int32_t k)
{
    CRX_EXPECT(k >= 1);
    auto scaled = instance;
    if (family != Family::queue) scaled.memory *= k;
    if (family == Family::lengths) {
        for (auto* v : {&scaled.prompt, &scaled.output, &scaled.lower, &scaled.upper})
            for (auto& length : *v) length *= k;
        for (auto& arrival : scaled.arrival) arrival *= k;
        return scaled;
    }
    for (auto i = instance.output.size(); i-- > 0;)
        for (std::int32_t copy = 1; copy < k; ++copy) insert_copy(scaled, i, i);
    return scaled;
}

Trend trend_of(std::vector<double> const& values)
{
    CRX_EXPECT(values.size() == std::size(factors));
    auto const first = values[0], before = values[2], last = values[3];
    if (first > 1 + same && last - 1 < (first - 1) / 4) return Trend::vanishes;
    if (std::abs(last / before - 1) <= same) return Trend::settles;
    return last > before ? Trend::grows : Trend::falls;
}

std::vector<FamilyReport> scale(Objective const& given, OwnedInstance const& instance,
                                double seconds, std::function<bool()> const& stop)
{
    auto objective = given;
    objective.seconds = seconds;
    objective.bound = {}; // the ratio alone
    std::vector<FamilyReport> reports;
    for (auto const family : {Family::lengths, Family::crowd, Family::queue}) {
        FamilyReport report{family, {}, {}, {}};
        for (auto const k : factors) {
            if (stop && stop()) return reports;
            auto const scaled = member_of(family, instance, k);
            if (scaled.memory > most_memory) break;
            auto const settled = objective.settle(scaled);
            if (!settled) break;
            report.values.push_back(settled->ratio.value());
            report.proven.push_back(settled->proven());
        }
        if (report.values.size() == std::size(factors)) report.trend = trend_of(report.values);
        reports.push_back(std::move(report));
    }
    return reports;
}

} // namespace crx::worst
