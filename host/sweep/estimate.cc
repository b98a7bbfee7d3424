#include "host/sweep/estimate.hh"

#include "analysis/baseline/hindsight_baselines.hh"
#include "analysis/statistics/baseline_name.hh"
#include "host/experiment/iteration_setting.hh"
#include "host/experiment/paths.hh"
#include "host/experiment/sweep_plan.hh"
#include "host/store/sums_text.hh"
#include "host/sweep/gpu_plan.hh"
#include "host/sweep/progress.hh"
#include "kernels/base/counted.hh"

#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <sys/resource.h>
#include <tbb/global_control.h>

namespace crx {

namespace {

/// What a measurement takes unless the work is done before.
constexpr double enough_seconds = 0.02;

/// Of this process, on all its threads.
double processor_seconds()
{
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

} // namespace

Cost measure_cost(FirstInstances const& run, std::int64_t target, double most_seconds,
                  std::function<bool()> const& stop_asked, bool waits)
{
    Cost cost;
    auto const all = std::chrono::steady_clock::now();
    for (std::int64_t count = 1;; count = std::min(4 * count, target)) {
        auto const begin = waits ? seconds_since(all) : processor_seconds();
        StopCondition stop;
        stop.stop_asked = [&] { return seconds_since(all) > most_seconds || stop_asked(); };
        stop.grace = 0;
        auto done = run({0, count}, stop);
        double const seconds = (waits ? seconds_since(all) : processor_seconds()) - begin;
        if (done.count > 0)
            cost = {seconds / static_cast<double>(done.count), false, std::move(done.tally),
                    done.count, std::move(done.engines)};
        else if (cost.instances == 0)
            cost = {seconds, true, {}, 0, std::move(done.engines)};
        if (seconds >= enough_seconds || count >= target || done.count < count) return cost;
    }
}

namespace {

using Steady = std::chrono::steady_clock;

/// Seconds for all measurements, at most for one of them, and at least for each in the first cell.
constexpr double all_seconds = 20, most_seconds = 8, least_seconds = 0.25;
constexpr std::size_t most_measured_cells = 24;
constexpr double chunk_seconds = 0.3; ///< as SweepSettings has it

/// Costs of one thing summed over the measured cells.
struct Line
{
    std::string name;
    double seconds = 0;
    bool at_least = false;
    std::set<std::string> engines = {};

    void add(Cost const& cost)
    {
        seconds += cost.seconds;
        at_least = at_least || cost.at_least;
        engines.insert(cost.engines.begin(), cost.engines.end());
    }
};

/// The cell with one of its policies and nothing to divide by.
Cell with_policy(Cell const& cell, std::size_t policy)
{
    auto alone = cell;
    alone.policies = {cell.policies[policy]};
    if (!cell.laws.empty()) alone.laws = {cell.laws[policy]};
    if (!cell.orders.empty()) alone.orders = {cell.orders[policy]};
    for (auto& wanted : alone.baseline) wanted = false;
    alone.host_baselines = nullptr;
    return alone;
}

double megabytes_of_process()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Rows of a chunk: a key, numbers and their text.
double bytes_of_chunk(Tally const& tally)
{
    constexpr double of_row = 60;
    double bytes = 0;
    for (auto const& policy : tally) {
        OutcomeSums const& own = policy.sums;
        bytes += of_row + static_cast<double>(to_text(own, policy.measures).size());
        for (int k = 0; k < baseline_kinds; ++k)
            if (!policy.histogram[k].empty())
                bytes += of_row + static_cast<double>(
                                      to_text(policy.sums.ratio[k], policy.histogram[k]).size());
    }
    return bytes;
}

std::string bytes_text(double bytes)
{
    if (bytes < 1e6) return fmt::format("{:.0f} kB", bytes / 1e3);
    return bytes < 1e9 ? fmt::format("{:.1f} MB", bytes / 1e6)
                       : fmt::format("{:.1f} GB", bytes / 1e9);
}

/// Places 0 .. count-1 evenly among the cells, in an order whose beginnings are even too.
std::vector<std::size_t> places(std::size_t count, std::size_t cells)
{
    std::vector<std::size_t> all;
    for (double k = 0; all.size() < count; ++k) {
        double const share = std::fmod(0.5 + k * 0.6180339887498949, 1);
        auto const place = static_cast<std::size_t>(share * static_cast<double>(cells));
        if (std::ranges::find(all, place) == all.end()) all.push_back(place);
    }
    return all;
}

/// How long measuring may go on.
class Budget
{
  public:
    explicit Budget(std::function<bool()> const& stop_asked) : stop_asked_(stop_asked) {}

    double left() const { return all_seconds - seconds_since(begin_); }
    bool is_over() const { return left() <= 0 || stop_asked_(); }
    std::function<bool()> const& stop_asked() const { return stop_asked_; }

  private:
    std::function<bool()> const& stop_asked_;
    Steady::time_point begin_ = Steady::now();
};

class Measurement
{
  public:
    Measurement(Experiment const& experiment, Budget const& budget)
        : experiment_(experiment), budget_(budget)
    {
        for (auto const& policy : experiment.policies) lines_.push_back({"policy " + policy.label});
        for (auto const& id : experiment.baselines) {
            kinds_.push_back(*baseline_named(id));
            lines_.push_back({"baseline " + id});
        }
        lines_.push_back({"all together"});
    }

    /// Takes the cell into account. One in which the time ran out is left out, unless it is the
    /// first: that one is given its time part by part.
    void measure_cell(PlannedCell const& planned)
    {
        auto const made = experiment_.make_cell(planned.sweep, planned.coordinates);
        auto const costs =
            made.paths != nullptr ? costs_of_paths(*made.paths) : costs_of(made.cell);
        if (costs.size() < lines_.size()) return;
        for (std::size_t i = 0; i < lines_.size(); ++i) lines_[i].add(costs[i]);
        ++cells_;
        bytes_ += made.paths != nullptr ? bytes_of_paths(*made.paths, costs.back())
                                        : bytes_of(costs.back(), planned.identity.size());
        measured_.push_back(&planned);
    }

    /// `backend`: where the sweep would run.
    std::string text(std::size_t cells, int threads, double megabytes_before,
                     Backend const& backend) const
    {
        double const share = static_cast<double>(cells) / static_cast<double>(cells_);
        auto const instances = static_cast<double>(experiment_.stop.instances);
        std::size_t width = 0;
        for (auto const& line : lines_) width = std::max(width, line.name.size());
        auto text = fmt::format("measured in {} of {} with one thread of the CPU; seconds of one "
                                "processor, each alone\n",
                                cells_, counted(static_cast<std::int64_t>(cells), "cell"));
        for (auto const& line : lines_)
            text += fmt::format(
                "  {:<{}}  {}{:>9.3g} s an instance  {}{}{}\n", line.name, width,
                line.at_least ? ">" : " ", line.seconds / static_cast<double>(cells_),
                line.at_least ? "more than " : "", duration_text(line.seconds * share * instances),
                line.engines.empty() ? "" : fmt::format("  by {}", fmt::join(line.engines, ", ")));
        auto const& all = lines_.back();
        text += fmt::format("time: {} {} with {}\n", all.at_least ? "more than" : "about",
                            duration_text(all.seconds * share * instances / threads),
                            counted(threads, "thread"));
        double const used = megabytes_of_process(); // before a GPU's context
        std::vector<PlannedCell> made;
        for (auto const* const cell : measured_)
            if (backend.name == "cuda")
                made.push_back(experiment_.make_cell(cell->sweep, cell->coordinates));
        text += gpu_plan_text(backend, made,
                              {all.at_least ? 0 : all.seconds / static_cast<double>(cells_),
                               static_cast<double>(cells) * instances, threads},
                              target(), budget_.stop_asked());
        text += fmt::format("memory: about {:.0f} MB\n",
                            megabytes_before + (used - megabytes_before) * threads);
        return text + fmt::format("store: about {}\n", bytes_text(60e3 + bytes_ * share));
    }

    std::size_t cells() const { return cells_; }

  private:
    std::int64_t target() const { return experiment_.stop.instances; }

    /// Measures one more part of a cell; false where there is no time for it.
    bool measure(FirstInstances const& run, std::vector<Cost>& costs, bool waits = false) const
    {
        bool const first = cells_ == 0;
        if (budget_.stop_asked()() || (!first && budget_.is_over())) return false;
        auto const parts_left = static_cast<double>(lines_.size() - costs.size());
        double const share = first ? std::max(budget_.left() / parts_left, least_seconds)
                                   : std::max(budget_.left(), 0.0);
        costs.push_back(measure_cost(run, target(), std::min(share, most_seconds),
                                     budget_.stop_asked(), waits));
        return !costs.back().at_least || (!budget_.stop_asked()() && (first || !budget_.is_over()));
    }

    std::vector<Cost> costs_of(Cell const& cell) const
    {
        std::vector<Cost> costs;
        auto const of = [&](Cell const& part) {
            return measure([&](auto range, auto& stop) { return launch_host(part, range, stop); },
                           costs, order_of(part, 0) != nullptr);
        };
        for (std::size_t p = 0; p < cell.policies.size(); ++p)
            if (!of(with_policy(cell, p))) return {};
        for (auto const kind : kinds_) {
            auto alone = with_policy(cell, 0);
            alone.baseline[static_cast<int>(kind)] = true;
            if (static_cast<int>(kind) >= engine_baselines)
                alone.host_baselines = std::make_shared<baseline::HindsightBaselines>(
                    std::vector{kind}, experiment_.detail->baseline_plan.effort);
            if (!of(alone)) return {};
            costs.back().seconds = std::max(costs.back().seconds - costs.front().seconds, 0.0);
            costs.back().engines.clear();
        }
        if (!of(cell)) return {};
        return without_parts(std::move(costs));
    }

    std::vector<Cost> costs_of_paths(IterationSetting const& setting) const
    {
        std::vector<Cost> costs;
        Cost all;
        for (auto const& entry : setting.policies) {
            auto alone = setting;
            alone.policies = {entry};
            auto const run = [&](InstanceRange range, StopCondition const& stop) {
                return Launched{{}, launch_paths_host(alone, range, stop).count, {}};
            };
            if (!measure(run, costs)) return {};
            costs.back().engines = {path_engine(entry.spec, setting).name};
            all.seconds += costs.back().seconds;
            all.at_least = all.at_least || costs.back().at_least;
        }
        costs.push_back(all);
        return costs;
    }

    /// The last cost is that of all together: no less than of the policies alone, where it was cut
    /// short, and without their engines.
    std::vector<Cost> without_parts(std::vector<Cost> costs) const
    {
        double parts = 0;
        for (std::size_t p = 0; p < experiment_.policies.size(); ++p) parts += costs[p].seconds;
        auto& all = costs.back();
        if (all.at_least) all.seconds = std::max(all.seconds, parts);
        all.engines.clear();
        return costs;
    }

    /// A chunk holds what fits in its seconds; the first ones are smaller.
    double bytes_of(Cost const& all, std::size_t identity) const
    {
        auto const instances = static_cast<double>(target());
        double const chunk =
            std::clamp(chunk_seconds / std::max(all.seconds, 1e-9), 1.0, instances);
        double const chunks = instances / chunk + (chunk > 1 ? std::log(chunk) / std::log(16) : 0);
        double bytes = static_cast<double>(identity) + 400;
        if (all.instances > 0)
            bytes += chunks * bytes_of_chunk(all.tally) *
                     std::sqrt(std::max(1.0, chunk / static_cast<double>(all.instances)));
        return bytes;
    }
    double bytes_of_paths(IterationSetting const& setting, Cost const& all) const
    {
        auto const types = setting.by_type ? setting.load.types.size() : 0;
        auto const paths = static_cast<double>(target());
        auto const horizons =
            static_cast<double>(setting.policies.size() * setting.horizons().size());
        auto const chunks = std::clamp(paths * all.seconds / chunk_seconds, 1.0, paths);
        // Of each group in a chunk a histogram has some thousand bins at three bytes each.
        auto const of_measure = 3000 * std::min<double>(measure_groups, paths / chunks);
        auto const measures = std::ranges::count(setting.measures.kept, true);
        return horizons * (paths * (130 + 90 * static_cast<double>(types)) +
                           chunks * of_measure * static_cast<double>(measures));
    }

    Experiment const& experiment_;
    Budget const& budget_;
    std::vector<BaselineKind> kinds_;
    std::vector<Line> lines_; ///< policies, baselines, and all together
    std::vector<PlannedCell const*> measured_;
    std::size_t cells_ = 0;
    double bytes_ = 0;
};

std::string head_text(Experiment const& experiment, std::vector<PlannedCell> const& cells)
{
    std::string text, refined;
    for (auto const& sweep : experiment.sweeps) {
        auto const count = std::ranges::count(cells, sweep.name, &PlannedCell::sweep);
        text +=
            fmt::format("sweep {}: {}{}\n", sweep.name, counted(count, "cell"),
                        sweep.refinement ? fmt::format(", and those of {} of refinement along {}",
                                                       counted(sweep.refinement->rounds, "round"),
                                                       sweep.refinement->axis)
                                         : "");
    }
    text += fmt::format(
        "{} a cell{}\n", counted(experiment.stop.instances, "instance"),
        experiment.stop.half_width ? " at most, fewer where half_width is reached before" : "");
    return text;
}

} // namespace

std::string plan_text(Experiment const& experiment, std::vector<PlannedCell> const& cells,
                      int threads, Backend const& backend, std::function<bool()> const& stop_asked)
{
    auto const text = head_text(experiment, cells);
    std::string const end = "nothing is written; without --plan the sweep runs\n";
    tbb::global_control const one(tbb::global_control::max_allowed_parallelism, 1);
    double const megabytes_before = megabytes_of_process();
    Budget const budget(stop_asked);
    Measurement measurement(experiment, budget);
    for (auto const place : places(std::min(most_measured_cells, cells.size()), cells.size())) {
        if (stop_asked() || (measurement.cells() > 0 && budget.is_over())) break;
        measurement.measure_cell(cells[place]);
    }
    if (measurement.cells() == 0) return text + "nothing was measured\n" + end;
    return text + measurement.text(cells.size(), threads, megabytes_before, backend) + end;
}

} // namespace crx
