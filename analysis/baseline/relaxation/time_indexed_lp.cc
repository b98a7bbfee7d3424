#include "analysis/baseline/relaxation/time_indexed_lp.hh"

#include "analysis/baseline/relaxation/clp_limit.hh"

#include <algorithm>
#include <cmath>

namespace crx::baseline {
namespace {

std::int64_t fixed_point(double price)
{
    auto const scaled = std::ldexp(price, Prices::fraction_bits);
    return scaled > 0 && scaled < 0x1p50 ? std::llround(scaled) : 0;
}

} // namespace

struct TimeIndexedLp::State
{
    std::vector<RequestGroup> const& groups;
    Rounds last_start;
    std::vector<int> first_column; // of each group; column of (g, k) is first + k - arrival
    int first_memory_row = 0, memory_rows = 0;
    std::vector<Clique> cliques; // in the order of their rows, which come last
    ClpSimplex clp;

    int column(std::size_t g, Rounds k) const
    {
        return first_column[g] + static_cast<int>(k - groups[g].arrival);
    }
};

TimeIndexedLp::TimeIndexedLp(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                             Rounds last_start)
    : state_(new State{groups, last_start, {}, 0, 0, {}, {}})
{
    auto& s = *state_;
    Rounds longest = 0;
    int columns = 0;
    for (auto const& group : groups) {
        CRX_EXPECT(group.arrival <= last_start);
        s.first_column.push_back(columns);
        columns += static_cast<int>(last_start - group.arrival + 1);
        longest = std::max<Rounds>(longest, group.output);
    }
    s.first_memory_row = static_cast<int>(groups.size());
    s.memory_rows = static_cast<int>(last_start + longest); // times 1 .. last_start + longest
    std::vector<CoinBigIndex> begin{0};
    std::vector<int> row;
    std::vector<double> element, objective;
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (auto k = groups[g].arrival; k <= last_start; ++k) {
            row.push_back(static_cast<int>(g));
            element.push_back(1);
            for (std::int32_t j = 1; j <= groups[g].output; ++j) {
                row.push_back(s.first_memory_row + static_cast<int>(k) + j - 1);
                element.push_back(groups[g].prompt + j);
            }
            begin.push_back(static_cast<CoinBigIndex>(row.size()));
            objective.push_back(static_cast<double>(k + groups[g].output - groups[g].arrival));
        }
    auto const rows = static_cast<std::size_t>(s.first_memory_row + s.memory_rows);
    std::vector<double> lower(rows, -COIN_DBL_MAX),
        upper(rows, static_cast<double>(instance.memory));
    for (std::size_t g = 0; g < groups.size(); ++g)
        lower[g] = upper[g] = static_cast<double>(groups[g].count());
    s.clp.setLogLevel(0);
    s.clp.loadProblem(columns, static_cast<int>(rows), begin.data(), row.data(), element.data(),
                      nullptr, nullptr, objective.data(), lower.data(), upper.data());
}

TimeIndexedLp::~TimeIndexedLp() = default;

bool TimeIndexedLp::solve(TimeLimit const& limit)
{
    set_limit(state_->clp, limit);
    state_->clp.dual();
    return state_->clp.isProvenOptimal();
}

bool TimeIndexedLp::infeasible() const { return state_->clp.isProvenPrimalInfeasible(); }

void TimeIndexedLp::add_cliques(std::vector<Clique> const& cliques)
{
    auto& s = *state_;
    std::vector<CoinBigIndex> begin{0};
    std::vector<int> column;
    std::vector<double> lower, upper;
    for (auto const& clique : cliques) {
        for (auto const& member : clique.members)
            column.push_back(s.column(static_cast<std::size_t>(member.group), member.start));
        begin.push_back(static_cast<CoinBigIndex>(column.size()));
        lower.push_back(-COIN_DBL_MAX);
        upper.push_back(1);
        s.cliques.push_back(clique);
    }
    std::vector<double> const element(column.size(), 1);
    s.clp.addRows(static_cast<int>(cliques.size()), lower.data(), upper.data(), begin.data(),
                  column.data(), element.data());
}

std::size_t TimeIndexedLp::drop_slack_cliques()
{
    auto& s = *state_;
    std::vector<int> dropped;
    std::vector<Clique> kept;
    for (std::size_t c = 0; c < s.cliques.size(); ++c) {
        auto const row = s.first_memory_row + s.memory_rows + static_cast<int>(c);
        if (s.clp.getRowStatus(row) == ClpSimplex::basic && s.clp.getRowActivity()[row] < 0.9)
            dropped.push_back(row);
        else
            kept.push_back(std::move(s.cliques[c]));
    }
    s.clp.deleteRows(static_cast<int>(dropped.size()), dropped.data());
    s.cliques = std::move(kept);
    return s.cliques.size();
}

void TimeIndexedLp::remove_column(std::size_t group, Rounds k)
{
    if (k <= state_->last_start) state_->clp.setColumnUpper(state_->column(group, k), 0);
}

Rounds TimeIndexedLp::last_start() const { return state_->last_start; }
std::size_t TimeIndexedLp::cliques() const { return state_->cliques.size(); }
double TimeIndexedLp::value() const { return state_->clp.getObjValue(); }

double TimeIndexedLp::column_value(std::size_t group, Rounds k) const
{
    return state_->clp.getColSolution()[state_->column(group, k)];
}

double TimeIndexedLp::reduced_cost(std::size_t group, Rounds k) const
{
    return state_->clp.getReducedCost()[state_->column(group, k)];
}

Prices TimeIndexedLp::prices() const
{
    auto const& s = *state_;
    auto const* dual = s.clp.getRowPrice(); // <= 0 on rows that are <= in a minimisation
    Prices prices;
    prices.memory.push_back(0); // time 0
    for (int t = 0; t < s.memory_rows; ++t)
        prices.memory.push_back(fixed_point(-dual[s.first_memory_row + t]));
    for (std::size_t c = 0; c < s.cliques.size(); ++c) {
        auto const row = s.first_memory_row + s.memory_rows + static_cast<int>(c);
        if (auto const price = fixed_point(-dual[row]); price > 0)
            prices.cliques.push_back({s.cliques[c].members, price});
    }
    return prices;
}

double TimeIndexedLp::assignment_price(std::size_t group) const
{
    return state_->clp.getRowPrice()[group];
}

namespace {

/// Deals the mass of each group in time order: the first member takes the first unit.
std::vector<double> mean_starts(TimeIndexedLp const& lp, std::vector<RequestGroup> const& groups,
                                std::size_t requests)
{
    std::vector<double> mean(requests, 0);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        std::size_t member = 0;
        double room = 1; // of the present member
        for (auto k = groups[g].arrival; k <= lp.last_start(); ++k) {
            auto mass = std::max(0.0, lp.column_value(g, k));
            while (mass > 0 && member < groups[g].members.size()) {
                auto const dealt = std::min(mass, room);
                mean[groups[g].members[member]] += dealt * static_cast<double>(k);
                mass -= dealt;
                room -= dealt;
                if (room < 1e-9) {
                    ++member;
                    room = 1;
                }
            }
        }
    }
    return mean;
}

} // namespace

LpBound lp_bound(OwnedInstance const& instance, Rounds last_start, TimeLimit const& limit)
{
    auto const groups = request_groups(instance);
    for (auto const& group : groups) last_start = std::max(last_start, group.arrival);
    for (;; last_start *= 2) {
        TimeIndexedLp lp(instance, groups, last_start);
        LpBound bound;
        bound.solved = lp.solve(limit);
        bound.value = lp.value();
        bound.last_start = last_start;
        Lagrangian const exact(instance, groups, lp.prices(), last_start + 1);
        bound.lower_bound = exact.opt_lower_bound();
        for (std::size_t g = 0; g < groups.size(); ++g) {
            // cost of a start in the first round past the horizon, at least
            auto const next = last_start + 1 + groups[g].output - groups[g].arrival;
            if (lp.assignment_price(g) > static_cast<double>(next) + 1e-7)
                bound.horizon_valid = false;
        }
        if (bound.solved && bound.horizon_valid)
            bound.mean_start = mean_starts(lp, groups, instance.output.size());
        if (bound.horizon_valid || !bound.solved || limit.over()) return bound;
    }
}

} // namespace crx::baseline
