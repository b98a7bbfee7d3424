#include "analysis/baseline/hindsight_baselines.hh"

#include "analysis/baseline/hindsight.hh"
#include "analysis/baseline/identical_dual.hh"

#include <algorithm>

namespace crx::baseline {
namespace {

OwnedInstance copy_of(Requests const& r)
{
    CRX_EXPECT(!r.clock.affine());
    OwnedInstance instance;
    instance.memory = r.memory;
    instance.arrival.assign(r.arrival, r.arrival + r.n);
    instance.prompt.assign(r.prompt, r.prompt + r.n);
    instance.output.assign(r.output, r.output + r.n);
    instance.lower = instance.upper = instance.output;
    return instance;
}

/// The least TEL without configurations, and nothing where the instance is beyond it.
std::optional<Rounds> best_found(Hindsight const& result)
{
    auto least = result.schedule("best-found");
    for (auto const* id : {"h-sf", "mc-sf", "mc-sf-total"})
        if (least) least = std::min(*least, result.schedule(id).value_or(*least));
    return least;
}

} // namespace

HindsightBaselines::HindsightBaselines(std::vector<BaselineKind> kinds,
                                       HindsightEffort const& effort)
    : kinds_(std::move(kinds)), effort_(effort)
{
    CRX_EXPECT(!kinds_.empty() && effort.evaluations >= 1 && effort.steps >= 0 &&
               effort.nodes >= 1);
    for (auto const kind : kinds_) CRX_EXPECT(static_cast<int>(kind) >= engine_baselines);
}

bool HindsightBaselines::wants(BaselineKind kind) const
{
    return std::ranges::find(kinds_, kind) != kinds_.end();
}

void HindsightBaselines::evaluate(Requests const& requests, std::function<bool()> const& stop,
                                  std::int64_t* value) const
{
    auto const instance = copy_of(requests);
    auto const set = [&](BaselineKind kind, std::optional<Rounds> const& of) {
        if (wants(kind)) value[static_cast<int>(kind)] = of.value_or(0);
    };
    set(BaselineKind::dual, identical_dual_bound(instance));
    if (std::ranges::none_of(kinds_, searches)) return;
    HindsightLimits limits;
    limits.seconds = 1e9;
    limits.evaluations_a_request = effort_.evaluations;
    limits.steps = effort_.steps;
    limits.nodes = effort_.nodes;
    limits.parts = {wants(BaselineKind::peaks), std::ranges::any_of(kinds_, branches)};
    limits.stop = stop;
    auto const result = hindsight(instance, limits);
    set(BaselineKind::best_found, best_found(result));
    set(BaselineKind::peaks, result.bound("peaks"));
    set(BaselineKind::opt_lower, result.lower);
    set(BaselineKind::opt_upper, result.upper);
    if (result.optimal()) set(BaselineKind::opt, result.upper);
}

std::vector<std::pair<std::string, std::string>> HindsightBaselines::identity() const
{
    std::vector<std::pair<std::string, std::string>> names;
    if (std::ranges::any_of(kinds_, searches)) {
        names.emplace_back("evaluations", std::to_string(effort_.evaluations));
        // Names the search behind best_found: it has changed, and stores keep which one they had.
        names.emplace_back("search", "orders with waits, then near places");
    }
    if (std::ranges::any_of(kinds_, climbs))
        names.emplace_back("steps",
                           effort_.steps > 0 ? std::to_string(effort_.steps) : "4 n^2 to 1000");
    // Absent in stores made before peaks was at least the sum of o, and before release was one of
    // the bounds behind the ends of OPT; configurations and pairs came later, and were
    // first one step of several.
    if (wants(BaselineKind::peaks)) names.emplace_back("peaks", "at least the outputs");
    if (std::ranges::any_of(kinds_, branches))
        names.emplace_back("ends", "by configurations or pairs alone");
    // Absent in stores made before rounds were counted from the first arrival.
    if (std::ranges::any_of(kinds_, searches)) names.emplace_back("rounds", "without idle gaps");
    if (std::ranges::any_of(kinds_, branches))
        names.emplace_back("nodes", std::to_string(effort_.nodes));
    return names;
}

} // namespace crx::baseline
