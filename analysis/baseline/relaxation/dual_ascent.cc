#include "analysis/baseline/relaxation/dual_ascent.hh"

#include "analysis/baseline/relaxation/volume_steps.hh"

#include <algorithm>
#include <cmath>
#include <map>

namespace crx::baseline {
namespace {

class VolumeAlgorithm
{
  public:
    VolumeAlgorithm(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                    AscentSettings const& settings)
        : instance_(instance), groups_(groups), settings_(settings), start_(groups.size())
    {
        CRX_EXPECT(settings.cell >= 1 && settings.starts >= 1 && !groups.empty());
        for (auto const& group : groups) longest_ = std::max<Rounds>(longest_, group.output);
        times_ = settings.starts + longest_ + settings.cell + 1;
        cells_ = static_cast<std::size_t>(times_ / settings.cell + 1);
        weight_.assign(cells_, 1.0);
        for (std::int32_t k = 1; k <= settings.peak_families; ++k) {
            auto const& family = families_.emplace_back(groups, instance.memory, k);
            family_at_.push_back(weight_.size());
            // A peak row at its capacity is worth about a full memory row.
            auto const scale = 0.6 * static_cast<double>(instance.memory) / k;
            weight_.insert(weight_.end(), family.instants(settings.starts + settings.cell),
                           scale * scale);
        }
        family_at_.push_back(weight_.size());
    }

    Ascent run();

  private:
    // A number for each row that ties requests together, a price or how far it is exceeded: memory
    // of each cell, then each family and instant.
    using Rows = std::vector<double>;

    Rows first_prices() const;
    double evaluate(Rows const& prices);
    void cheapest_start(std::size_t g);
    Rows slack() const;
    Prices fixed_point(Rows const& prices) const;
    void collect_starts(Rows prices, double best, std::int64_t iterations);
    std::vector<std::vector<FractionalStart>> averaged_starts() const;

    OwnedInstance const& instance_;
    std::vector<RequestGroup> const& groups_;
    AscentSettings settings_;
    Rounds longest_ = 0, times_ = 0;
    std::size_t cells_ = 0;
    std::vector<PeakRows> families_;
    std::vector<std::size_t> family_at_; // where each family begins, then where all end
    Rows weight_;                        // rows of unlike size are weighed by their squares

    std::vector<double> sum_, moment_;              // of memory prices before each time
    std::vector<std::vector<double>> sum_of_peaks_; // likewise
    std::vector<double> cost_;
    double least_ = 0;

    std::vector<std::int32_t> start_; // [group]: cheapest
    std::vector<std::vector<std::int32_t>> history_;
};

VolumeAlgorithm::Rows VolumeAlgorithm::first_prices() const
{
    std::vector<std::pair<double, std::int64_t>> by_volume;
    double left = 0;
    for (auto const& group : groups_) {
        auto const o = static_cast<double>(group.output);
        by_volume.emplace_back(group.prompt * o + o * (o + 1) / 2, group.count());
        left += static_cast<double>(group.count());
    }
    std::ranges::sort(by_volume);
    Rows prices(weight_.size(), 0.0);
    auto const memory = static_cast<double>(instance_.memory);
    double done = 0; // when the fluid machine has done with those before `next`
    std::size_t next = 0;
    for (std::size_t c = 0; c < cells_; ++c) {
        auto const time = static_cast<double>(c) * static_cast<double>(settings_.cell);
        for (; next < by_volume.size(); ++next) {
            auto const count = static_cast<double>(by_volume[next].second);
            auto const after = done + by_volume[next].first * count / memory;
            if (after > time) break;
            done = after;
            left -= count;
        }
        prices[c] = left / memory;
    }
    return prices;
}

void VolumeAlgorithm::cheapest_start(std::size_t g)
{
    auto const& group = groups_[g];
    auto const cell = settings_.cell;
    auto const first = (group.arrival + cell - 1) / cell * cell;
    auto const count = static_cast<std::size_t>((settings_.starts - 1 - first) / cell + 1);
    CRX_EXPECT(first < settings_.starts);
    cost_.resize(count);
    auto const* const from = sum_.data() + first + 1;
    auto const* const moment_from = moment_.data() + first + 1;
    auto const* const to = from + group.output;
    auto const* const moment_to = moment_from + group.output;
    for (std::size_t i = 0; i < count; ++i) {
        auto const at = static_cast<std::ptrdiff_t>(i) * cell;
        auto const k = static_cast<double>(first + at);
        cost_[i] = k + (group.prompt - k) * (to[at] - from[at]) + (moment_to[at] - moment_from[at]);
    }
    for (std::size_t f = 0; f < families_.size(); ++f)
        for (auto const& span : families_[f].spans(g)) {
            auto const* const low =
                sum_of_peaks_[f].data() + 2 * (first + group.output) + span.first;
            auto const* const high = low + (span.last - span.first);
            for (std::size_t i = 0; i < count; ++i) {
                auto const at = 2 * static_cast<std::ptrdiff_t>(i) * cell;
                cost_[i] += high[at] - low[at];
            }
        }
    auto const best = std::ranges::min_element(cost_);
    start_[g] = static_cast<std::int32_t>(first + (best - cost_.begin()) * cell);
    least_ = *best + static_cast<double>(group.output - group.arrival);
}

/// The bound at these prices; the starts that give it stay in start_.
double VolumeAlgorithm::evaluate(Rows const& prices)
{
    sum_.assign(static_cast<std::size_t>(times_) + 1, 0);
    moment_.assign(static_cast<std::size_t>(times_) + 1, 0);
    for (Rounds t = 0; t < times_; ++t) {
        auto const at = static_cast<std::size_t>(t);
        auto const price = prices[at / static_cast<std::size_t>(settings_.cell)];
        sum_[at + 1] = sum_[at] + price;
        moment_[at + 1] = moment_[at] + price * static_cast<double>(t);
    }
    auto bound = -static_cast<double>(instance_.memory) * sum_.back();
    sum_of_peaks_.resize(families_.size());
    for (std::size_t f = 0; f < families_.size(); ++f) {
        auto& sum = sum_of_peaks_[f];
        auto const from = family_at_[f], instants = family_at_[f + 1] - from;
        sum.assign(instants + 1, 0);
        for (std::size_t c = 0; c < instants; ++c) sum[c + 1] = sum[c] + prices[from + c];
        bound -= sum.back() * families_[f].capacity();
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        cheapest_start(g);
        bound += least_ * static_cast<double>(groups_[g].count());
    }
    return bound;
}

/// How far the starts in start_ exceed each row.
VolumeAlgorithm::Rows VolumeAlgorithm::slack() const
{
    Rows slack(weight_.size(), 0.0);
    // A request holds s - start + t at time t: two numbers that change at its start and its end.
    std::vector<double> held(static_cast<std::size_t>(times_) + 2, 0), active = held;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        auto const count = static_cast<double>(groups_[g].count());
        auto const from = static_cast<std::size_t>(start_[g]) + 1,
                   to = from + static_cast<std::size_t>(groups_[g].output);
        auto const base = count * static_cast<double>(groups_[g].prompt - start_[g]);
        held[from] += base;
        held[to] -= base;
        active[from] += count;
        active[to] -= count;
    }
    auto const memory = static_cast<double>(instance_.memory);
    double base = 0, running = 0;
    for (Rounds t = 0; t < times_; ++t) {
        auto const at = static_cast<std::size_t>(t);
        base += held[at];
        running += active[at];
        slack[at / static_cast<std::size_t>(settings_.cell)] +=
            base + running * static_cast<double>(t) - memory;
    }
    for (std::size_t f = 0; f < families_.size(); ++f) {
        auto const from = family_at_[f], instants = family_at_[f + 1] - from;
        std::vector<double> change(instants + 1, 0);
        for (std::size_t g = 0; g < groups_.size(); ++g)
            for (auto const& span : families_[f].spans(g)) {
                auto const end = 2 * (Rounds{start_[g]} + groups_[g].output);
                change[static_cast<std::size_t>(end + span.first)] +=
                    static_cast<double>(groups_[g].count());
                change[static_cast<std::size_t>(end + span.last)] -=
                    static_cast<double>(groups_[g].count());
            }
        double units = 0;
        for (std::size_t c = 0; c < instants; ++c) {
            units += change[c];
            slack[from + c] = units - families_[f].capacity();
        }
    }
    return slack;
}

Prices VolumeAlgorithm::fixed_point(Rows const& prices) const
{
    Prices result;
    for (Rounds t = 0; t < times_; ++t)
        result.memory.push_back(
            Prices::fixed(prices[static_cast<std::size_t>(t / settings_.cell)]));
    for (std::size_t f = 0; f < families_.size(); ++f) {
        auto& peaks = result.peaks.emplace_back(Prices::Peaks{families_[f].capacity(), {}});
        for (auto c = family_at_[f]; c < family_at_[f + 1]; ++c)
            peaks.price.push_back(Prices::fixed(prices[c]));
    }
    return result;
}

std::vector<std::vector<FractionalStart>> VolumeAlgorithm::averaged_starts() const
{
    std::vector<std::vector<FractionalStart>> schedule(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        std::map<Rounds, std::int64_t> times;
        for (auto const& starts : history_) ++times[starts[g]];
        for (auto const& [start, count] : times)
            schedule[g].push_back(
                {start, static_cast<double>(count) / static_cast<double>(history_.size())});
    }
    return schedule;
}

/// Plain subgradient steps of constant size from good prices. If all prices stay positive, the mean
/// slack is the way that the prices went over the sum of steps, so it vanishes as one over the
/// iterations, while the mean value stays within half the step times the square of the slack
/// (Larsson, Patriksson and Strömberg 1999, doi:10.1007/s101070050090, on such means).
void VolumeAlgorithm::collect_starts(Rows prices, double best, std::int64_t iterations)
{
    evaluate(prices);
    double step = 0;
    for (std::int64_t i = 0; i < iterations && (i == 0 || !settings_.limit.over()); ++i) {
        auto const rows = slack();
        if (i == 0) {
            double norm = 0;
            for (std::size_t r = 0; r < rows.size(); ++r)
                if (rows[r] > 0 || prices[r] > 0) norm += weight_[r] * rows[r] * rows[r];
            step = 1e-3 * std::abs(best) / std::max(norm, 1e-9);
        }
        history_.push_back(start_);
        for (std::size_t r = 0; r < rows.size(); ++r)
            prices[r] = std::max(0.0, prices[r] + step * weight_[r] * rows[r]);
        evaluate(prices);
    }
}

// Measured on JAILLET's and WANG's instances, n = 50 and 100: 2,000 iterations come within 1e-4 of
// CLP's optimum.
Ascent VolumeAlgorithm::run()
{
    auto prices = first_prices();
    if (Rows zeros(prices.size(), 0.0); settings_.reach > 0 && evaluate(zeros) > evaluate(prices))
        prices = std::move(zeros);
    auto bound = evaluate(prices);
    VolumeSteps steps(weight_, prices, prices.size(), static_cast<double>(settings_.upper),
                      {settings_.reach, 20, 100});
    steps.begin(std::move(prices), bound, slack());
    while (steps.steps() < settings_.iterations && !settings_.limit.over()) {
        prices = steps.next();
        bound = evaluate(prices);
        steps.learn(std::move(prices), bound, slack());
    }
    Ascent result;
    result.iterations = steps.steps();
    result.prices = fixed_point(steps.best_prices());
    result.value = steps.best();
    if (settings_.averages > 0) {
        collect_starts(steps.best_prices(), steps.best(), settings_.averages);
        result.schedule = averaged_starts();
    }
    return result;
}

} // namespace

Ascent ascend(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
              AscentSettings const& settings)
{
    return VolumeAlgorithm(instance, groups, settings).run();
}

} // namespace crx::baseline
