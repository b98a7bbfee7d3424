#include "kernels/backends/cpu/replay.hh"

namespace crx {
namespace {

void record(void* timeline, Rounds time, Tokens held, std::int64_t active, std::int64_t waiting)
{
    static_cast<std::vector<TimelinePoint>*>(timeline)->push_back({time, held, active, waiting});
}

} // namespace

CellReplay::CellReplay(Cell const& cell, std::int64_t number)
    : cell_(cell), number_(number), cohorts_(cell)
{
    if (all_by_cohorts(cell)) {
        cohorts_.draw_counts(number);
        return;
    }
    instance_ = cell.source != nullptr ? generate_single(*cell.source, cell.workload.seed, number)
                                       : generate_single(cell.workload, number);
    if (cohorts_.any()) cohorts_.count(instance_->output);
}

SingleRun CellReplay::execute(std::size_t policy)
{
    auto const& spec = cell_.policies[policy];
    if (auto const* const offline = order_of(cell_, policy))
        return execute_in_order(
            *instance_, offline->order(requests_of(*instance_), cell_.workload.seed, number_));
    if (engine_of(cell_, policy) == EngineKind::request)
        return execute_single(spec, *instance_, cell_.workload.seed, number_);
    SingleRun run;
    run.outcome =
        cohorts_.execute(spec, number_, {nullptr, nullptr, nullptr, record, &run.timeline});
    return run;
}

} // namespace crx
