#include "kernels/engines/cohorts/a_max_batch.cuh"
#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/engines/cohorts/vector_sampler.hh"

#include <vector>

namespace crx {
namespace {

/// a_max_batch() with the vectors of this instruction set. `most`: no fewer than the lengths.
template <class T, int most>
class AMaxBatchOf final : public InstanceBatch
{
  public:
    explicit AMaxBatchOf(WorkloadView const& w)
        : InstanceBatch(Engine::registers * lanes), workload_(w)
    {
        engine_.reserve(Engine::registers);
        for (int r = 0; r < Engine::registers; ++r)
            engine_.push_back(
                Engine(w, typename Engine::Places(Engine::most_places(w) + between_moves),
                       w.requests, static_cast<std::int64_t>(w.output_value.size())));
    }

    void execute(std::int64_t first, int instances, std::int64_t const* counts) override
    {
        auto const apart = static_cast<std::ptrdiff_t>(workload_.output_value.size());
        for (int r = 0; r < Engine::registers; ++r) {
            auto const before = instances < r * lanes ? instances : r * lanes;
            auto const rest = instances - before;
            engine_[r].open(workload_, first + before, rest < lanes ? rest : lanes,
                            counts + apart * before, apart);
        }
        Engine::run(engine_.data());
        for (int j = 0; j < instances; ++j, counts += apart)
            keep(j, engine_[j / lanes].outcome(workload_, j % lanes, counts), workload_, counts);
    }

  private:
    using Engine = AMaxBatchEngine<VectorForm<T>, most>;

    static constexpr int lanes = VectorLanes<T>::lanes;
    static constexpr std::int64_t between_moves = 64; ///< steps at least

    WorkloadView workload_;
    std::vector<Engine> engine_;
};

template <class T>
InstanceBatch* a_max_batch_in(WorkloadView const& w)
{
    // Two sizes: what is known of two classes stays in registers.
    if (w.output_value.size() <= 2) return new AMaxBatchOf<T, 2>(w);
    return new AMaxBatchOf<T, most_a_max_lengths>(w);
}

} // namespace

InstanceBatch* CRX_SIMD_LEVEL::make_a_max_batch(WorkloadView const& w, bool floats)
{
    return floats ? a_max_batch_in<float>(w) : a_max_batch_in<double>(w);
}

} // namespace crx
