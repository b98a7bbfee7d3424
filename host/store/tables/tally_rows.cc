#include "host/store/tables/tally_rows.hh"

#include "analysis/statistics/baseline_name.hh"
#include "host/store/tables/integer_text.hh"

#include <stdexcept>

namespace crx {

namespace {

constexpr char const* policy_columns =
    "finished, unfinished, cycle, round_cap, blocked, out_of_range, latency, latency_squares, "
    "first_token, first_token_squares, makespan, makespan_squares, cancellations, wasted_tokens, "
    "events, peak_memory, engine";
constexpr Unfinished reasons[] = {Unfinished::cycle, Unfinished::round_cap, Unfinished::blocked,
                                  Unfinished::out_of_range}; ///< as the columns have them
constexpr char const* ratio_columns =
    "baseline, ratio, ratio_squares, denominator, denominator_squares, cross_products, smallest, "
    "smallest_instance, largest, largest_instance, histogram";

void insert_policy(Statement& row, std::int64_t chunk, std::int64_t policy, PolicySums const& s,
                   std::string_view engine)
{
    row.bind(chunk).bind(policy).bind(s.count).bind(s.unfinished);
    for (auto const reason : reasons) row.bind(s.unfinished_by[static_cast<int>(reason)]);
    row.bind(std::string_view(to_text(s.latency)));
    row.bind(std::string_view(to_text(s.latency_squares)));
    row.bind(std::string_view(to_text(s.first_token_latency)));
    row.bind(std::string_view(to_text(s.first_token_squares)));
    row.bind(std::string_view(to_text(s.makespan)));
    row.bind(std::string_view(to_text(s.makespan_squares)));
    row.bind(std::string_view(to_text(s.cancellations)));
    row.bind(std::string_view(to_text(s.wasted_tokens)));
    row.bind(std::string_view(to_text(s.events)));
    row.bind(s.peak_memory).bind(engine).run();
}

void insert_ratio(Statement& row, std::int64_t chunk, std::int64_t policy, std::string_view id,
                  RatioTally const& r, Histogram const& histogram)
{
    row.bind(chunk).bind(policy).bind(id);
    row.bind(std::string_view(to_text(r.sum)));
    row.bind(std::string_view(to_text(r.sum_of_squares)));
    row.bind(std::string_view(to_text(r.baseline_sum)));
    row.bind(std::string_view(to_text(r.baseline_squares)));
    row.bind(std::string_view(to_text(r.cross)));
    row.bind(r.smallest.ratio).bind(r.smallest.instance);
    row.bind(r.largest.ratio).bind(r.largest.instance);
    row.bind(std::string_view(to_text(histogram))).run();
}

/// Reads the columns of policy_columns from number `at` on.
PolicySums read_policy(Statement const& row, int at)
{
    PolicySums s;
    s.count = row.integer(at);
    s.unfinished = row.integer(at + 1);
    int column = at + 2;
    for (auto const reason : reasons)
        s.unfinished_by[static_cast<int>(reason)] = row.integer(column++);
    s.latency = parse_unsigned128(row.text(column++));
    s.latency_squares = parse_unsigned192(row.text(column++));
    s.first_token_latency = parse_unsigned128(row.text(column++));
    s.first_token_squares = parse_unsigned192(row.text(column++));
    s.makespan = parse_unsigned128(row.text(column++));
    s.makespan_squares = parse_unsigned192(row.text(column++));
    for (auto* const sum : {&s.cancellations, &s.wasted_tokens, &s.events})
        *sum = parse_unsigned128(row.text(column++));
    s.peak_memory = row.integer(column);
    return s;
}

/// Adds the columns of ratio_columns from number `at` on.
void add_ratio(PolicyTally& tally, Statement const& row, int at)
{
    auto const kind = baseline_named(row.text(at));
    if (!kind) throw std::invalid_argument("unknown baseline: " + row.text(at));
    RatioTally r;
    r.sum = parse_unsigned128(row.text(at + 1));
    r.sum_of_squares = parse_unsigned192(row.text(at + 2));
    r.baseline_sum = parse_unsigned128(row.text(at + 3));
    r.baseline_squares = parse_unsigned192(row.text(at + 4));
    r.cross = parse_unsigned192(row.text(at + 5));
    r.smallest = {row.integer(at + 6), row.integer(at + 7)};
    r.largest = {row.integer(at + 8), row.integer(at + 9)};
    int const k = static_cast<int>(*kind);
    tally.sums.ratio[k].add(r);
    for (auto const& [bin, count] : parse_histogram(row.text(at + 10)))
        tally.histogram[k][bin] += count;
}

} // namespace

void insert_tally(Database const& database, std::int64_t chunk, Tally const& tally,
                  std::vector<std::string> const& engines, Holdings const& holdings,
                  std::vector<std::string> const& baselines)
{
    CRX_EXPECT(engines.empty() || engines.size() == tally.size());
    auto policy_row =
        database.prepare(std::string("INSERT INTO policy_sums(chunk, policy, ") + policy_columns +
                         ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    auto ratio_row = database.prepare(std::string("INSERT INTO ratio_sums(chunk, policy, ") +
                                      ratio_columns + ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)");
    for (std::size_t p = 0; p < tally.size(); ++p) {
        auto const policy = static_cast<std::int64_t>(p);
        if (holdings.sums(p))
            insert_policy(policy_row, chunk, policy, tally[p].sums,
                          engines.empty() ? std::string_view() : engines[p]);
        for (std::size_t b = 0; b < baselines.size(); ++b) {
            auto const kind = baseline_named(baselines[b]);
            if (!kind || !holdings.ratios(p, b)) continue;
            int const k = static_cast<int>(*kind);
            auto const& ratio = tally[p].sums.ratio[k];
            if (ratio.smallest.instance >= 0)
                insert_ratio(ratio_row, chunk, policy, baselines[b], ratio, tally[p].histogram[k]);
        }
    }
}

std::string policy_rows_query()
{
    return std::string("SELECT policy, ") + policy_columns +
           " FROM policy_sums WHERE chunk = ? ORDER BY policy";
}

std::string ratio_rows_query()
{
    return std::string("SELECT policy, ") + ratio_columns +
           " FROM ratio_sums WHERE chunk = ? ORDER BY policy, baseline";
}

void add_policy_row(Statement const& row, PolicyTally& tally, std::string& engine)
{
    tally.sums.add(read_policy(row, 1));
    engine = row.text(row.columns() - 1);
}

void add_ratio_row(Statement const& row, PolicyTally& tally) { add_ratio(tally, row, 1); }

} // namespace crx
