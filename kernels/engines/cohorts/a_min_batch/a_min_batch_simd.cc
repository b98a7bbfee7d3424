#include "kernels/engines/cohorts/a_min_batch/a_min_batch.hh"
#include "kernels/engines/cohorts/a_min_batch/engine.hh"
#include "kernels/engines/cohorts/execute_cohort.cuh"
#include "kernels/policies/min_length.cuh"

namespace crx {
namespace {

/// a_min_batch() with the vectors of this instruction set.
template <Outlived outlived>
class AMinBatchOf final : public InstanceBatch
{
  public:
    explicit AMinBatchOf(WorkloadView const& w, std::int64_t most_cohorts)
        : InstanceBatch(Engine::lanes), workload_(w), engine_(w, most_cohorts)
    {
    }

    void execute(std::int64_t first, int instances, std::int64_t const* counts) override
    {
        engine_.open(stream_policy + static_cast<std::uint32_t>(kind), first, instances, counts);
        engine_.run();
        for (int j = 0; j < instances; ++j, counts += workload_.output_value.size())
            keep(j, engine_.outcome(j), workload_, counts);
    }

  private:
    using Engine = AMinBatchEngine<outlived>;
    static constexpr auto kind =
        outlived == Outlived::counted ? MinLength::kind : MinLengthEvict::kind;

    WorkloadView workload_;
    Engine engine_;
};

} // namespace

InstanceBatch* CRX_SIMD_LEVEL::make_a_min_batch(PolicyKind kind, WorkloadView const& w,
                                                std::int64_t most_cohorts)
{
    if (kind == MinLength::kind) return new AMinBatchOf<Outlived::counted>(w, most_cohorts);
    return new AMinBatchOf<Outlived::weightless>(w, most_cohorts);
}

} // namespace crx
