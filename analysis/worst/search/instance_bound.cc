#include "analysis/worst/search/instance_bound.hh"

#include "analysis/bounds/curve_hypotheses.hh"

#include <algorithm>
#include <stdexcept>

namespace crx::worst {
namespace {

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

std::function<std::optional<double>(OwnedInstance const&)>
instance_bound(bounds::Curve const& curve)
{
    if (bounds::hypotheses_of(curve.id) == nullptr)
        throw std::invalid_argument(curve.id + " has no list of hypotheses");
    (void)curve.evaluate({{"l", 1}, {"u", 2}, {"s", 0}, {"w", 0.5}}); // throws where it needs more
    return [&curve](OwnedInstance const& instance) { return bound_of(curve, instance); };
}

} // namespace crx::worst
