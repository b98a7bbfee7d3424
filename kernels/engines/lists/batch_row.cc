#include "kernels/engines/lists/mc_sf_batch.hh"
#include "kernels/engines/rows.hh"
#include "kernels/policies/shortest_first.cuh"

namespace crx {
namespace {

/// Why its rows take neither the policy nor the instances, on any processor.
std::string kind_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (c.order != nullptr || spec.kind != ShortestFirst::kind) return "it runs mc-sf alone";
    if (c.source != nullptr) return "instances come from a source of their own";
    if (!mc_sf_batch::layout_serving(c.workload))
        return "it takes independent lengths, at most 256 requests, all at 0 under the unit clock, "
               "M and the sum of outputs up to 8,191, whose outputs, numbers and prompts fit in 15 "
               "bits";
    return {};
}

std::string refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (auto reason = kind_refusal(spec, c); !reason.empty()) return reason;
    return c.vectors_refusal();
}

double cost(PolicySpec const&, EngineCase const&) { return 0.03; }

class McSfRunner final : public BatchRunner
{
  public:
    McSfRunner(std::unique_ptr<mc_sf_batch::McSfBatchPlan const> plan, bool with_volume)
        : BatchRunner(mc_sf_batch::lanes), plan_(std::move(plan)), batch_(*plan_, with_volume)
    {
    }

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

std::unique_ptr<BatchRunner> make(PolicySpec const&, EngineCase const& c)
{
    auto plan = mc_sf_batch::McSfBatchPlan::serving(c.workload, c.simd);
    CRX_EXPECT(plan != nullptr);
    return std::make_unique<McSfRunner>(std::move(plan), c.wants_volume);
}

} // namespace

constinit Engine const mc_sf_batch_engine{
    .name = "mc-sf-batch",
    .summary = "mc-sf and the volume bound of many small instances side by side",
    .processor = Processor::cpu,
    .law = RandomLaw::request,
    .reads = Reads::nothing,
    .instances = mc_sf_batch::lanes,
    .least = 4,
    .own_refusal = refusal,
    .cost = cost,
    .make = make,
};

constinit Engine const gpu_mc_sf_batch_engine{
    .name = "mc-sf-batch",
    .summary = "mc-sf and the volume bound of small instances, an instance a thread",
    .processor = Processor::gpu,
    .law = RandomLaw::request,
    .reads = Reads::nothing,
    .own_refusal = kind_refusal,
    .cost = cost,
};

} // namespace crx
