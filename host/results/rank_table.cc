#include "host/results/rank_table.hh"

#include "analysis/statistics/paired.hh"
#include "host/results/cells.hh"
#include "host/results/request_measures.hh"

#include <algorithm>
#include <cmath>

namespace crx {

namespace {

using MaybeEstimate = std::optional<Estimate>;

/// What is compared of one policy in one cell.
struct Value
{
    MaybeEstimate ratio;
    std::optional<PairedPart> part;
};

PairSums pair_sums(PolicySums const& s, BaselineKind baseline)
{
    auto const& ratio = s.ratio[static_cast<int>(baseline)];
    return {s.count,
            to_big(s.latency),
            to_big(ratio.baseline_sum),
            to_big(s.latency_squares),
            to_big(ratio.baseline_squares),
            to_big(ratio.cross)};
}

Value value_of(CellResult const& cell, std::size_t policy, RankTable const& table,
               double confidence)
{
    if (table.by.measure) {
        auto const found = measure(cell, policy, *table.by.measure, table.by.baseline, confidence);
        if (!found) return {};
        Estimate estimate{found->value, {}, {}};
        if (found->low && found->high)
            estimate.half_width = std::max(*found->high - found->value, found->value - *found->low);
        return {estimate, {}};
    }
    auto const& tally = cell.tally[policy];
    auto const summary = summarise(tally, table.by.baseline, confidence);
    if (!table.ratio_of_means) return {summary.mean_of_ratios, {}};
    Value value{summary.ratio_of_means, {}};
    if (value.ratio) value.part = paired_part(pair_sums(tally.sums, table.by.baseline));
    return value;
}

MaybeEstimate difference(Value const& one, Value const& other, double confidence)
{
    if (one.part && other.part) return paired_difference(*one.part, *other.part, confidence);
    if (!one.ratio || !other.ratio) return {};
    Estimate estimate{one.ratio->mean - other.ratio->mean, {}, {}};
    if (one.ratio->half_width && other.ratio->half_width)
        estimate.half_width = *one.ratio->half_width + *other.ratio->half_width;
    return estimate;
}

/// More is better of throughput, attainment and goodput.
bool is_better_larger(Measure what)
{
    if (what == Measure::throughput) return true;
    if (!is_of_requests(what)) return false;
    auto const name = measure_name(what);
    return name.starts_with("throughput") || name.starts_with("goodput") || name == "attainment";
}

/// A mean over cells, with the mean of their half-widths where all have one.
class MeanOfCells
{
  public:
    void add(MaybeEstimate const& cell)
    {
        ++count_;
        complete_ = complete_ && cell;
        narrow_ = narrow_ && cell && cell->half_width;
        if (!cell) return;
        sum_ += cell->mean;
        half_widths_ += cell->half_width.value_or(0);
    }
    MaybeEstimate mean() const
    {
        if (count_ == 0 || !complete_) return {};
        Estimate estimate{sum_ / static_cast<double>(count_), {}, {}};
        if (narrow_) estimate.half_width = half_widths_ / static_cast<double>(count_);
        return estimate;
    }

  private:
    std::int64_t count_ = 0;
    bool complete_ = true, narrow_ = true;
    double sum_ = 0, half_widths_ = 0;
};

bool has_place(RankedPolicy const& policy)
{
    return policy.runs > 0 && policy.unfinished == 0 && policy.has_value;
}

/// Sums of one policy against all that come behind it in number.
using Differences = std::vector<std::vector<MeanOfCells>>;

struct RatioSums
{
    std::vector<MeanOfCells> means;
    Differences differences;
};

void add_cell(RankTable& table, CellResult const& cell, std::vector<Value> const& values,
              double confidence, RatioSums& sums)
{
    ++table.compared;
    auto const sign = table.largest_first ? -1 : 1;
    double least = INFINITY;
    for (std::size_t p = 0; p < values.size(); ++p)
        if (has_place(table.policies[p])) least = std::min(least, sign * values[p].ratio->mean);
    for (std::size_t p = 0; p < values.size(); ++p) {
        auto& policy = table.policies[p];
        sums.means[p].add(values[p].ratio);
        if (!values[p].ratio) continue;
        if (has_place(policy) && sign * values[p].ratio->mean == least) ++policy.best_in;
        if (!policy.worst || sign * (values[p].ratio->mean - policy.worst->mean) > 0) {
            policy.worst = values[p].ratio;
            policy.worst_cell = &cell;
        }
        for (std::size_t q = 0; q < values.size(); ++q)
            if (has_place(policy) && has_place(table.policies[q]) && q != p)
                sums.differences[p][q].add(is_paired(table) && table.by.measure
                                               ? request_difference(cell, p, q,
                                                                    statistic_of(*table.by.measure),
                                                                    confidence)
                                               : difference(values[p], values[q], confidence));
    }
}

void add_basis(RankedPolicy& policy, CellResult const& cell, Basis const& basis)
{
    if (!basis.is_few() || policy.few_cells++ > 0) return;
    policy.few_cell = &cell;
    policy.few = basis;
}

/// Puts the policies in order, with their differences and places.
void finish(RankTable& table, RatioSums const& sums)
{
    for (std::size_t p = 0; p < table.policies.size(); ++p)
        table.policies[p].mean = sums.means[p].mean();
    auto const sign = table.largest_first ? -1 : 1;
    auto const key = [sign](RankedPolicy const& p) {
        return std::pair(has_place(p) && p.mean ? 0 : 1, p.mean ? sign * p.mean->mean : INFINITY);
    };
    std::stable_sort(table.policies.begin(), table.policies.end(),
                     [&](auto const& a, auto const& b) { return key(a) < key(b); });
    auto const count = table.policies.size();
    table.differences.assign(count, std::vector<MaybeEstimate>(count));
    std::int64_t placed = 0;
    for (auto const& policy : table.policies) placed += has_place(policy) && policy.mean ? 1 : 0;
    for (std::size_t i = 0; i < count; ++i) {
        auto& policy = table.policies[i];
        if (!has_place(policy) || !policy.mean) continue;
        policy.least_rank = 1;
        policy.most_rank = placed;
        for (std::size_t j = 0; j < count; ++j) {
            auto const& other = table.policies[j];
            if (j == i || !has_place(other) || !other.mean) continue;
            auto& d = table.differences[i][j];
            d = sums.differences[policy.policy][other.policy].mean();
            if (!d || !d->half_width) continue;
            if (sign * d->mean > *d->half_width) ++policy.least_rank;
            if (sign * d->mean < -*d->half_width) --policy.most_rank;
        }
        if (i > 0) policy.behind = table.differences[i][0];
    }
}

RankTable table_of(std::vector<CellResult const*> const& cells,
                   std::vector<PolicyEntry> const& entries, RankedBy const& by, double confidence)
{
    auto const policies = entries.size();
    RankTable table;
    table.sweep = cells.front()->sweep;
    table.by = by;
    table.largest_first = by.measure && is_better_larger(*by.measure);
    table.cells = static_cast<std::int64_t>(cells.size());
    for (std::size_t p = 0; p < policies; ++p) {
        table.policies.push_back({});
        table.policies.back().policy = p;
        bool some_value = !by.measure;
        for (auto const* cell : cells) {
            table.policies.back().runs += runs_of(*cell, p);
            // Unfinished runs are what is measured, if it is their share.
            if (by.measure != Measure::unfinished)
                table.policies.back().unfinished += unfinished_of(*cell, p);
            if (by.measure) {
                some_value = some_value || value_of(*cell, p, table, confidence).ratio;
                continue;
            }
            auto const divided = divided_by(cell->tally[p], by.baseline);
            if (divided > 0 && divided < cell->tally[p].sums.count) table.ratio_of_means = false;
        }
        table.policies.back().has_value = some_value;
    }
    RatioSums sums{std::vector<MeanOfCells>(policies),
                   Differences(policies, std::vector<MeanOfCells>(policies))};
    for (auto const* cell : cells) {
        bool whole = cell->instances > 0; // else its policies met other instances
        for (std::size_t p = 0; p < policies; ++p)
            whole = whole && runs_of(*cell, p) == cell->instances;
        if (!whole) {
            ++(cell->instances > 0 ? table.partly_run : table.not_run);
            continue;
        }
        std::vector<Value> values;
        bool complete = true, any = false;
        for (std::size_t p = 0; p < policies; ++p) {
            values.push_back(value_of(*cell, p, table, confidence));
            if (has_place(table.policies[p])) complete = complete && values.back().ratio;
            any = any || values.back().ratio;
        }
        if (complete && any) {
            add_cell(table, *cell, values, confidence, sums);
            for (auto& policy : table.policies)
                if (!by.measure && !divides_itself(entries[policy.policy].id, by.baseline))
                    add_basis(policy, *cell, basis_of(cell->tally[policy.policy], by.baseline));
        } else if (table.without_value == nullptr) {
            table.without_value = cell;
        }
    }
    finish(table, sums);
    return table;
}

} // namespace

bool is_paired(RankTable const& table)
{
    return table.by.measure ? is_of_requests(*table.by.measure) : table.ratio_of_means;
}

std::vector<RankTable> rank_tables(StoreContents const& contents, RankedBy const& by,
                                   double confidence, std::optional<std::int64_t> only)
{
    std::vector<RankTable> tables;
    std::vector<CellResult const*> cells;
    auto const close = [&] {
        if (!cells.empty())
            tables.push_back(table_of(cells, contents.header.policies, by, confidence));
        cells.clear();
    };
    for (auto const& cell : contents.cells) {
        if (only && cell.index != *only) continue;
        if (cell.paths != nullptr &&
            (cell.type >= 0 || cell.horizon + 1 != cell.facts->horizons.size()))
            continue;
        if (!cells.empty() && cells.front()->sweep != cell.sweep) close();
        cells.push_back(&cell);
    }
    close();
    return tables;
}

} // namespace crx
