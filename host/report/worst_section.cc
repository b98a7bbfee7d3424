#include "analysis/statistics/baseline_name.hh"
#include "host/error.hh"
#include "host/experiment/experiment.hh"
#include "host/plot/panel_source.hh"
#include "host/plot/replay_figure.hh"
#include "host/report/replay_line.hh"
#include "host/report/worst_runs.hh"
#include "host/store/identity_difference.hh"
#include "kernels/base/seconds_since.hh"

#include <fmt/format.h>

namespace crx::report {

namespace {

/// Requests or iterations of a run that is not run again for a page: it would take too long.
constexpr double longest_run = 300'000;
/// Seconds after which no further run begins.
constexpr double most_seconds = 2;
constexpr std::size_t slices = 150; ///< of a timeline's axis

/// Runs of a store again, one after the other.
class Replays
{
  public:
    explicit Replays(ReportedStore const& store) : store_(store) {}

    /// The timeline of a run; throws InputError, saying why, where it cannot be had here.
    plot::Figure timeline(WorstRun const& run)
    {
        if (seconds_since(begin_) > most_seconds)
            throw InputError("left out for the time that it takes");
        if (length_of(run) > longest_run) throw InputError("left out, as the run is long");
        auto const planned = cell_of(*run.cell);
        auto const& label = store_.contents.header.policies[run.policy].label;
        ReplayPlace const place{run.cell->index, run.instance, slices};
        if (planned.paths != nullptr) {
            auto const& policy = planned.paths->policies[run.policy];
            return path_figure(place, policy,
                               replay_path(planned.paths->cell(policy), run.instance));
        }
        CellReplay replay(planned.cell, run.instance);
        auto const single = replay.execute(run.policy);
        return instance_figure(place, subject_of(planned.cell, replay, single, label), single);
    }

  private:
    static double length_of(WorstRun const& run)
    {
        if (run.cell->paths == nullptr) return value_of(*run.cell, "requests").value_or(0);
        auto const& path = run.cell->paths->at(run.policy)[static_cast<std::size_t>(run.instance)];
        return static_cast<double>(path.tallies.back().iterations);
    }

    PlannedCell cell_of(CellResult const& cell)
    {
        auto const& header = store_.contents.header;
        if (!experiment_)
            experiment_ = Experiment::parse(header.text, store_.name + ":experiment", header.folder,
                                            header.overrides);
        auto coordinates = cell.coordinates;
        if (cell.paths != nullptr)
            std::erase_if(coordinates,
                          [](auto const& c) { return c.first == "horizon" || c.first == "type"; });
        auto planned = experiment_->make_cell(cell.sweep, coordinates);
        if (!cell.identity.empty() && cell.paths == nullptr)
            if (auto const difference = describe_difference(cell.identity, planned.identity);
                !difference.empty())
                throw InputError("the cell is not what it was when it was run\n" + difference);
        return planned;
    }

    ReportedStore const& store_;
    std::optional<Experiment> experiment_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

std::string worst_table(ReportedStore const& store, std::vector<WorstRun> const& runs)
{
    auto const& header = store.contents.header;
    bool const paths = header.model == Model::iterations;
    std::vector<std::vector<TableCell>> rows;
    for (auto const& run : runs) {
        auto const& label = header.policies[run.policy].label;
        rows.push_back({{escaped(label)},
                        {fmt::format("{:.6g}", run.value), run.value},
                        {fmt::format("{}: {}", run.cell->index,
                                     escaped(point_text(run.cell->sweep, run.cell->coordinates))),
                         static_cast<double>(run.cell->index)},
                        {std::to_string(run.instance), static_cast<double>(run.instance)},
                        {command(replay_line(store.name, run.cell->index, run.instance, label))}});
    }
    auto const value =
        paths ? std::string("mean latency (s)") : "ratio over " + escaped(header.baselines.front());
    return table(fmt::format("The worst {} of each policy", paths ? "path" : "instance"),
                 {"policy", value, "cell", paths ? "path" : "instance", "runs it again"}, rows);
}

} // namespace

std::string worst_section(ReportedStore const& store, std::size_t most, Notes& notes)
{
    auto const runs = worst_runs(store.contents);
    if (runs.empty()) return {};
    auto text = heading(store, "worst", "Worst instances") + worst_table(store, runs);
    Replays replays(store);
    for (std::size_t i = 0; i < std::min(most, runs.size()); ++i) {
        auto const& label = store.contents.header.policies[runs[i].policy].label;
        try {
            auto figure = replays.timeline(runs[i]);
            auto const title = html_of_enhanced(figure.title),
                       caption = html_of_enhanced(figure.caption);
            figure.title.clear();
            figure.caption.clear();
            text += "<figure class=\"timeline\">\n<h4>" + title + "</h4>\n<div class=\"printed\">" +
                    printed_figure(figure, "Memory and requests over time: " + label, notes) +
                    "</div>\n<figcaption>" + caption + "</figcaption>\n</figure>\n";
        } catch (InputError const& error) {
            text += fmt::format(
                "<p>The timeline of {} is not here: {}. {}</p>\n", escaped(label),
                escaped(error.what()),
                command(replay_line(store.name, runs[i].cell->index, runs[i].instance, label) +
                        " --plot timeline.svg"));
        }
    }
    return text;
}

} // namespace crx::report
