#include "kernels/engines/cohorts/fixed_length_batch.cuh"
#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/engines/cohorts/vector_sampler.hh"

namespace crx {
namespace {

template <class T, bool hidden>
class FixedLengthBatchOf final : public InstanceBatch
{
  public:
    explicit FixedLengthBatchOf(WorkloadView const& w)
        : InstanceBatch(VectorLanes<T>::lanes), workload_(w),
          engine_(w,
                  typename Engine::Places(
                      2 * fixed_length_batch_steps(
                              w, hidden ? w.interval.upper
                                        : w.output_value[w.output_value.size() - 1])),
                  hidden ? w.requests : 0, static_cast<std::int64_t>(w.output_value.size()))
    {
    }

    void execute(std::int64_t first, int instances, std::int64_t const* counts) override
    {
        engine_.open(workload_, first, instances, counts,
                     static_cast<std::int64_t>(workload_.output_value.size()));
        engine_.run();
        for (int j = 0; j < instances; ++j, counts += workload_.output_value.size())
            keep(j, engine_.outcome(workload_, j, counts), workload_, counts);
    }

  private:
    using Engine = FixedLengthBatchEngine<VectorForm<T>, hidden>;

    WorkloadView workload_;
    Engine engine_;
};

template <bool hidden>
InstanceBatch* fixed_length_batch_of(WorkloadView const& w, bool floats)
{
    if (floats) return new FixedLengthBatchOf<float, hidden>(w);
    return new FixedLengthBatchOf<double, hidden>(w);
}

} // namespace

InstanceBatch* CRX_SIMD_LEVEL::make_fixed_length_batch(WorkloadView const& w, bool hidden,
                                                       bool floats)
{
    return hidden ? fixed_length_batch_of<true>(w, floats)
                  : fixed_length_batch_of<false>(w, floats);
}

} // namespace crx
