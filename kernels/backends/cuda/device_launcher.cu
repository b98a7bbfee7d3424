#include "kernels/backends/cuda/card_launch_names.hh"
#include "kernels/backends/cuda/current_card.cuh"
#include "kernels/backends/cuda/device_batch_run.cuh"
#include "kernels/backends/cuda/device_memory.hh"
#include "kernels/backends/cuda/slices.cuh"

namespace crx {
namespace {

/// The memory that a launch may take.
std::size_t usable_bytes() { return free_device_bytes() / 10 * 8; }

/// Bytes of arrays that engines and bounds take of an instance that is run request by request.
std::size_t engine_bytes_by_requests(Cell const& cell)
{
    auto const n = cell.workload.requests;
    auto bytes = std::max({VolumeBound::arena_bytes(n), sliced_bytes({}, n), warp_bytes({}, n)});
    for (std::size_t k = 0; k < cell.policies.size(); ++k)
        if (law_of(cell, k) == RandomLaw::request)
            bytes = std::max(
                {bytes, sliced_bytes(cell.policies[k], n), warp_bytes(cell.policies[k], n)});
    return cell.wants(BaselineKind::release) ? std::max(bytes, release_bytes(n)) : bytes;
}

} // namespace

Tally launch_device(Cell const& cell, InstanceRange range)
{
    use_card();
    CellEngines const chosen(cell, Processor::card);
    if (auto const refusal = card_refusal(cell); !refusal.empty())
        throw std::runtime_error(refusal);

    Tally tally(cell.policies.size());
    if (range.count == 0) return tally;

    DeviceWorkload const workload(cell.workload);
    Batch batch;
    batch.workload = workload.view();
    std::size_t classes = 0;
    CohortMemory cohorts;
    if (!all_by_cohorts(cell)) {
        batch.request_bytes = request_bytes(cell.workload.requests);
        batch.engine_bytes = engine_bytes_by_requests(cell);
    }
    if (any_by_cohorts(cell)) {
        classes = cell.workload.output_value.size();
        cohorts = cohort_memory(cell, chosen);
        batch.engine_bytes = std::max(batch.engine_bytes, cohorts.bytes);
    }

    auto const slot_bytes = batch.request_bytes + classes * sizeof(std::int64_t) + 640;
    auto const usable = usable_bytes();
    auto const held = card_slots(usable, range.count, slot_bytes, batch.engine_bytes,
                                 cohorts.compared_only ? full_card() : range.count);
    if (held.engines == 0)
        throw std::runtime_error("an instance needs " +
                                 std::to_string(slot_bytes + batch.engine_bytes) +
                                 " bytes on the device, usable are " + std::to_string(usable));
    auto const slots = held.slots;
    batch.engine_slots = held.engines;
    DeviceArray<char> requests(static_cast<std::size_t>(slots) * batch.request_bytes);
    DeviceArray<char> engines(static_cast<std::size_t>(held.engines) * batch.engine_bytes);
    batch.requests = requests.data();
    batch.engines = engines.data();
    DeviceArray<std::int64_t> counts(cell.workload.output_kind == OutputKind::table
                                         ? static_cast<std::size_t>(slots) * classes
                                         : 0);
    batch.counts = counts.data();
    DeviceArray<unsigned long long> counters(3);
    batch.queue = counters.data();
    batch.lost_count = counters.data() + 1;
    batch.unfinished = counters.data() + 2;
    batch.slice_events = cell.card_choice.slice_events;
    CardRuns const runs(cell, workload.view(), chosen);
    DeviceArray<std::int32_t> lost(static_cast<std::size_t>(slots));
    batch.lost = lost.data();
    for (std::int64_t done = 0; done < range.count; done += slots) {
        batch.first = range.first + done;
        batch.count = std::min(slots, range.count - done);
        BatchRun(cell, runs, batch).add_to(tally);
    }
    CRX_CUDA_CHECK(cudaDeviceSynchronize());
    return tally;
}

Launched launch_device(Cell const& cell, InstanceRange range, StopCondition const& stop_condition)
{
    LaunchWatch watch(range, stop_condition);
    WatchedSlices const slices(watch);
    try {
        return {launch_device(cell, range), range.count, {}};
    } catch (LaunchGivenUp const&) {
        return {Tally(cell.policies.size()), 0, {}};
    }
}

std::vector<std::string_view> card_launch_names()
{
    std::vector<std::string_view> names;
    for (auto const& launch : card_launches) names.push_back(launch.engine);
    return names;
}

} // namespace crx
