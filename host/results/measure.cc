#include "host/results/measure.hh"

#include "analysis/statistics/estimate.hh"
#include "analysis/statistics/quantile.hh"
#include "analysis/statistics/summary.hh"
#include "host/results/path_points.hh"
#include "host/results/policy_text.hh"
#include "host/results/request_measures.hh"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace crx {

namespace {

constexpr std::array<std::pair<std::string_view, Measure>, 18> measure_names{{
    {"ratio-of-means", Measure::ratio_of_means},
    {"mean-of-ratios", Measure::mean_of_ratios},
    {"mean-latency", Measure::mean_latency},
    {"mean-first-token", Measure::mean_first_token},
    {"mean-makespan", Measure::mean_makespan},
    {"p99-ratio", Measure::p99_ratio},
    {"worst-ratio", Measure::worst_ratio},
    {"argmax", Measure::argmax},
    {"unfinished", Measure::unfinished},
    {"ratio", Measure::ratio},
    {"throughput-gap", Measure::throughput_gap},
    {"throughput-gap-as-in-8", Measure::throughput_gap_as_in_8},
    {"throughput", Measure::throughput},
    {"peak-memory", Measure::peak_memory},
    {"largest-memory", Measure::largest_memory},
    {"overflow-frequency", Measure::overflow_frequency},
    {"cancellations", Measure::cancellations},
    {"iterations", Measure::iterations},
}};

std::optional<Measured> as_measured(std::optional<Estimate> const& estimate, Basis const& basis)
{
    if (!estimate) return std::nullopt;
    return Measured{estimate->mean, shown_low(*estimate), shown_high(*estimate), basis};
}

std::optional<Measured> percentile(PolicyTally const& tally, BaselineKind baseline, double p,
                                   double confidence)
{
    auto const k = static_cast<std::size_t>(baseline);
    auto const& ratio = tally.sums.ratio[k];
    auto const at = [&](double share) {
        return quantile(tally.histogram[k], share, ratio.smallest.ratio, ratio.largest.ratio);
    };
    auto const value = at(p);
    if (!value) return std::nullopt;
    auto const divided = divided_by(tally, baseline);
    auto const ranks = quantile_ranks(divided, p, confidence);
    auto const of_rank = [&](std::optional<std::int64_t> rank) {
        return rank ? at(static_cast<double>(*rank) / static_cast<double>(divided)) : std::nullopt;
    };
    return Measured{*value, of_rank(ranks.low), of_rank(ranks.high)};
}

std::optional<Measured> unfinished_share(PolicySums const& sums, double confidence)
{
    auto const all = sums.count + sums.unfinished;
    if (all == 0) return std::nullopt;
    auto const found = frequency(sums.unfinished, all, confidence);
    return Measured{found.share(), found.low, found.high};
}

std::optional<Measured> as_measured(fluid::PathMean const& m)
{
    if (!std::isfinite(m.mean)) return std::nullopt;
    if (!std::isfinite(m.half_width)) return Measured{m.mean, {}, {}};
    return Measured{m.mean, m.mean - m.half_width, m.mean + m.half_width};
}

/// Of one horizon of the iteration model.
std::optional<Measured> measure_paths(CellResult const& cell, std::size_t policy, Measure what,
                                      double confidence)
{
    if (cell.paths->empty() || cell.paths->at(policy).empty()) return std::nullopt;
    if (cell.type >= 0) {
        if (is_of_requests(what)) return std::nullopt;
        auto const point = type_point(cell, policy, confidence);
        return as_measured(what == Measure::mean_latency ? point.latency : point.first_token);
    }
    if (is_of_requests(what)) return measure_requests(cell, policy, statistic_of(what), confidence);
    auto const p = horizon_point(cell, policy, confidence);
    switch (what) {
    case Measure::mean_latency: return as_measured(p.latency);
    case Measure::mean_first_token: return as_measured(p.first_token);
    case Measure::throughput_gap: return as_measured(p.gap);
    case Measure::throughput_gap_as_in_8: return as_measured(p.gap_as_in_8);
    case Measure::throughput: return as_measured(p.throughput);
    case Measure::peak_memory: return as_measured(p.peak_memory);
    case Measure::largest_memory: return Measured{static_cast<double>(p.largest_memory), {}, {}};
    case Measure::cancellations: return Measured{p.cancelled, {}, {}};
    case Measure::iterations: return Measured{p.iterations, {}, {}};
    case Measure::overflow_frequency:
        if (!capacity_of(cell, policy)) return std::nullopt;
        return Measured{p.overflow.share(), p.overflow.low, p.overflow.high};
    case Measure::ratio_of_means:
    case Measure::mean_of_ratios:
    case Measure::mean_makespan:
    case Measure::p99_ratio:
    case Measure::worst_ratio:
    case Measure::argmax:
    case Measure::ratio:
    case Measure::unfinished:
    case Measure::of_requests: break;
    }
    return std::nullopt;
}

} // namespace

std::optional<Measure> measure_named(std::string const& name)
{
    for (auto const& [known, value] : measure_names)
        if (known == name) return value;
    auto const of_requests = request_statistic_names();
    auto const found = std::ranges::find(of_requests, name);
    if (found == of_requests.end()) return std::nullopt;
    return static_cast<Measure>(static_cast<int>(Measure::of_requests) +
                                (found - of_requests.begin()));
}

std::string measure_name(Measure what)
{
    for (auto const& [name, value] : measure_names)
        if (value == what) return std::string(name);
    auto const place = static_cast<int>(what) - static_cast<int>(Measure::of_requests);
    return request_statistic_names().at(static_cast<std::size_t>(place));
}

std::optional<Measured> measure(CellResult const& cell, std::size_t policy, Measure what,
                                BaselineKind baseline, double confidence)
{
    if (cell.paths != nullptr) return measure_paths(cell, policy, what, confidence);
    auto const& tally = cell.tally.at(policy);
    if (what == Measure::unfinished) return unfinished_share(tally.sums, confidence);
    if (tally.sums.count == 0) return std::nullopt;
    if (is_of_requests(what)) return measure_requests(cell, policy, statistic_of(what), confidence);
    double const time = is_timed(cell) ? 1e-9 : 1;
    auto const mean_of = [&](Unsigned128 sum, Unsigned192 const& squares, double unit) {
        auto const mean =
            estimate_mean(tally.sums.count, to_big(sum), to_big(squares), unit, confidence);
        return as_measured(mean, basis_of(tally.sums.count, mean));
    };
    auto const& sums = tally.sums;
    if (is_of_a_request(what)) {
        auto const n = cell.parameters.find("requests");
        if (n == cell.parameters.end()) return std::nullopt;
        double const unit = time / n->second;
        if (what == Measure::mean_latency) return mean_of(sums.latency, sums.latency_squares, unit);
        return mean_of(sums.first_token_latency, sums.first_token_squares, unit);
    }
    if (what == Measure::mean_makespan) return mean_of(sums.makespan, sums.makespan_squares, time);
    if (what == Measure::p99_ratio) return percentile(tally, baseline, 0.99, confidence);
    auto const summary = summarise(tally, baseline, confidence);
    if (what == Measure::mean_of_ratios)
        return as_measured(summary.mean_of_ratios, basis_of(tally, baseline));
    if (what != Measure::worst_ratio)
        return as_measured(summary.ratio_of_means, basis_of(tally, baseline));
    if (!summary.largest) return std::nullopt;
    return Measured{*summary.largest, {}, {}};
}

std::string time_unit_of(StoreContents const& contents)
{
    if (contents.header.model == Model::iterations) return "seconds";
    return !contents.cells.empty() && is_timed(contents.cells.front()) ? "seconds" : "rounds";
}

std::string baseline_text(BaselineKind baseline)
{
    switch (baseline) {
    case BaselineKind::h_sf: return "TEL(H-SF)";
    case BaselineKind::volume: return "volume bound";
    case BaselineKind::release: return "release bound";
    case BaselineKind::mc_sf: return "TEL(MC-SF)";
    case BaselineKind::best_found: return "TEL(best found)";
    case BaselineKind::dual: return "dual bound";
    case BaselineKind::peaks: return "bound of peaks";
    case BaselineKind::opt_lower: return "lower end of OPT";
    case BaselineKind::opt_upper: return "upper end of OPT";
    case BaselineKind::opt: return "OPT where proven";
    }
    return escape(name_of(baseline).id);
}

std::string measure_label(Measure what, BaselineKind baseline, std::string const& worst_over,
                          std::string const& time)
{
    std::string const base = baseline_text(baseline);
    std::string const worst = worst_over.empty() ? "" : with_subscript("max", worst_over) + " ";
    if (is_of_requests(what)) return worst + request_label(statistic_of(what), time);
    switch (what) {
    case Measure::ratio_of_means: return fmt::format("{}E[TEL] / E[{}]", worst, base);
    case Measure::mean_of_ratios: return fmt::format("{}E[TEL / {}]", worst, base);
    case Measure::mean_latency: return worst + "mean latency of a request (" + time + ")";
    case Measure::mean_first_token: return worst + "mean time to the first token (" + time + ")";
    case Measure::mean_makespan: return worst + "mean time of the last completion (" + time + ")";
    case Measure::p99_ratio: return fmt::format("{}99th percentile of TEL / {}", worst, base);
    case Measure::worst_ratio: return fmt::format("largest TEL / {} of an instance", base);
    case Measure::ratio: return fmt::format("TEL / {} of an instance", base);
    case Measure::unfinished: return worst + "share of runs that never end";
    case Measure::throughput_gap: return worst + "fluid minus throughput (tokens/s)";
    case Measure::throughput_gap_as_in_8:
        return worst + "fluid minus throughput as AO (8) counts (tokens/s)";
    case Measure::throughput: return worst + "tokens of completed prompts per second";
    case Measure::peak_memory: return worst + "mean peak memory of a path (tokens)";
    case Measure::largest_memory: return worst + "largest memory of any path (tokens)";
    case Measure::overflow_frequency: return worst + "share of paths that overflow";
    case Measure::cancellations: return worst + "cancellations a path";
    case Measure::iterations: return worst + "iterations a path";
    case Measure::of_requests: break;
    case Measure::argmax:
        return fmt::format("{} of the largest E[TEL] / E[{}]", typeset(worst_over), base);
    }
    return base;
}

} // namespace crx
