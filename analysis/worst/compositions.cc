#include "analysis/worst/compositions.hh"

#include "analysis/laws/discrete_laws.hh"
#include "analysis/statistics/summary.hh"
#include "kernels/engines/cell.hh"
#include "kernels/engines/registry.hh"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlopt.h>
#include <numeric>
#include <stdexcept>
#include <tuple>

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
        auto const least = 20 * (std::ssize(space_.lengths) + 1);
        auto const restarts = settings_.evaluations >= restarts_ * least ? restarts_ : 1;
        std::vector<double> found;
        for (std::int64_t k = 0; k < restarts; ++k)
            found.push_back(search(k, settings_.evaluations / restarts));
        if (!best_) return best_;
        best_->evaluations = evaluations_;
        best_->restarts = restarts;
        best_->agreeing = std::ranges::count_if(
            found, [&](double ratio) { return ratio >= 0.999 * best_->ratio; });
        return best_;
    }

  private:
    /// One search; the best ratio that it saw.
    double search(std::int64_t number, std::int64_t evaluations)
    {
        auto const before = evaluations_;
        here_ = 0;
        here_x_.assign(space_.lengths.size(), 0.5);
        nlopt_srand(static_cast<unsigned long>(settings_.seed) +
                    1'000'003ul * static_cast<unsigned long>(number));
        optimise(NLOPT_GN_CRS2_LM, evaluations * 2 / 3, here_x_);
        if (here_ > 0) optimise(NLOPT_LN_SBPLX, evaluations - (evaluations_ - before), here_x_);
        return here_;
    }

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
        if (ratio > here_) {
            here_ = ratio;
            here_x_ = x;
        }
        if (!best_ || ratio > best_->ratio) {
            best_ = CompositionFound{composition, ratio, evaluations_};
            if (on_better_) on_better_(*best_);
        }
        return ratio;
    }

    CompositionSpace const& space_;
    CompositionSettings const& settings_;
    std::function<void(CompositionFound const&)> const& on_better_;
    nlopt_opt handle_ = nullptr;
    std::optional<CompositionFound> best_;
    double here_ = 0; ///< the best of the present search, and where it is
    std::vector<double> here_x_;
    static constexpr std::int64_t restarts_ = 3;
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

namespace {

constexpr std::int64_t most_kinds = 1'000'000;
constexpr std::int64_t too_many = std::int64_t{1} << 62;

/// Multisets of `count` out of `kinds`: C(kinds + count - 1, count).
std::int64_t multisets_of(std::size_t kinds, std::size_t count)
{
    __int128 ways = 1;
    for (std::size_t k = 1; k <= count; ++k) {
        ways = ways * static_cast<__int128>(kinds + k - 1) / static_cast<__int128>(k);
        if (ways >= too_many) throw std::overflow_error("2^62 multisets or more");
    }
    return static_cast<std::int64_t>(ways);
}

/// What the requests of one instance have in common, in the order of the lists.
using Shared = std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t>;

Shared shared_by(InstanceClass const& of, RequestKind const& r)
{
    Shared shared{};
    if (of.told == Told::common) std::get<0>(shared) = r.upper;
    if (of.restriction == Restriction::equal_prompts || of.restriction == Restriction::identical)
        std::get<1>(shared) = r.prompt;
    if (of.restriction == Restriction::identical) {
        std::get<2>(shared) = r.output;
        std::get<3>(shared) = r.lower;
        std::get<4>(shared) = r.upper;
    }
    return shared;
}

class Orders
{
  public:
    Orders(std::vector<RequestKind> const& multiset,
           std::function<bool(RequestKind const&, RequestKind const&)> const& matters,
           std::function<void(std::vector<RequestKind> const&)> const& visit)
        : matters_(matters), visit_(visit), n_(multiset.size())
    {
        for (auto const& kind : multiset) {
            if (kinds_.empty() || kinds_.back() != kind) {
                kinds_.push_back(kind);
                left_.push_back(0);
            }
            ++left_.back();
        }
        matrix_.resize(kinds_.size() * kinds_.size());
        for (std::size_t a = 0; a < kinds_.size(); ++a)
            for (std::size_t b = 0; b < kinds_.size(); ++b)
                matrix_[a * kinds_.size() + b] = a != b && matters_(kinds_[a], kinds_[b]);
    }

    void descend()
    {
        if (placed_.size() == n_) {
            order_.clear();
            for (auto const k : placed_) order_.push_back(kinds_[k]);
            return visit_(order_);
        }
        for (std::size_t k = 0; k < kinds_.size(); ++k) {
            if (left_[k] == 0 || could_stand_earlier(k)) continue;
            --left_[k];
            placed_.push_back(k);
            descend();
            placed_.pop_back();
            ++left_[k];
        }
    }

  private:
    bool could_stand_earlier(std::size_t k) const
    {
        for (auto p = placed_.size(); p-- > 0;) {
            if (matrix_[placed_[p] * kinds_.size() + k]) return false;
            if (placed_[p] > k) return true;
        }
        return false;
    }

    std::function<bool(RequestKind const&, RequestKind const&)> const& matters_;
    std::function<void(std::vector<RequestKind> const&)> const& visit_;
    std::size_t n_;
    std::vector<RequestKind> kinds_, order_; // kinds_: ascending, each once
    std::vector<int> left_;                  // how many of each kind are to be placed
    std::vector<bool> matrix_;               // whether the order of two kinds matters
    std::vector<std::size_t> placed_;
};

} // namespace

RequestLists::RequestLists(InstanceClass const& of)
    : requests_(static_cast<std::size_t>(of.requests))
{
    CRX_EXPECT(of.requests >= 1 && of.memory >= of.least_memory());
    auto const most =
        static_cast<std::int32_t>(of.restriction == Restriction::small ? of.memory / 4 : of.memory);
    std::map<Shared, std::vector<RequestKind>> lists;
    std::int64_t kinds = 0;
    for (Instant a = 0; a <= of.last_arrival; ++a)
        for (std::int32_t s = 0; s < most; ++s)
            for (std::int32_t o = 1; s + o <= most; ++o) {
                auto const add = [&](std::int32_t l, std::int32_t u) {
                    RequestKind const kind{a, s, o, l, u};
                    if (++kinds > most_kinds)
                        throw std::overflow_error("more than a million kinds of requests");
                    lists[shared_by(of, kind)].push_back(kind);
                };
                if (of.told == Told::outputs) add(o, o);
                for (std::int32_t l = 1; l <= o && of.told != Told::outputs; ++l)
                    for (auto u = o; s + u <= most; ++u)
                        if (of.told == Told::intervals || std::int64_t{l} * of.alpha_denominator ==
                                                              std::int64_t{u} * of.alpha_numerator)
                            add(l, u);
            }
    for (auto& [shared, list] : lists) {
        multisets_ += multisets_of(list.size(), requests_);
        if (multisets_ >= too_many) throw std::overflow_error("2^62 multisets or more");
        lists_.push_back(std::move(list));
    }
}

std::vector<std::size_t> RequestLists::unrank(std::vector<RequestKind> const& list,
                                              std::int64_t rank) const
{
    std::vector<std::size_t> at;
    for (std::size_t value = 0; at.size() < requests_;) {
        // Multisets whose next element is `value`; the rest come from `value` and what follows.
        auto const with = multisets_of(list.size() - value, requests_ - at.size() - 1);
        if (rank < with) {
            at.push_back(value);
        } else {
            rank -= with;
            ++value;
        }
    }
    return at;
}

void RequestLists::for_each(std::int64_t first, std::int64_t end,
                            std::function<void(std::vector<RequestKind> const&)> const& visit) const
{
    CRX_EXPECT(first >= 0 && first <= end && end <= multisets_);
    for (auto const& list : lists_) {
        auto const here = multisets_of(list.size(), requests_);
        if (first < here && end > 0) {
            auto at = unrank(list, std::max<std::int64_t>(first, 0));
            std::vector<RequestKind> multiset;
            for (auto const k : at) multiset.push_back(list[k]);
            auto const last = std::min(end, here);
            for (auto rank = std::max<std::int64_t>(first, 0);; ++rank) {
                if (rank == last) break;
                if (multiset.front().arrival == 0) visit(multiset); // the first arrives first
                auto k = requests_;
                while (k > 0 && at[k - 1] + 1 == list.size()) --k;
                if (k == 0) break;
                auto const next = at[k - 1] + 1;
                for (auto j = k - 1; j < requests_; ++j) {
                    at[j] = next;
                    multiset[j] = list[next];
                }
            }
        }
        first -= here;
        end -= here;
    }
}

void for_each_order(std::vector<RequestKind> const& multiset,
                    std::function<bool(RequestKind const&, RequestKind const&)> const& matters,
                    std::function<void(std::vector<RequestKind> const&)> const& visit)
{
    Orders(multiset, matters, visit).descend();
}

} // namespace crx::worst
