#include "kernels/launch/single.hh"

#include "kernels/launch/execute_host.hh"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace crx {
namespace {

/// The engines read requests through mutable pointers because generators write through them.
Requests requests_of(OwnedInstance& instance)
{
    return {instance.requests(),    instance.memory,        instance.arrival.data(),
            instance.prompt.data(), instance.output.data(), instance.lower.data(),
            instance.upper.data()};
}

void record(void* timeline, Rounds time, Tokens held, std::int64_t active, std::int64_t waiting)
{
    static_cast<std::vector<TimelinePoint>*>(timeline)->push_back({time, held, active, waiting});
}

} // namespace

void OwnedInstance::resize(std::size_t n)
{
    arrival.resize(n);
    for (auto* lengths : {&prompt, &output, &lower, &upper}) lengths->resize(n);
}

OwnedInstance generate_single(Workload const& workload, std::int64_t number)
{
    OwnedInstance instance;
    instance.memory = workload.memory;
    instance.resize(static_cast<std::size_t>(workload.requests));
    generate(view_of(workload), static_cast<std::uint64_t>(number), requests_of(instance));
    return instance;
}

SingleRun execute_single(PolicySpec const& spec, OwnedInstance const& given, std::uint64_t seed,
                         std::int64_t number)
{
    auto instance = given;
    SingleRun run;
    auto const n = instance.output.size();
    run.start.resize(n);
    run.cancellations.resize(n);
    ScheduleLog const log{run.start.data(), run.cancellations.data(), record, &run.timeline};
    auto const bytes = host_engine_bytes(spec, instance.requests());
    auto const block = std::make_unique_for_overwrite<std::byte[]>(bytes);
    run.outcome = with_policy(spec, [&]<class P>(P const& policy) {
        return execute_on_host(policy, requests_of(instance), seed,
                               static_cast<std::uint64_t>(number), block.get(), bytes, log);
    });
    for (std::size_t i = 0; i < n; ++i) run.completion.push_back(run.start[i] + instance.output[i]);
    return run;
}

std::int64_t volume_bound(OwnedInstance const& given)
{
    auto instance = given;
    CRX_EXPECT(std::ranges::all_of(instance.arrival, [](Rounds a) { return a == 0; }));
    auto const bytes = VolumeBound::arena_bytes(instance.requests());
    auto const block = std::make_unique_for_overwrite<std::byte[]>(bytes);
    Arena arena(block.get(), bytes);
    return VolumeBound(arena, instance.requests()).execute(requests_of(instance));
}

} // namespace crx
