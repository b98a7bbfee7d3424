#include "analysis/sorted_lp/column_program.hh"

#include "analysis/baseline/time_limit.hh"

#include <algorithm>
#include <cmath>
#include <coin/ClpSimplex.hpp>
#include <numeric>

namespace crx::sorted_lp {

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

} // namespace crx::sorted_lp
