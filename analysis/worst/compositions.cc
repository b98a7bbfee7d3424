#include "analysis/worst/compositions.hh"

#include "analysis/laws/largest_remainder.hh"
#include "analysis/statistics/summary.hh"
#include "kernels/engines/cell.hh"
#include "kernels/engines/registry.hh"

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlopt.h>
#include <numeric>

namespace crx::worst {
namespace {

/// A function of the unit cube as NLopt takes it.
class CompositionRun
{
  public:
    CompositionRun(CompositionSpace const& space, CompositionSettings const& settings,
                   std::function<void(CompositionFound const&)> const& on_better)
        : space_(space), settings_(settings), on_better_(on_better)
    {
    }

    std::optional<CompositionFound> run()
    {
        std::vector<double> x(space_.lengths.size(), 0.5);
        nlopt_srand(static_cast<unsigned long>(settings_.seed));
        auto const global = settings_.evaluations * 2 / 3;
        optimise(NLOPT_GN_CRS2_LM, global, x);
        if (best_) optimise(NLOPT_LN_SBPLX, settings_.evaluations - evaluations_, best_x_);
        if (best_) best_->evaluations = evaluations_;
        return best_;
    }

  private:
    void optimise(nlopt_algorithm algorithm, std::int64_t evaluations, std::vector<double> x)
    {
        if (evaluations < 1 || (settings_.stop && settings_.stop())) return;
        std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> const optimiser(
            nlopt_create(algorithm, static_cast<unsigned>(x.size())), &nlopt_destroy);
        CRX_ENSURE(optimiser != nullptr);
        handle_ = optimiser.get();
        nlopt_set_lower_bounds1(handle_, 0);
        nlopt_set_upper_bounds1(handle_, 1);
        nlopt_set_max_objective(handle_, &CompositionRun::evaluate, this);
        nlopt_set_maxeval(handle_,
                          static_cast<int>(std::min<std::int64_t>(evaluations, INT32_MAX)));
        nlopt_set_xtol_abs1(handle_, 1e-4);
        double value = 0;
        nlopt_optimize(handle_, x.data(), &value); // what was evaluated counts, however it ends
    }

    static double evaluate(unsigned n, double const* x, double*, void* self)
    {
        return static_cast<CompositionRun*>(self)->ratio_at({x, x + n});
    }

    double ratio_at(std::vector<double> const& x)
    {
        if (settings_.stop && settings_.stop()) {
            nlopt_force_stop(handle_);
            return 0;
        }
        ++evaluations_;
        auto const composition = composition_at(space_, x);
        auto const cell =
            cell_of(space_, composition, settings_.policy, settings_.over, settings_.seed);
        auto const tally = settings_.launch(cell, settings_.instances);
        auto const summary = summarise(tally.front(), settings_.over, 0.95);
        if (summary.unfinished > 0 || !summary.ratio_of_means) return 0;
        auto const ratio = summary.ratio_of_means->mean;
        if (!best_ || ratio > best_->ratio) {
            best_ = {composition, ratio, evaluations_};
            best_x_ = x;
            if (on_better_) on_better_(*best_);
        }
        return ratio;
    }

    CompositionSpace const& space_;
    CompositionSettings const& settings_;
    std::function<void(CompositionFound const&)> const& on_better_;
    nlopt_opt handle_ = nullptr;
    std::optional<CompositionFound> best_;
    std::vector<double> best_x_;
    std::int64_t evaluations_ = 0;
};

} // namespace

Composition composition_at(CompositionSpace const& space, std::vector<double> const& x)
{
    CRX_EXPECT(x.size() == space.lengths.size());
    std::vector<double> weights;
    for (auto const coordinate : x) {
        auto const root = std::clamp(coordinate, 0.0, 1.0);
        weights.push_back(root * root * root);
    }
    if (std::accumulate(weights.begin(), weights.end(), 0.0) <= 0) std::ranges::fill(weights, 1.0);
    return largest_remainder(space.requests, weights);
}

Cell cell_of(CompositionSpace const& space, Composition const& composition,
             PolicySpec const& policy, BaselineKind over, std::uint64_t seed)
{
    Cell cell;
    auto& w = cell.workload;
    w.seed = seed;
    w.requests = space.requests;
    w.memory = space.memory;
    w.output_kind = OutputKind::composition;
    for (std::size_t k = 0; k < space.lengths.size(); ++k)
        if (composition[k] > 0) {
            w.output_value.push_back(space.lengths[k]);
            w.output_count.push_back(composition[k]);
        }
    w.interval.kind = IntervalKind::common;
    w.interval.lower = space.lengths.front();
    w.interval.upper = space.lengths.back();
    cell.policies = {policy};
    for (auto& wanted : cell.baseline) wanted = false;
    cell.baseline[static_cast<int>(over)] = true;
    auto const where = engine_case(cell, nullptr);
    if (prefers_cohorts(policy, where)) cell.laws = {RandomLaw::cohort};
    return cell;
}

std::optional<CompositionFound>
search_compositions(CompositionSpace const& space, CompositionSettings const& settings,
                    std::function<void(CompositionFound const&)> const& on_better)
{
    CRX_EXPECT(!space.lengths.empty() && settings.evaluations >= 10 && settings.launch);
    CRX_EXPECT(space.lengths.back() <= space.memory && space.requests >= 1);
    return CompositionRun(space, settings, on_better).run();
}

} // namespace crx::worst
