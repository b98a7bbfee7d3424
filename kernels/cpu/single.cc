#include "kernels/cpu/single.hh"

#include "kernels/engines/lists/execute_list.hh"
#include "kernels/model/longest_gaps.hh"

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
SingleRun recorded(Requests const& requests, Execute execute)
{
    auto const n = static_cast<std::size_t>(requests.n);
    SingleRun run;
    struct Use
    {
        Requests const& requests;
        SingleRun& to;
        LongestGaps gaps;
        Instant now; ///< when the last stretch ended
    } use{requests, run, {}, 0};
    use.gaps.begin(n, requests.clock);
    run.start.resize(n);
    run.completion.resize(n);
    run.cancellations.resize(n);
    for (auto* const times : {&run.first_start, &run.first_token, &run.first_shown})
        times->resize(n, -1);
    run.lost.resize(n);
    run.outcome = execute(ScheduleLog{
        .start = run.start.data(),
        .completion = run.completion.data(),
        .cancellations = run.cancellations.data(),
        .on_event = record_point,
        .context = &run.timeline,
        .first_start = run.first_start.data(),
        .first_token = run.first_token.data(),
        .first_shown = run.first_shown.data(),
        .lost = run.lost.data(),
        .on_stretch =
            [](void* into, Instant begin, Stretch const& s, Rounds rounds, std::int64_t time) {
                auto& [r, to, gaps, now] = *static_cast<Use*>(into);
                to.use.add(r.clock, r.memory, s, rounds, time);
                gaps.pass(begin, s, rounds, time);
                now = begin + time;
            },
        .on_run_end =
            [](void* into, std::int64_t i, Rounds generated) {
                auto& [r, to, gaps, now] = *static_cast<Use*>(into);
                auto const request = static_cast<std::size_t>(i);
                gaps.end_run(request, generated);
                if (generated == r.output[i] || to.cancelled.size() == to.most_cancelled_runs)
                    return;
                auto const start = to.start[request]; // later than now: idle until then
                to.cancelled.push_back({request, start, std::max(start, now)});
            },
        .stretch_context = &use});
    run.longest_gap.resize(n);
    for (std::size_t i = 0; i < n; ++i) run.longest_gap[i] = use.gaps.of(i);
    // An engine that serves a fixed order, under the unit clock, writes starts alone.
    for (std::size_t i = 0; i < n; ++i)
        if (run.completion[i] > 0 && run.first_token[i] < 0) {
            run.first_start[i] = run.start[i];
            run.first_token[i] = run.first_shown[i] = run.start[i] + 1;
            run.longest_gap[i] = requests.output[i] > 1 ? 1 : -1;
        }
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
    return recorded(requests, [&](ScheduleLog const& log) {
        return with_policy(spec, [&]<class P>(P const& policy) {
            return execute_on_host(policy, requests, seed, static_cast<std::uint64_t>(number),
                                   block.get(), bytes, log);
        });
    });
}

SingleRun execute_single(HostPolicy const& policy, OwnedInstance const& given, std::uint64_t seed,
                         std::int64_t number)
{
    auto instance = given;
    auto const requests = requests_of(instance);
    return recorded(
        requests, [&](ScheduleLog const& log) { return policy.run(requests, seed, number, log); });
}

SingleRun execute_in_order(OwnedInstance const& given, std::vector<std::size_t> const& order)
{
    auto instance = given;
    auto const requests = requests_of(instance);
    return recorded(requests,
                    [&](ScheduleLog const& log) { return execute_in_order(requests, order, log); });
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
