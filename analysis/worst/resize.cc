#include "analysis/worst/resize.hh"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace crx::worst {
namespace {

/// Sizes that shrinking reduces, the most important first. Every step but an exchange lowers it.
auto size_of(OwnedInstance const& i)
{
    auto const sum = [](auto const& values) {
        return std::accumulate(values.begin(), values.end(), std::int64_t{0});
    };
    return std::tuple(i.requests(), i.memory,
                      sum(i.output) + sum(i.prompt) + sum(i.upper) + sum(i.lower) + sum(i.arrival));
}

auto row(OwnedInstance const& i, std::size_t k)
{
    return std::tuple(i.arrival[k], i.prompt[k], i.output[k], i.lower[k], i.upper[k]);
}

class Shrinking
{
  public:
    Shrinking(InstanceClass const& of, Objective const& objective, Found const& found, double share,
              std::function<bool()> const& stop)
        : class_(of), objective_(objective), stop_(stop), least_(found.value * share), best_(found)
    {
    }

    Found run()
    {
        while (!stopped()) {
            if (leave_out() || less_memory() || halve_all() || shorten()) continue;
            if (!exchange()) break;
        }
        return best_;
    }

  private:
    bool stopped() const { return stop_ && stop_(); }

    /// Takes an instance whose value is high enough.
    bool take(OwnedInstance const& instance)
    {
        if (stopped() || !is_member(class_, instance)) return false;
        auto settled = objective_.settle(instance);
        if (!settled) return false;
        auto const value = objective_.value(instance, settled->ratio);
        if (!value || *value < least_) return false;
        best_ = {instance, *value, std::move(*settled)};
        return true;
    }

    bool take_smaller(OwnedInstance instance)
    {
        if (instance.output.empty()) return false;
        make_member(class_, instance);
        return size_of(instance) < size_of(best_.instance) && take(instance);
    }

    bool leave_out()
    {
        for (auto i = best_.instance.output.size(); i-- > 0;) {
            auto instance = best_.instance;
            erase_request(instance, i);
            if (take_smaller(std::move(instance))) return true;
        }
        return false;
    }

    bool less_memory()
    {
        auto const memory = best_.instance.memory;
        for (auto const to : {memory / 2, memory * 3 / 4, memory - 1}) {
            auto instance = best_.instance;
            instance.memory = to;
            if (to >= class_.least_memory() && take_smaller(std::move(instance))) return true;
        }
        return false;
    }

    bool halve_all()
    {
        auto instance = best_.instance;
        instance.memory = (instance.memory + 1) / 2;
        for (auto& s : instance.prompt) s /= 2;
        for (auto* lengths : {&instance.output, &instance.lower, &instance.upper})
            for (auto& o : *lengths) o = (o + 1) / 2;
        for (auto& a : instance.arrival) a /= 2;
        return take_smaller(std::move(instance));
    }

    template <class Value>
    bool shorten_one(std::vector<Value> OwnedInstance::*field, std::size_t i, Value least)
    {
        auto const now = (best_.instance.*field)[i];
        for (auto const to :
             {least, static_cast<Value>((now + least) / 2), static_cast<Value>(now - 1)}) {
            if (to >= now || to < least) continue;
            auto instance = best_.instance;
            (instance.*field)[i] = to;
            if (take_smaller(std::move(instance))) return true;
            // All equal values at once.
            instance = best_.instance;
            std::ranges::replace(instance.*field, now, to);
            if (take_smaller(std::move(instance))) return true;
        }
        return false;
    }

    bool shorten()
    {
        auto const n = best_.instance.output.size();
        for (std::size_t i = 0; i < n; ++i)
            if (shorten_one<std::int32_t>(&OwnedInstance::output, i, 1) ||
                shorten_one<std::int32_t>(&OwnedInstance::prompt, i, 0) ||
                shorten_one<std::int32_t>(&OwnedInstance::upper, i, 1) ||
                shorten_one<std::int32_t>(&OwnedInstance::lower, i, 1) ||
                shorten_one<Instant>(&OwnedInstance::arrival, i, 0))
                return true;
        return false;
    }

    bool exchange()
    {
        auto const n = best_.instance.output.size();
        for (std::size_t i = 0; i < n; ++i)
            for (auto j = i + 1; j < n; ++j) {
                if (!(row(best_.instance, j) < row(best_.instance, i))) continue;
                auto instance = best_.instance;
                swap_requests(instance, i, j);
                if (take(instance)) return true;
            }
        return false;
    }

    InstanceClass const& class_;
    Objective const& objective_;
    std::function<bool()> const& stop_;
    double least_;
    Found best_;
};

} // namespace

Found shrink(InstanceClass const& of, Objective const& objective, Found const& found, double share,
             std::function<bool()> const& stop)
{
    CRX_EXPECT(share > 0 && share <= 1 && is_member(of, found.instance));
    return Shrinking(of, objective, found, share, stop).run();
}

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
