#include "host/sweep/estimate.hh"

#include "analysis/baseline/hindsight_baselines.hh"
#include "analysis/statistics/baseline_name.hh"
#include "host/counted.hh"
#include "host/experiment/sweep_plan.hh"
#include "host/iteration/iteration_setting.hh"
#include "host/iteration/path_backend.hh"
#include "host/store/integer_text.hh"
#include "host/sweep/progress.hh"

#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <sys/resource.h>
#include <tbb/global_control.h>

namespace crx {

namespace {

using Steady = std::chrono::steady_clock;

/// Seconds for all measurements, for one of them, and that one takes unless it is slower.
constexpr double all_seconds = 20, most_seconds = 8, enough_seconds = 0.02;
constexpr std::size_t most_cells = 24;
constexpr double chunk_seconds = 0.3; ///< as SweepSettings has it

double seconds_since(Steady::time_point begin)
{
    return std::chrono::duration<double>(Steady::now() - begin).count();
}

/// Seconds of an instance, or the least that they are.
struct Cost
{
    double seconds = 0;
    bool at_least = false;
    Tally tally = {};
    std::int64_t instances = 0; ///< in the tally
};

/// Costs summed over the measured cells.
struct Line
{
    std::string name;
    double seconds = 0;
    bool at_least = false;

    void add(Cost const& cost, double without = 0)
    {
        seconds += std::max(cost.seconds - without, 0.0);
        at_least = at_least || cost.at_least;
    }
};

/// Runs a cell's first instances, more and more of them until that takes long enough.
Cost measure(Cell const& cell, std::int64_t target, std::function<bool()> const& stop_asked)
{
    Cost cost;
    for (std::int64_t count = 1;; count = std::min(4 * count, target)) {
        auto const begin = Steady::now();
        StopCondition stop;
        stop.stop_asked = [&] { return seconds_since(begin) > most_seconds || stop_asked(); };
        stop.grace = 0;
        auto const done = launch_host(cell, {0, count}, stop);
        double const seconds = seconds_since(begin);
        if (done.count > 0)
            cost = {seconds / static_cast<double>(done.count), false, done.tally, done.count};
        else
            cost = {seconds, true};
        if (seconds >= enough_seconds || count >= target || done.count < count) return cost;
    }
}

/// The same of paths of the iteration model.
Cost measure(IterationSetting const& setting, std::int64_t target,
             std::function<bool()> const& stop_asked)
{
    Cost cost;
    for (std::int64_t count = 1;; count = std::min(4 * count, target)) {
        auto const begin = Steady::now();
        StopCondition stop;
        stop.stop_asked = [&] { return seconds_since(begin) > most_seconds || stop_asked(); };
        stop.grace = 0;
        auto const done = launch_paths_host(setting, {0, count}, stop).count;
        double const seconds = seconds_since(begin);
        cost = {done > 0 ? seconds / static_cast<double>(done) : seconds, done == 0};
        if (seconds >= enough_seconds || count >= target || done < count) return cost;
    }
}

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

/// Rows of a chunk: numbers in decimal, and the bins of the histograms that it fills.
double bytes_of_chunk(Tally const& tally)
{
    double bytes = 60;
    for (auto const& policy : tally) {
        bytes += 250;
        for (auto const& histogram : policy.histogram)
            if (!histogram.empty()) bytes += 200 + static_cast<double>(to_text(histogram).size());
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

class Estimate
{
  public:
    Estimate(Experiment const& experiment, std::function<bool()> const& stop_asked)
        : experiment_(experiment), stop_asked_(stop_asked)
    {
        for (auto const& policy : experiment.policies) lines_.push_back({"policy " + policy.label});
        for (auto const& id : experiment.baselines) {
            kinds_.push_back(*baseline_named(id));
            lines_.push_back({"baseline " + id});
        }
    }

    void measure_cell(PlannedCell const& planned)
    {
        auto const made = experiment_.make_cell(planned.sweep, planned.coordinates);
        if (made.paths != nullptr) return measure_paths(*made.paths);
        auto const& cell = made.cell;
        auto const target = experiment_.stop.instances;
        double first = 0;
        for (std::size_t p = 0; p < cell.policies.size(); ++p) {
            auto const cost = measure(with_policy(cell, p), target, stop_asked_);
            if (p == 0) first = cost.seconds;
            lines_[p].add(cost);
        }
        for (std::size_t k = 0; k < kinds_.size(); ++k) {
            auto alone = with_policy(cell, 0);
            alone.baseline[static_cast<int>(kinds_[k])] = true;
            if (static_cast<int>(kinds_[k]) >= engine_baselines)
                alone.host_baselines = std::make_shared<baseline::HindsightBaselines>(
                    std::vector{kinds_[k]}, experiment_.detail->baseline_plan.effort);
            lines_[cell.policies.size() + k].add(measure(alone, target, stop_asked_), first);
        }
        auto const all = measure(cell, target, stop_asked_);
        together_.add(all);
        ++cells_;
        // A chunk holds what fits in its seconds; the first ones are smaller.
        double const chunk = std::clamp(chunk_seconds / std::max(all.seconds, 1e-9), 1.0,
                                        static_cast<double>(target));
        double const chunks =
            static_cast<double>(target) / chunk + (chunk > 1 ? std::log(chunk) / std::log(16) : 0);
        if (all.instances > 0)
            bytes_ += chunks * bytes_of_chunk(all.tally) *
                      std::sqrt(std::max(1.0, chunk / static_cast<double>(all.instances)));
        bytes_ += static_cast<double>(planned.identity.size()) + 400;
    }

    std::string text(std::size_t cells, int threads, double megabytes_before) const
    {
        double const share = static_cast<double>(cells) / static_cast<double>(cells_);
        auto const instances = static_cast<double>(experiment_.stop.instances);
        std::size_t width = 0;
        for (auto const& line : lines_) width = std::max(width, line.name.size());
        auto const row = [&](Line const& line) {
            return fmt::format(
                "  {:<{}}  {}{:>9.3g} s an instance  {}{}\n", line.name, width,
                line.at_least ? ">" : " ", line.seconds / static_cast<double>(cells_),
                line.at_least ? "more than " : "", duration_text(line.seconds * share * instances));
        };
        auto text = fmt::format("measured in {} of {} with one thread of the CPU; seconds of one "
                                "processor, each alone\n",
                                cells_, counted(static_cast<std::int64_t>(cells), "cell"));
        for (auto const& line : lines_) text += row(line);
        auto all = together_;
        all.name = "all together";
        text += row(all);
        text += fmt::format("time: about {} with {}\n",
                            duration_text(all.seconds * share * instances / threads),
                            counted(threads, "thread"));
        double const used = megabytes_of_process();
        text += fmt::format("memory: about {:.0f} MB\n",
                            megabytes_before + (used - megabytes_before) * threads);
        return text + fmt::format("store: about {}\n", bytes_text(60e3 + bytes_ * share));
    }

    std::size_t cells() const { return cells_; }

  private:
    void measure_paths(IterationSetting const& setting)
    {
        auto const target = experiment_.stop.instances;
        Cost all;
        for (std::size_t p = 0; p < setting.policies.size(); ++p) {
            auto alone = setting;
            alone.policies = {setting.policies[p]};
            auto const cost = measure(alone, target, stop_asked_);
            lines_[p].add(cost);
            all = {all.seconds + cost.seconds, all.at_least || cost.at_least};
        }
        together_.add(all);
        ++cells_;
        auto const types = setting.by_type ? setting.load.types.size() : 0;
        bytes_ += static_cast<double>(target) * static_cast<double>(setting.policies.size()) *
                  static_cast<double>(setting.horizons().size()) *
                  (130 + 90 * static_cast<double>(types));
    }

    Experiment const& experiment_;
    std::function<bool()> const& stop_asked_;
    std::vector<BaselineKind> kinds_;
    std::vector<Line> lines_;
    Line together_;
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
                      int threads, std::function<bool()> const& stop_asked)
{
    auto text = head_text(experiment, cells);
    tbb::global_control const one(tbb::global_control::max_allowed_parallelism, 1);
    double const megabytes_before = megabytes_of_process();
    auto const begin = Steady::now();
    Estimate estimate(experiment, stop_asked);
    for (auto const place : places(std::min(most_cells, cells.size()), cells.size())) {
        if (estimate.cells() > 0 && (seconds_since(begin) > all_seconds || stop_asked())) break;
        estimate.measure_cell(cells[place]);
    }
    return text + estimate.text(cells.size(), threads, megabytes_before) +
           "nothing is written; without --plan the sweep runs\n";
}

} // namespace crx
