#include "analysis/sorted_f/relaxation.hh"

#include "analysis/baseline/time_limit.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <cmath>
#include <coin/ClpSimplex.hpp>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace crx::sorted_lp {
namespace {

/// The better of two schedules that are at hand: an upper bound and a horizon.
baseline::Starts known_schedule(OwnedInstance const& instance)
{
    baseline::Starts best;
    for (auto const kind : {ShortestFirst::kind, ShortestTotalFirst::kind}) {
        auto const run = execute_single({kind, {}}, instance, 0, 0);
        if (run.outcome.finished == 0) continue;
        baseline::Starts const starts(run.start.begin(), run.start.end());
        if (best.empty() ||
            baseline::total_latency(instance, starts) < baseline::total_latency(instance, best))
            best = starts;
    }
    if (best.empty())
        throw std::domain_error("the total latency of mc-sf and of mc-sf-total is 2^62 or more");
    return best;
}

/// Deals the mass of each group in time order: its first member takes the first unit.
std::vector<double> mean_starts(std::vector<RequestGroup> const& groups,
                                std::vector<std::vector<FractionalStart>> const& schedule,
                                std::size_t requests)
{
    std::vector<double> mean(requests, 0);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        auto const count = static_cast<double>(groups[g].count());
        double dealt = 0; // of the group so far
        for (auto const& [start, part] : schedule[g]) {
            auto mass = part * count;
            while (mass > 1e-12) {
                auto const member =
                    std::min(static_cast<std::size_t>(dealt + 1e-9), groups[g].members.size() - 1);
                auto const room = static_cast<double>(member) + 1 - dealt;
                auto const share = room > 1e-9 ? std::min(mass, room) : mass;
                mean[groups[g].members[member]] += share * static_cast<double>(start);
                dealt += share;
                mass -= share;
            }
        }
    }
    return mean;
}

} // namespace

Relaxation relax(OwnedInstance const& instance, RelaxationSettings const& settings)
{
    CRX_EXPECT(!instance.output.empty() && settings.iterations >= 2);
    auto const groups = baseline::request_groups(instance);
    auto const known = known_schedule(instance);
    auto const upper = baseline::total_latency(instance, known);
    auto starts = *std::ranges::max_element(known) + 10;
    for (auto const& group : groups) starts = std::max(starts, group.arrival + 1);
    double entries = 0;
    for (auto const& group : groups)
        entries += static_cast<double>(starts) * static_cast<double>(group.output);
    auto const exact = entries <= settings.most_entries;
    Relaxation result;
    if (!exact)
        while (static_cast<double>(groups.size()) * static_cast<double>(starts) >
               settings.most_work * static_cast<double>(result.cell))
            result.cell *= 2;
    // Starts at multiples of the cell: one past the last arrival must be among them.
    starts = (starts / result.cell + 2) * result.cell;
    auto const ascent = baseline::ascend(
        instance, groups,
        {starts, result.cell, 0, upper, settings.iterations, settings.iterations / 2, 1e9});
    auto const bound = baseline::lagrangian_bound(instance, groups, ascent.prices, starts);
    result.lower = std::ldexp(static_cast<double>(bound), -baseline::Prices::fraction_bits);
    result.opt_lower_bound = baseline::whole_bound(bound);
    if (exact) {
        auto const lp = solve_by_columns(instance, groups, starts, ascent, known, settings.seconds);
        result.opt_lower_bound = std::max(result.opt_lower_bound, lp.lower_bound);
        if (lp.solved && lp.horizon_valid) {
            result.solved = true;
            result.lower = result.upper = lp.value;
            result.mean_start = mean_starts(groups, lp.schedule, instance.output.size());
            return result;
        }
    }
    auto const y = mean_starts(groups, ascent.schedule, instance.output.size());
    std::vector<std::size_t> order(y.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return y[i]; });
    auto split = split_schedule(instance, order, settings.pieces);
    result.upper = split.value;
    result.mean_start = std::move(split.mean_start);
    return result;
}

using baseline::Prices;
using baseline::TimeLimit;

namespace {

/// CLP's program of the columns made so far.
class Master
{
  public:
    Master(OwnedInstance const& instance, std::vector<RequestGroup> const& groups, Rounds starts)
        : groups_(groups), starts_(starts), in_(groups.size())
    {
        for (auto const& group : groups) longest_ = std::max<Rounds>(longest_, group.output);
        auto const rows = static_cast<int>(groups.size()) + static_cast<int>(starts + longest_);
        std::vector<double> lower(static_cast<std::size_t>(rows), -COIN_DBL_MAX),
            upper(static_cast<std::size_t>(rows), static_cast<double>(instance.memory));
        for (std::size_t g = 0; g < groups.size(); ++g)
            lower[g] = upper[g] = static_cast<double>(groups[g].count());
        clp_.setLogLevel(0);
        clp_.resize(rows, 0);
        clp_.chgRowLower(lower.data());
        clp_.chgRowUpper(upper.data());
        for (auto& columns : in_) columns.assign(static_cast<std::size_t>(starts), char{0});
    }

    void add(std::size_t g, Rounds k)
    {
        auto& in = in_[g].at(static_cast<std::size_t>(k));
        if (in != 0) return;
        in = 1;
        auto const& group = groups_[g];
        column_.emplace_back(g, k);
        row_.push_back(static_cast<int>(g));
        element_.push_back(1);
        for (std::int32_t j = 1; j <= group.output; ++j) {
            row_.push_back(memory_row(k + j));
            element_.push_back(group.prompt + j);
        }
        begin_.push_back(static_cast<CoinBigIndex>(row_.size()));
        objective_.push_back(static_cast<double>(k + group.output - group.arrival));
    }

    bool solve(TimeLimit const& limit)
    {
        auto const added = static_cast<int>(objective_.size());
        std::vector<double> const lower(objective_.size(), 0),
            upper(objective_.size(), COIN_DBL_MAX);
        clp_.addColumns(added, lower.data(), upper.data(), objective_.data(), begin_.data(),
                        row_.data(), element_.data());
        begin_ = {0};
        row_.clear();
        element_.clear();
        objective_.clear();
        clp_.setMaximumSeconds(std::max(limit.left(), 0.01));
        first_ ? clp_.dual() : clp_.primal();
        first_ = false;
        return clp_.isProvenOptimal();
    }

    double value() const { return clp_.getObjValue(); }
    double assignment_price(std::size_t g) const { return clp_.getRowPrice()[g]; }
    std::size_t columns() const { return column_.size(); }

    /// Prices of memory at each time, >= 0.
    std::vector<double> memory_prices() const
    {
        std::vector<double> prices{0};
        for (Rounds t = 1; t <= starts_ + longest_; ++t)
            prices.push_back(std::max(0.0, -clp_.getRowPrice()[memory_row(t)]));
        return prices;
    }

    std::vector<std::vector<FractionalStart>> schedule() const
    {
        std::vector<std::vector<FractionalStart>> schedule(groups_.size());
        // Columns added since the last solution have no value.
        auto const solved = static_cast<std::size_t>(clp_.getNumCols());
        for (std::size_t c = 0; c < solved; ++c) {
            auto const [g, k] = column_[c];
            if (auto const count = clp_.getColSolution()[c]; count > 0)
                schedule[g].push_back({k, count / static_cast<double>(groups_[g].count())});
        }
        for (auto& starts : schedule) std::ranges::sort(starts, {}, &FractionalStart::start);
        return schedule;
    }

  private:
    int memory_row(Rounds t) const
    {
        return static_cast<int>(groups_.size()) + static_cast<int>(t) - 1;
    }

    std::vector<RequestGroup> const& groups_;
    Rounds starts_, longest_ = 0;
    std::vector<std::vector<char>> in_;
    std::vector<std::pair<std::size_t, Rounds>> column_;
    std::vector<CoinBigIndex> begin_{0};
    std::vector<int> row_;
    std::vector<double> element_, objective_;
    ClpSimplex clp_;
    bool first_ = true;
};

/// cost[k - arrival] of each start under prices of memory, in doubles.
std::vector<double> start_costs(RequestGroup const& group, Rounds starts,
                                std::vector<double> const& sum, std::vector<double> const& moment)
{
    std::vector<double> cost;
    for (auto k = group.arrival; k < starts; ++k) {
        auto const from = static_cast<std::size_t>(k) + 1,
                   to = from + static_cast<std::size_t>(group.output);
        cost.push_back(static_cast<double>(k + group.output - group.arrival) +
                       static_cast<double>(group.prompt - k) * (sum[to] - sum[from]) +
                       (moment[to] - moment[from]));
    }
    return cost;
}

/// Adds the `most` cheapest starts of each group; if `reduced`, only those of reduced cost below 0.
/// Returns how many there were.
std::size_t add_cheapest(Master& master, std::vector<RequestGroup> const& groups, Rounds starts,
                         std::vector<double> const& prices, std::size_t most, bool reduced)
{
    std::vector<double> sum(prices.size() + 1, 0), moment(prices.size() + 1, 0);
    for (std::size_t t = 0; t < prices.size(); ++t) {
        sum[t + 1] = sum[t] + prices[t];
        moment[t + 1] = moment[t] + prices[t] * static_cast<double>(t);
    }
    std::size_t added = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        auto const cost = start_costs(groups[g], starts, sum, moment);
        std::vector<std::size_t> order(cost.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        auto const count = std::min(most, order.size());
        std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count), {},
                                  [&](std::size_t i) { return cost[i]; });
        for (std::size_t i = 0; i < count; ++i) {
            if (reduced && cost[order[i]] > master.assignment_price(g) - 1e-7) break;
            master.add(g, groups[g].arrival + static_cast<Rounds>(order[i]));
            ++added;
        }
    }
    return added;
}

} // namespace

ColumnProgram solve_by_columns(OwnedInstance const& instance,
                               std::vector<RequestGroup> const& groups, Rounds starts,
                               Ascent const& first, Starts const& known, double seconds)
{
    TimeLimit const limit(seconds);
    Master master(instance, groups, starts);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        for (auto const member : groups[g].members) master.add(g, known[member]);
        if (first.schedule.empty()) continue;
        for (auto const& part : first.schedule[g])
            if (part.part > 1e-3) master.add(g, part.start);
    }
    ColumnProgram result;
    std::vector<double> prices;
    Rounds longest = 0;
    for (auto const& group : groups) longest = std::max<Rounds>(longest, group.output);
    for (Rounds t = 0; t <= starts + longest; ++t)
        prices.push_back(
            static_cast<std::size_t>(t) < first.prices.memory.size()
                ? std::ldexp(static_cast<double>(first.prices.memory[static_cast<std::size_t>(t)]),
                             -Prices::fraction_bits)
                : 0);
    add_cheapest(master, groups, starts, prices, 15, false);
    for (;;) {
        ++result.rounds;
        auto const optimal = master.solve(limit);
        prices = master.memory_prices();
        if (!optimal) break;
        result.solved = add_cheapest(master, groups, starts, prices, 20, true) == 0;
        if (result.solved || limit.over()) break;
    }
    result.value = master.value();
    result.columns = master.columns();
    result.schedule = master.schedule();
    for (std::size_t g = 0; g < groups.size(); ++g) {
        auto const next =
            starts + groups[g].output - groups[g].arrival; // cost of the next start, at least
        if (master.assignment_price(g) > static_cast<double>(next) + 1e-7)
            result.horizon_valid = false;
    }
    Prices fixed;
    for (auto const price : prices)
        fixed.memory.push_back(std::llround(std::ldexp(price, Prices::fraction_bits)));
    result.lower_bound = baseline::whole_bound(lagrangian_bound(instance, groups, fixed, starts));
    return result;
}

namespace {

/// Memory in use at each time, by whole requests that came one after the other.
class Profile
{
  public:
    Profile(Tokens memory, Tokens least_prompt) : memory_(memory), least_first_(least_prompt + 1) {}

    /// The least start >= from at which a request fits. Where it does not, because at time t more
    /// is used than is left beside s + (t - start), no start below t - (M - used - s) fits either.
    Rounds earliest(Tokens prompt, Rounds output, Rounds from)
    {
        // Before full_until_ not even the first token of the smallest prompt fits.
        while (used(full_until_) + least_first_ > memory_) ++full_until_;
        auto start = std::max(from, full_until_ - 1);
        for (bool moved = true; moved;) {
            moved = false;
            reserve(start + output);
            for (auto j = output; j >= 1; --j) {
                auto const left = memory_ - used_[static_cast<std::size_t>(start + j)] - prompt;
                if (left >= j) continue;
                start = std::max(start + 1, start + j - std::max<Rounds>(left, 0));
                moved = true;
                break;
            }
        }
        return start;
    }
    void place(Tokens prompt, Rounds output, Rounds start)
    {
        for (Rounds j = 1; j <= output; ++j)
            used_[static_cast<std::size_t>(start + j)] += prompt + j;
    }

  private:
    Tokens used(Rounds t)
    {
        reserve(t);
        return used_[static_cast<std::size_t>(t)];
    }
    void reserve(Rounds t)
    {
        if (static_cast<std::size_t>(t) >= used_.size())
            used_.resize(2 * static_cast<std::size_t>(t) + 1, 0);
    }

    Tokens memory_, least_first_;
    Rounds full_until_ = 1;
    std::vector<Tokens> used_;
};

} // namespace

SplitSchedule split_schedule(OwnedInstance const& instance, std::vector<std::size_t> const& order,
                             std::int64_t pieces)
{
    CRX_EXPECT(pieces >= 1 && order.size() == instance.output.size());
    SplitSchedule result{0, std::vector<double>(order.size())};
    Profile profile(pieces * instance.memory, *std::ranges::min_element(instance.prompt));
    for (auto const i : order) {
        Rounds sum = 0, start = instance.arrival[i];
        for (std::int64_t piece = 0; piece < pieces; ++piece) {
            // A later part of the same request fits no earlier than the one before it.
            start = profile.earliest(instance.prompt[i], instance.output[i], start);
            profile.place(instance.prompt[i], instance.output[i], start);
            sum += start;
        }
        result.mean_start[i] = static_cast<double>(sum) / static_cast<double>(pieces);
        result.value +=
            result.mean_start[i] + static_cast<double>(instance.output[i] - instance.arrival[i]);
    }
    return result;
}

} // namespace crx::sorted_lp
