#include "kernels/cpu/single.hh"

#include "kernels/engines/lists/execute_list.hh"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace crx {
void record_point(void* timeline, Instant time, Tokens held, std::int64_t active,
                  std::int64_t waiting)
{
    static_cast<std::vector<TimelinePoint>*>(timeline)->push_back({time, held, active, waiting});
}

Requests requests_of(OwnedInstance& instance)
{
    return {instance.requests(),    instance.memory,        instance.arrival.data(),
            instance.prompt.data(), instance.output.data(), instance.lower.data(),
            instance.upper.data(),  instance.clock};
}

void OwnedInstance::resize(std::size_t n)
{
    arrival.resize(n);
    for (auto* lengths : {&prompt, &output, &lower, &upper}) lengths->resize(n);
}

OwnedInstance generate_single(Workload const& workload, std::int64_t number)
{
    OwnedInstance instance;
    instance.memory = workload.memory;
    instance.clock = workload.clock;
    instance.resize(static_cast<std::size_t>(workload.requests));
    generate(view_of(workload), static_cast<std::uint64_t>(number), requests_of(instance));
    return instance;
}

OwnedInstance generate_single(InstanceSource const& source, std::uint64_t seed, std::int64_t number)
{
    OwnedInstance instance;
    instance.resize(static_cast<std::size_t>(source.most_requests()));
    auto requests = requests_of(instance);
    source.generate(seed, static_cast<std::uint64_t>(number), requests);
    instance.memory = requests.memory;
    instance.resize(static_cast<std::size_t>(requests.n));
    return instance;
}

namespace {

/// What `execute`, called with a log, writes down of n requests.
template <class Execute>
SingleRun recorded(std::size_t n, Execute execute)
{
    SingleRun run;
    run.start.resize(n);
    run.completion.resize(n);
    run.cancellations.resize(n);
    run.outcome = execute(ScheduleLog{run.start.data(), run.completion.data(),
                                      run.cancellations.data(), record_point, &run.timeline});
    return run;
}

} // namespace

SingleRun execute_single(PolicySpec const& spec, OwnedInstance const& given, std::uint64_t seed,
                         std::int64_t number)
{
    auto instance = given;
    return execute_single(spec, requests_of(instance), seed, number);
}

SingleRun execute_single(PolicySpec const& spec, Requests const& requests, std::uint64_t seed,
                         std::int64_t number)
{
    auto const bytes = host_engine_bytes(spec, requests.n);
    auto const block = std::make_unique_for_overwrite<std::byte[]>(bytes);
    return recorded(static_cast<std::size_t>(requests.n), [&](ScheduleLog const& log) {
        return with_policy(spec, [&]<class P>(P const& policy) {
            return execute_on_host(policy, requests, seed, static_cast<std::uint64_t>(number),
                                   block.get(), bytes, log);
        });
    });
}

SingleRun execute_in_order(OwnedInstance const& given, std::vector<std::size_t> const& order)
{
    auto instance = given;
    return recorded(order.size(), [&](ScheduleLog const& log) {
        return execute_in_order(requests_of(instance), order, log);
    });
}

namespace {

template <class Bound>
std::int64_t bound_of(OwnedInstance instance)
{
    CRX_EXPECT(!instance.clock.affine());
    auto const bytes = Bound::arena_bytes(instance.requests());
    auto const block = std::make_unique_for_overwrite<std::byte[]>(bytes);
    Arena arena(block.get(), bytes);
    return Bound(arena, instance.requests()).execute(requests_of(instance));
}

} // namespace

std::int64_t volume_bound(OwnedInstance const& given)
{
    CRX_EXPECT(std::ranges::all_of(given.arrival, [](Instant a) { return a == 0; }));
    return bound_of<VolumeBound>(given);
}

std::int64_t release_bound(OwnedInstance const& given) { return bound_of<ReleaseBound>(given); }

} // namespace crx
