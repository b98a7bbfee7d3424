#pragma once

#include "analysis/baseline/request_groups.hh"
#include "analysis/baseline/schedule.hh"

#include <algorithm>
#include <cmath>
#include <coin/Cbc_C_Interface.h>
#include <memory>
#include <numeric>
#include <string>

namespace crx::baseline {

struct IntegerProgramOutcome
{
    bool optimal = false;   ///< proven
    Rounds lower_bound = 0; ///< on OPT, as the solver reports it, rounded up with a margin of 1e-6
    Starts starts;          ///< the best schedule known: the given one if none better was found
    Rounds total_latency = 0;
};

namespace detail {

/// Least TEL of all requests but one.
inline Rounds bound_without(OwnedInstance const& instance, std::size_t left_out)
{
    OwnedInstance rest;
    rest.memory = instance.memory;
    for (std::size_t i = 0; i < instance.output.size(); ++i) {
        if (i == left_out) continue;
        rest.arrival.push_back(instance.arrival[i]);
        rest.prompt.push_back(instance.prompt[i]);
        rest.output.push_back(instance.output[i]);
    }
    rest.lower = rest.upper = rest.output;
    auto const sum = std::accumulate(rest.output.begin(), rest.output.end(), Rounds{0});
    if (std::ranges::any_of(rest.arrival, [](Rounds a) { return a != 0; })) return sum;
    return std::max(sum, volume_bound(rest));
}

struct Program
{
    std::vector<RequestGroup> groups;
    std::vector<Rounds> last_start; // of each group
    std::vector<int> begin{0}, row;
    std::vector<double> element, objective, column_upper, row_lower, row_upper;
    std::vector<std::pair<std::size_t, Rounds>> column; // group and start
};

inline Program program_of(OwnedInstance const& instance, Rounds known_latency)
{
    Program p;
    p.groups = request_groups(instance);
    Rounds end = 0;
    for (auto const& group : p.groups) {
        // (start + o - a) + (the others) <= TEL of the known schedule
        auto const others = bound_without(instance, group.members[0]);
        auto const last =
            std::max(group.arrival, known_latency - others - group.output + group.arrival);
        p.last_start.push_back(last);
        end = std::max(end, last + group.output);
    }
    auto const memory_row = static_cast<int>(p.groups.size());
    for (std::size_t g = 0; g < p.groups.size(); ++g) {
        auto const& group = p.groups[g];
        for (auto k = group.arrival; k <= p.last_start[g]; ++k) {
            p.row.push_back(static_cast<int>(g));
            p.element.push_back(1);
            for (std::int32_t j = 1; j <= group.output; ++j) {
                p.row.push_back(memory_row + static_cast<int>(k) + j - 1);
                p.element.push_back(group.prompt + j);
            }
            p.begin.push_back(static_cast<int>(p.row.size()));
            p.objective.push_back(static_cast<double>(k + group.output - group.arrival));
            p.column_upper.push_back(static_cast<double>(group.count()));
            p.column.emplace_back(g, k);
        }
    }
    for (auto const& group : p.groups) {
        p.row_lower.push_back(static_cast<double>(group.count()));
        p.row_upper.push_back(static_cast<double>(group.count()));
    }
    p.row_lower.insert(p.row_lower.end(), static_cast<std::size_t>(end), -1e30);
    p.row_upper.insert(p.row_upper.end(), static_cast<std::size_t>(end),
                       static_cast<double>(instance.memory));
    return p;
}

/// The numbers of each column's variable, from a schedule.
inline std::vector<double> values_of(Program const& p, Starts const& starts)
{
    std::vector<double> value(p.column.size(), 0);
    std::size_t first = 0;
    for (std::size_t g = 0; g < p.groups.size(); ++g) {
        for (auto const member : p.groups[g].members)
            if (auto const k = starts[member] - p.groups[g].arrival;
                starts[member] <= p.last_start[g])
                value[first + static_cast<std::size_t>(k)] += 1;
        first += static_cast<std::size_t>(p.last_start[g] - p.groups[g].arrival + 1);
    }
    return value;
}

inline Starts starts_of(Program const& p, double const* value, std::size_t requests)
{
    Starts starts(requests, 0);
    std::vector<std::size_t> next(p.groups.size(), 0);
    for (std::size_t c = 0; c < p.column.size(); ++c) {
        auto const [g, k] = p.column[c];
        for (auto count = std::lround(value[c]); count > 0; --count)
            starts[p.groups[g].members.at(next[g]++)] = k;
    }
    return starts;
}

} // namespace detail

/// JAILLET (1)-(4) solved by COIN-OR CBC, which shares no search with `hindsight` and for which the
/// program is hard. `known` is a schedule. A request's last start follows from its TEL minus
/// the least the others can cost (volume bound if all arrive at 0, else the sum of outputs), so no
/// schedule better than `known` is cut off: its makespan alone would not be a safe horizon. Equal
/// requests share their variables.
inline IntegerProgramOutcome integer_program(OwnedInstance const& instance, Starts const& known,
                                             double seconds)
{
    IntegerProgramOutcome outcome{false, 0, known, total_latency(instance, known)};
    auto const p = detail::program_of(instance, outcome.total_latency);
    std::unique_ptr<Cbc_Model, decltype(&Cbc_deleteModel)> const model(Cbc_newModel(),
                                                                       Cbc_deleteModel);
    auto const columns = static_cast<int>(p.column.size());
    Cbc_loadProblem(model.get(), columns, static_cast<int>(p.row_lower.size()), p.begin.data(),
                    p.row.data(), p.element.data(), nullptr, p.column_upper.data(),
                    p.objective.data(), p.row_lower.data(), p.row_upper.data());
    for (int c = 0; c < columns; ++c) Cbc_setInteger(model.get(), c);
    Cbc_setLogLevel(model.get(), 0);
    Cbc_setParameter(model.get(), "log", "0");
    Cbc_setParameter(model.get(), "sec", std::to_string(seconds).c_str());
    Cbc_setParameter(model.get(), "ratio", "0");
    // CBC 2.10.8 cuts optima off and preprocesses them away (docs/findings/baselines.md).
    Cbc_setParameter(model.get(), "cuts", "off");
    Cbc_setParameter(model.get(), "preprocess", "off");
    auto const warm = detail::values_of(p, known);
    std::vector<int> index(p.column.size());
    std::iota(index.begin(), index.end(), 0);
    Cbc_setMIPStartI(model.get(), columns, index.data(), warm.data());
    Cbc_solve(model.get());
    outcome.optimal = Cbc_isProvenOptimal(model.get()) != 0;
    if (auto const* value = Cbc_bestSolution(model.get())) {
        auto const starts = detail::starts_of(p, value, instance.output.size());
        CRX_ENSURE(!schedule_fault(instance, starts));
        if (auto const latency = total_latency(instance, starts); latency < outcome.total_latency) {
            outcome.starts = starts;
            outcome.total_latency = latency;
        }
    }
    outcome.lower_bound =
        outcome.optimal
            ? outcome.total_latency
            : static_cast<Rounds>(std::ceil(Cbc_getBestPossibleObjValue(model.get()) - 1e-6));
    return outcome;
}

} // namespace crx::baseline
