#include "kernels/engines/lists/execute_list.hh"
#include "kernels/engines/lists/mc_sf_batch.hh"
#include "kernels/engines/lists/two_instances.cuh"
#include "kernels/engines/rows.hh"
#include "kernels/policies/arrival_order.cuh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/shortest_first.cuh"

#include <memory>

namespace crx {

// mc-benchmark serves by arrival and index: with all arrivals at 0 that is the order of a copy.
// Known lengths are all that the prefix rule reads, and it cancels no request.
Outcome execute_in_order(Requests const& requests, std::vector<std::size_t> const& order,
                         ScheduleLog const& log)
{
    CRX_EXPECT(order.size() == static_cast<std::size_t>(requests.n));
    std::vector<Instant> arrival(order.size(), 0), start(order.size()), completion(order.size());
    std::vector<std::int32_t> prompt, output;
    for (auto const i : order) {
        CRX_EXPECT(requests.arrival[i] == 0);
        prompt.push_back(requests.prompt[i]);
        output.push_back(requests.output[i]);
    }
    Requests const copy{requests.n,    requests.memory, arrival.data(), prompt.data(),
                        output.data(), output.data(),   output.data(),  requests.clock};
    // Of the copy's requests only starts and completions are written, at the places of the others.
    ScheduleLog own{.cancellations = log.cancellations,
                    .on_event = log.on_event,
                    .context = log.context,
                    .abort_asked = log.abort_asked,
                    .abort_context = log.abort_context};
    if (log.start != nullptr) own.start = start.data();
    if (log.completion != nullptr) own.completion = completion.data();
    if (log.on_stretch != nullptr) {
        own.on_stretch = log.on_stretch;
        own.stretch_context = log.stretch_context;
    }
    auto const bytes = host_engine_bytes({ArrivalOrder::kind, {}}, requests.n);
    auto const block = std::make_unique_for_overwrite<std::byte[]>(bytes);
    auto const outcome = execute_on_host(ArrivalOrder{}, copy, 0, 0, block.get(), bytes, own);
    for (std::size_t place = 0; place < order.size(); ++place) {
        if (log.start != nullptr) log.start[order[place]] = start[place];
        if (log.completion != nullptr) log.completion[order[place]] = completion[place];
    }
    return outcome;
}

Outcome OfflineOrder::run(Requests const& requests, std::uint64_t seed, std::int64_t instance,
                          ScheduleLog const& log) const
{
    if (log.should_abort()) return {};
    auto const made = order(requests, seed, instance);
    return log.should_abort() ? Outcome{} : execute_in_order(requests, made, log);
}

namespace {

/// Allocates for every instance, as those policies do.
class HostPolicyRunner : public RequestsRunner
{
  public:
    HostPolicyRunner(PolicySpec const& spec, EngineCase const& c)
        : RequestsRunner(spec, c), policy_(*c.order)
    {
    }
    static double cost(PolicySpec const&, EngineCase const&) { return 1; }

  protected:
    std::optional<Outcome> run(Requests const& requests, std::int64_t instance, Arena&,
                               ScheduleLog const& log) override
    {
        return policy_.run(requests, seed_, instance, log);
    }

  private:
    HostPolicy const& policy_;
};

bool is_order(EngineCase const& c) { return dynamic_cast<OfflineOrder const*>(c.order) != nullptr; }

struct GivenOrderRunner final : HostPolicyRunner
{
    using HostPolicyRunner::HostPolicyRunner;
    static std::string refusal(PolicySpec const&, EngineCase const& c)
    {
        return is_order(c) ? "" : "no order is made beforehand for the policy";
    }
};

struct OwnPolicyRunner final : HostPolicyRunner
{
    using HostPolicyRunner::HostPolicyRunner;
    static std::string refusal(PolicySpec const&, EngineCase const& c)
    {
        return c.order != nullptr && !is_order(c) ? "" : "the policy is no user's own";
    }
};

class ListRunner final : public RequestsRunner
{
  public:
    using RequestsRunner::RequestsRunner;

    static std::string refusal(PolicySpec const& spec, EngineCase const& c)
    {
        if (c.order != nullptr) return "the policy is run by itself";
        auto const& policy = policy_info(spec.kind);
        if (!with_policy(spec, []<class P>(P const&) { return serves_in_order<P>; }))
            return "the policy cancels, or its order is not fixed at the start";
        if (!policy.knows_lengths && c.source == nullptr &&
            c.workload.interval.kind != IntervalKind::exact)
            return "the policy plans with a length that may not be the true one";
        if (!c.at_zero()) return "requests arrive over time";
        if (c.workload.clock.affine()) return "rounds last by the affine clock";
        return {};
    }
    static double cost(PolicySpec const&, EngineCase const&) { return 0.3; }
    static std::size_t bytes(PolicySpec const&, EngineCase const& c)
    {
        return execute_list_bytes(c.workload.requests);
    }

  protected:
    std::optional<Outcome> run(Requests const& requests, std::int64_t instance, Arena& arena,
                               ScheduleLog const& log) override
    {
        std::optional<Outcome> outcome;
        with_policy(spec_, [&]<class P>(P const& policy) {
            if constexpr (serves_in_order<P>)
                if (is_list_schedule(policy, requests))
                    outcome = execute_list(policy, requests, seed_,
                                           static_cast<std::uint64_t>(instance), arena, log);
        });
        return outcome;
    }
};

std::string warp_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (auto reason = ListRunner::refusal(spec, c); !reason.empty()) return reason;
    if (c.workload.memory > INT32_MAX / 2) return "the memory is 2^30 tokens or more";
    return {};
}

/// Why neither row of mc-sf-batch takes the policy or the instances.
std::string mc_sf_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (c.order != nullptr || spec.kind != ShortestFirst::kind) return "it runs mc-sf alone";
    if (c.source != nullptr) return "instances come from a source of their own";
    if (!mc_sf_batch::layout_serving(c.workload))
        return "it takes independent lengths, at most 256 requests, all at 0 under the unit clock, "
               "M and the sum of outputs up to 8,191, whose outputs, numbers and prompts fit in 15 "
               "bits";
    return {};
}

std::string mc_sf_thread_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (auto reason = mc_sf_refusal(spec, c); !reason.empty()) return reason;
    if (c.workload.requests > mc_sf_batch::most_thread_requests)
        return "there are more than " + std::to_string(mc_sf_batch::most_thread_requests) +
               " requests";
    return {};
}

class McSfRunner final : public BatchRunner
{
  public:
    McSfRunner(PolicySpec const&, EngineCase const& c)
        : BatchRunner(mc_sf_batch::lanes),
          plan_(mc_sf_batch::McSfBatchPlan::serving(c.workload, c.simd)),
          batch_((CRX_EXPECT(plan_ != nullptr), *plan_), c.wants_volume)
    {
    }

    static std::string refusal(PolicySpec const& spec, EngineCase const& c)
    {
        if (auto reason = mc_sf_refusal(spec, c); !reason.empty()) return reason;
        return c.vectors_refusal();
    }
    static double cost(PolicySpec const&, EngineCase const&) { return 0.03; }

    void execute(InstanceRange range, LazyInstances&, ScheduleLog const&,
                 std::optional<Outcome>* outcomes) override
    {
        batch_.execute(range.first); // as many as it can take: fewer cost the same
        for (std::int64_t k = 0; k < range.count; ++k) {
            outcomes[k] = batch_.shortest_first(k);
            if (outcomes[k]->finished == 0) outcomes[k].reset();
        }
    }

    std::optional<std::int64_t> volume(std::int64_t k) const override
    {
        if (!batch_.has_volume()) return std::nullopt;
        return batch_.volume(k);
    }

  private:
    std::unique_ptr<mc_sf_batch::McSfBatchPlan const> plan_;
    mc_sf_batch::McSfBatch batch_;
};

} // namespace

constinit Engine const given_order_engine = make_row<GivenOrderRunner>({
    .name = "given-order",
    .summary = "the list schedule of an order that the policy makes of the whole instance",
    .law = RandomLaw::request,
    .portable = true,
});

constinit Engine const own_policy_engine = make_row<OwnPolicyRunner>({
    .name = "own-policy",
    .summary = "a policy of the user's own: a key, or decisions of another program",
    .law = RandomLaw::request,
    .portable = true,
});

constinit Engine const list_schedule_engine = make_row<ListRunner>({
    .name = "list-schedule",
    .summary = "orders known beforehand, true lengths, all at 0: one look a start, no rounds",
    .law = RandomLaw::request,
});

constinit Engine const list_schedule_warp_engine = make_gpu_row<ListRunner>({
    .name = "list-schedule-warp",
    .summary = "list-schedule, an instance a warp",
    .law = RandomLaw::request,
    .own_refusal = warp_refusal,
});

constinit Engine const mc_sf_batch_engine = make_row<McSfRunner>({
    .name = "mc-sf-batch",
    .summary = "mc-sf and the volume bound of many small instances side by side",
    .law = RandomLaw::request,
    .reads = Reads::nothing,
    .instances = mc_sf_batch::lanes,
    .least = 4,
});

constinit Engine const gpu_mc_sf_batch_engine = make_gpu_row<McSfRunner>({
    .name = "mc-sf-batch",
    .summary = "mc-sf and the volume bound of small instances, two a thread",
    .law = RandomLaw::request,
    .reads = Reads::nothing,
    .own_refusal = mc_sf_thread_refusal,
});

} // namespace crx
