#include "host/plot/replay_figure.hh"

#include "analysis/plot/timeline_figure.hh"
#include "kernels/base/counted.hh"

#include <fmt/core.h>

namespace crx {

namespace {

std::vector<std::string> numbered(std::size_t n)
{
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < n; ++i) ids.push_back(std::to_string(i));
    return ids;
}

} // namespace

RunSubject subject_of(Cell const& cell, CellReplay const& replay, SingleRun const& run,
                      std::string const& label)
{
    auto const drawn = cell.source != nullptr;
    return {label,
            drawn ? replay.instance().memory : cell.workload.memory,
            cell.workload.seed,
            numbered(run.start.size()),
            drawn ? replay.instance().requests() : cell.workload.requests,
            cell.workload.clock};
}

plot::Figure instance_figure(ReplayPlace const& place, RunSubject const& subject,
                             SingleRun const& run)
{
    bool const affine = subject.clock.affine();
    auto const text = [&](std::int64_t time) {
        return affine ? fmt::format("{:.3f} s", 1e-9 * static_cast<double>(time))
                      : counted(time, "round");
    };
    plot::TimelineTexts const texts{
        fmt::format("{}, cell {}, instance {}", subject.policy, place.cell, place.instance),
        fmt::format("{}, M = {} tokens; {}{}", counted(subject.requests, "request"), subject.memory,
                    run.outcome.finished != 0
                        ? fmt::format("total latency {}, makespan {}, ",
                                      text(run.outcome.total_latency), text(run.outcome.makespan))
                        : "not finished: " + reason_text(run.outcome.reason) + "; ",
                    counted(run.outcome.cancellations, "cancellation")),
        affine, place.slices};
    return plot::timeline_figure(run.timeline, subject.memory, texts);
}

plot::Figure path_figure(ReplayPlace const& place, IterationPolicyEntry const& policy,
                         PathReplay const& run)
{
    auto const& last = run.tallies.back();
    auto const memory = policy.spec.memory > 0 ? policy.spec.memory : last.peak_memory;
    plot::TimelineTexts const texts{
        fmt::format("{}, cell {}, path {}", policy.label, place.cell, place.instance),
        fmt::format(
            "{} arrivals, {} completed, {} iterations, {} cancellations; {}. Active: "
            "prompts in the batch; waiting: all others in the system.",
            last.arrivals, last.completed, last.iterations, last.cancelled,
            policy.spec.memory > 0
                ? fmt::format("M = {} tokens", memory)
                : fmt::format("no limit of memory: M is the largest it took, {} tokens", memory)),
        true, place.slices};
    return plot::timeline_figure(run.timeline, memory, texts);
}

} // namespace crx
