#include "kernels/backends/cpu/single.hh"

#include "kernels/backends/cpu/execute_host.hh"
#include "kernels/policies/arrival_order.cuh"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace crx {
namespace {

void record(void* timeline, Instant time, Tokens held, std::int64_t active, std::int64_t waiting)
{
    static_cast<std::vector<TimelinePoint>*>(timeline)->push_back({time, held, active, waiting});
}

} // namespace

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

SingleRun execute_single(PolicySpec const& spec, OwnedInstance const& given, std::uint64_t seed,
                         std::int64_t number)
{
    auto instance = given;
    SingleRun run;
    auto const n = instance.output.size();
    run.start.resize(n);
    run.completion.resize(n);
    run.cancellations.resize(n);
    ScheduleLog const log{run.start.data(), run.completion.data(), run.cancellations.data(), record,
                          &run.timeline};
    auto const bytes = host_engine_bytes(spec, instance.requests());
    auto const block = std::make_unique_for_overwrite<std::byte[]>(bytes);
    run.outcome = with_policy(spec, [&]<class P>(P const& policy) {
        return execute_on_host(policy, requests_of(instance), seed,
                               static_cast<std::uint64_t>(number), block.get(), bytes, log);
    });
    return run;
}

namespace {

/// The requests in another order. Known lengths are all that the prefix rule reads.
OwnedInstance in_order(Requests const& requests, std::vector<std::size_t> const& order)
{
    CRX_EXPECT(order.size() == static_cast<std::size_t>(requests.n));
    OwnedInstance ordered;
    ordered.memory = requests.memory;
    ordered.clock = requests.clock;
    ordered.arrival.assign(order.size(), 0);
    for (auto const i : order) {
        CRX_EXPECT(requests.arrival[i] == 0);
        ordered.prompt.push_back(requests.prompt[i]);
        ordered.output.push_back(requests.output[i]);
    }
    ordered.lower = ordered.upper = ordered.output;
    return ordered;
}

} // namespace

// As in the other execute_in_order.
SingleRun execute_in_order(OwnedInstance const& given, std::vector<std::size_t> const& order)
{
    auto instance = given;
    auto run =
        execute_single({ArrivalOrder::kind, {}}, in_order(requests_of(instance), order), 0, 0);
    auto const start = run.start, completion = run.completion;
    for (std::size_t place = 0; place < order.size(); ++place) {
        run.start[order[place]] = start[place];
        run.completion[order[place]] = completion[place];
    }
    return run;
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
