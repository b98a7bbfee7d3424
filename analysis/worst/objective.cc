#include "analysis/worst/objective.hh"

#include "analysis/baseline/hindsight.hh"
#include "analysis/baseline/search/best_found.hh"
#include "analysis/bounds/curve_catalogue.hh"
#include "kernels/cpu/order_search.hh"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace crx::worst {
namespace {

bool at_zero(OwnedInstance const& instance)
{
    return std::ranges::all_of(instance.arrival, [](Instant a) { return a == 0; });
}

std::int64_t cheap_lower_bound(OwnedInstance const& instance)
{
    return std::accumulate(instance.output.begin(), instance.output.end(), std::int64_t{0});
}

std::int64_t volume_of(OwnedInstance const& instance)
{
    return at_zero(instance) ? volume_bound(instance) : release_bound(instance);
}

/// TEL of some good schedule, by few looks; 0: none was found.
std::int64_t good_schedule(OwnedInstance const& instance)
{
    auto const n = instance.requests();
    if (search::search_refusal(instance).empty())
        return search::search_run(instance, {16 * n + 40, 1}, 0, [] { return false; })
            .total_latency;
    auto const found = baseline::best_found(instance, {20 * n + 40, 1e9, 1});
    return found ? found->total_latency : 0;
}

bool all_equal(auto const& values)
{
    return std::ranges::all_of(values, [&](auto v) { return v == values.front(); });
}

std::optional<double> bound_of(bounds::Curve const& curve, OwnedInstance const& instance)
{
    if (!all_equal(instance.lower) || !all_equal(instance.upper) || !all_equal(instance.prompt))
        return std::nullopt;
    auto const l = instance.lower.front(), u = instance.upper.front(), s = instance.prompt.front();
    auto const shorts = std::ranges::count(instance.output, l);
    auto const longs = std::ranges::count(instance.output, u);
    bounds::CurveCase at;
    at.prompts = s > 0;
    at.other_lengths = l != u && shorts + longs < instance.requests();
    at.u = u;
    at.memory = static_cast<double>(instance.memory);
    at.arrivals =
        std::ranges::any_of(instance.arrival, [](Instant arrival) { return arrival != 0; });
    auto hypotheses = *bounds::hypotheses_of(curve.id);
    at.baseline = hypotheses.of_opt ? BaselineKind::opt : BaselineKind::h_sf;
    if (at.arrivals || !bounds::failed_hypotheses(hypotheses, at).empty()) return std::nullopt;
    return curve.evaluate(
        {{"l", l},
         {"u", u},
         {"s", s},
         {"w", static_cast<double>(shorts) / static_cast<double>(instance.requests())}});
}

} // namespace

std::string Objective::denominator_name() const
{
    switch (over) {
    case Over::opt: return "the optimum";
    case Over::best_found: return "best-found";
    case Over::volume: return "the volume bound";
    case Over::cost: break;
    }
    return denominator.id;
}

std::optional<double> Objective::value(OwnedInstance const& instance, Ratio const& ratio) const
{
    if (!bound) return ratio.value();
    auto const of_bound = bound(instance);
    if (!of_bound || !(*of_bound > 0)) return std::nullopt;
    return ratio.value() / *of_bound;
}

std::optional<double> Objective::estimate(OwnedInstance const& instance, double least) const
{
    auto const above = numerator.sum(instance);
    if (!above) return std::nullopt;
    auto const of = [&](std::int64_t below, std::int64_t below_draws = 1) -> std::optional<double> {
        if (below <= 0) return std::nullopt;
        auto const worth = value(instance, {*above * below_draws, below * numerator.draws});
        return worth && *worth >= least ? worth : std::nullopt;
    };
    if (over == Over::cost) {
        auto const below = denominator.sum(instance);
        return below ? of(*below, denominator.draws) : std::nullopt;
    }
    if (over == Over::volume) return of(volume_of(instance));
    if (!of(cheap_lower_bound(instance)) || !of(volume_of(instance))) return std::nullopt;
    return of(good_schedule(instance));
}

std::optional<Settled> Objective::settle(OwnedInstance const& instance) const
{
    auto const above = numerator.sum(instance);
    if (!above) return std::nullopt;
    Settled settled;
    settled.numerator = *above;
    std::int64_t below_draws = 1;
    if (over == Over::cost || over == Over::volume) {
        auto const below = over == Over::volume ? volume_of(instance) : denominator.sum(instance);
        if (!below || *below <= 0) return std::nullopt;
        settled.denominator = settled.lower = *below;
        if (over == Over::cost) below_draws = denominator.draws;
    } else {
        baseline::HindsightLimits limits;
        limits.seconds = seconds;
        limits.evaluations_a_request = 1000;
        limits.nodes = nodes;
        limits.parts = {over == Over::opt, over == Over::opt};
        auto const result = baseline::hindsight(instance, limits);
        if (result.schedules.empty()) return std::nullopt;
        auto const& best = result.best();
        settled.denominator = best.total_latency;
        settled.starts = best.starts;
        settled.lower = over == Over::opt ? result.lower : settled.denominator;
        for (auto const& b : result.bounds)
            if (b.value == settled.lower) settled.lower_bound_id = b.id;
    }
    settled.ratio = {*above * below_draws, settled.denominator * numerator.draws};
    return settled;
}

std::function<std::optional<double>(OwnedInstance const&)>
instance_bound(bounds::Curve const& curve)
{
    if (bounds::hypotheses_of(curve.id) == nullptr)
        throw std::invalid_argument(curve.id + " has no list of hypotheses");
    (void)curve.evaluate({{"l", 1}, {"u", 2}, {"s", 0}, {"w", 0.5}}); // throws where it needs more
    return [&curve](OwnedInstance const& instance) { return bound_of(curve, instance); };
}

} // namespace crx::worst
