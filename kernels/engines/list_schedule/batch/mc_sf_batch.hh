#pragma once

#include "kernels/engines/list_schedule/batch/mc_sf_batch_simd.hh"
#include "kernels/laws/guided_law.hh"
#include "kernels/model/outcome.cuh"

#include <memory>

namespace crx::mc_sf_batch {

/// MC-SF and the volume bound of many small instances of one workload, 32 side by side: generation,
/// sorting, scheduling. The same integers as generate(), the request engine and VolumeBound.
/// Workloads: layout_serving (key_layout.cuh).
class McSfBatchPlan
{
  public:
    /// Nothing where the workload is not of that kind, or the processor has no such vectors (of
    /// this level, which it must have). The tables of `workload` must outlive it.
    static std::unique_ptr<McSfBatchPlan const> serving(WorkloadView const& workload,
                                                        SimdLevel level = simd_level());

  private:
    friend class McSfBatch;
    McSfBatchPlan(WorkloadView const& workload, KeyLayout const& layout, SimdLevel level);

    void draw_keys(std::uint64_t instance, Row* keys) const;

    WorkloadView workload_;
    GuidedLaw output_law_, prompt_law_;
    std::vector<Exchange> exchanges_;
    KeyLayout layout_;
    bool bounds_volume_;
    SimdLevel level_;
};

/// One thread's 32 instances.
class McSfBatch
{
  public:
    /// The plan must outlive it. Volume bounds are given if asked for and if they fit.
    McSfBatch(McSfBatchPlan const& plan, bool with_volume);

    /// Runs instances first .. first + 31.
    void execute(std::int64_t first);

    /// MC-SF of the k-th instance; finished = 0: not known, run it some other way.
    Outcome shortest_first(std::int64_t k) const;
    bool has_volume() const { return with_volume_; }
    std::int64_t volume(std::int64_t k) const { return volume_[k]; }

  private:
    McSfBatchPlan const& plan_;
    bool with_volume_;
    std::vector<Row> keys_, scratch_;
    LaneOutcomes outcomes_;
    std::int32_t volume_[lanes];
};

} // namespace crx::mc_sf_batch
