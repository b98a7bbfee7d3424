#pragma once

#include "kernels/base/processor.hh"
#include "kernels/engines/lists/short_schedule.cuh"
#include "kernels/model/host_generator.hh"
#include "kernels/model/requests.cuh"

#include <memory>
#include <span>

namespace crx::mc_sf_batch {

/// Instances side by side: what is decided for one of them would be a branch, for 32 it is a mask.
inline constexpr int lanes = 32;

/// A number below 2^15 of each instance.
struct alignas(2 * lanes) Row
{
    std::int16_t of[lanes];
};

/// MC-SF's outcome of each instance.
struct alignas(64) LaneOutcomes
{
    std::int32_t total_latency[lanes];
    Row output_sum, makespan, peak_memory, events;
    Row lost; ///< not 0: more than eight different ends were to come at once; nothing else is known
              ///< of this instance
};

CRX_FOR_EACH_LEVEL(
    /// Keys of `count` requests, number `first` and on, of their lengths.
    void join_keys(std::int32_t const* output, std::int32_t const* prompt, int count, int first,
                   KeyLayout const& layout, Row* keys);
    /// Sorts rows so that each lane ascends, by merge_exchange() of their number.
    void sort_rows(std::span<Exchange const> exchanges, Row* rows);
    /// ListSchedule of MC-SF's order for instances side by side (list_schedule.cuh), keys
    /// ascending. Contract: layout_serving() of the workload.
    void schedule_rows(std::span<Row const> keys, KeyLayout const& layout, std::int32_t memory,
                       LaneOutcomes& out);
    /// VolumeBound (kernels/model/volume_bound.cuh), keys ascending; `volumes`: room for as many
    /// rows. Contract: bounds_volume() of the workload.
    void bound_rows(std::span<Row const> keys, KeyLayout const& layout, std::int32_t memory,
                    std::span<Exchange const> exchanges, Row* volumes, std::int32_t* bounds);)

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
