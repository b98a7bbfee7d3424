#pragma once

#include "kernels/cuda/device_array.cuh"
#include "kernels/cuda/device_batch.cuh"
#include "kernels/cuda/launch_device.cuh"
#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/engines/lists/one_instance.cuh"
#include "kernels/model/workload.cuh"
#include "kernels/policies/policy_spec.cuh"

#include <memory>

namespace crx {

// The request engine on a batch, a thread a slot: kernels are put into the stream, and waited for
// where they run in slices (slices.cuh). A file of its own, as its kernels take minutes to compile.

/// Writes the requests of the batch's instances.
void generate_requests_of(Batch const& batch);

/// The slots for which something is computed.
enum class Slots
{
    all,
    unknown, ///< where a warp could not say: finished is 0 without a reason, or a bound is -1
    lost     ///< those in batch.lost; warps alone
};

/// bound[slot]: the bound for the requests written.
void bound_volume(Batch const& batch, std::int64_t* bound, Slots slots = Slots::all);
/// In slices.
void bound_release(Batch const& batch, std::int64_t* bound);
/// Bytes of Batch::engines that it needs a slot for n requests.
std::size_t release_bytes(std::int64_t n);

/// Enters into batch.lost the slots whose outcome is not known. Contract: batch.lost is there.
void list_lost(Batch const& batch, Outcome const* outcome);
/// Writes the requests of the slots in batch.lost.
void generate_lost_requests(Batch const& batch);

/// outcome[slot]: the policy's, on the requests written, in slices. Contract: engine_bytes are at
/// least sliced_bytes.
void launch_policy(PolicySpec const& spec, Batch const& batch, Outcome* outcome,
                   Slots slots = Slots::all);

// The cohort engine on a batch, a thread a slot, likewise. A file of its own, as its kernels take
// minutes to compile.

/// Counts of instances whose requests are never written down.
void draw_counts_of(Batch const& batch);

/// Counts of instances that were generated request by request.
void count_requests_of(Batch const& batch);

/// bound[slot]: the volume bound.
void bound_by_class(Batch const& batch, std::int64_t* bound);

/// outcome[slot]: the policy's, in slices. Contract: the policy has a cohort form; engine_bytes are
/// at least sliced_cohort_bytes.
void launch_cohorts(PolicySpec const& spec, Batch const& batch, Outcome* outcome);

// Policies on a batch, a warp a slot (docs/decisions/057-a-warp-an-instance.md): kernels are put
// into the stream and not waited for. A file of its own, as its kernels take minutes to compile.

/// Bytes of Batch::engines a slot that launch_by_warps needs for n requests; 0 where no workload
/// has an engine by warps for the policy.
std::size_t warp_bytes(PolicySpec const& spec, std::int64_t n);

/// outcome[slot]: the policy's, on the requests written; finished = 0 and no reason: not known, as
/// the instance does not fit the lanes. Contract: an engine by warps takes the
/// policy (list-schedule-warp, a-min-small-warp); batch.queue is there.
void launch_by_warps(PolicySpec const& spec, Batch const& batch, Outcome* outcome,
                     Slots slots = Slots::all);

/// bound[slot]: the volume bound for the requests written; -1: not known. Contract: batch.queue is
/// there.
void bound_volume_by_warps(Batch const& batch, std::int64_t* bound);

/// mc-sf, a-max and two-point a-ell by cohorts on a GPU: the engines in lanes of the CPU, a warp a
/// register, an instance a thread. The same outcomes as launch_cohorts, events included. What a
/// warp reads and writes of its cohorts lies side by side, most of it in shared memory. A file of
/// its own, as its kernels take minutes to compile.
class DeviceCohortLanes
{
  public:
    /// Null where no engine in lanes fits (fixed_length_batch_fit, a_max_batch_fit). Contract: the
    /// workload can be run by cohorts under the policy; `host` has its tables on the host.
    static std::unique_ptr<DeviceCohortLanes> serving(PolicySpec const& spec,
                                                      WorkloadView const& host);

    /// outcome[slot]: the policy's. Puts a kernel into the stream and does not wait for it.
    /// Contract: a batch of the workload.
    void execute(Batch const& batch, Outcome* outcome) const;

  private:
    DeviceCohortLanes(PolicyKind kind, LaneFit fit, int classes, std::int64_t places)
        : kind_(kind), fit_(fit), classes_(classes), places_(places)
    {
    }

    PolicyKind kind_;
    LaneFit fit_;
    int classes_;
    std::int64_t places_; ///< most in use at a time
};

/// A workload's tables in device memory, and a view of them for kernels.
class DeviceWorkload
{
  public:
    explicit DeviceWorkload(Workload const& host)
        : output_value_(host.output_value), output_threshold_(host.output_threshold),
          output_count_(host.output_count), prompt_value_(host.prompt_value),
          prompt_threshold_(host.prompt_threshold), trace_prompt_(host.trace_prompt),
          trace_output_(host.trace_output), source_end_(host.source_end),
          source_count_(host.source_count), round_value_(host.round_value),
          round_threshold_(host.round_threshold), rate_step_(host.rate_step),
          trace_arrival_(host.trace_arrival), gap_end_(host.gap_end),
          gap_threshold_(host.gap_threshold), view_(view_of(host))
    {
        view_.output_value = span_of(output_value_);
        view_.output_threshold = span_of(output_threshold_);
        view_.output_count = span_of(output_count_);
        view_.prompt_value = span_of(prompt_value_);
        view_.prompt_threshold = span_of(prompt_threshold_);
        view_.trace_prompt = span_of(trace_prompt_);
        view_.trace_output = span_of(trace_output_);
        view_.source_end = span_of(source_end_);
        view_.source_count = span_of(source_count_);
        view_.round_value = span_of(round_value_);
        view_.round_threshold = span_of(round_threshold_);
        view_.rate_step = span_of(rate_step_);
        view_.trace_arrival = span_of(trace_arrival_);
        view_.gap_end = span_of(gap_end_);
        view_.gap_threshold = span_of(gap_threshold_);
    }
    WorkloadView const& view() const { return view_; }

  private:
    template <class T>
    static std::span<T const> span_of(DeviceArray<T> const& v)
    {
        return {v.data(), v.size()};
    }

    DeviceArray<std::int32_t> output_value_;
    DeviceArray<std::uint64_t> output_threshold_;
    DeviceArray<std::int64_t> output_count_;
    DeviceArray<std::int32_t> prompt_value_;
    DeviceArray<std::uint64_t> prompt_threshold_;
    DeviceArray<std::int32_t> trace_prompt_, trace_output_;
    DeviceArray<std::int64_t> source_end_, source_count_;
    DeviceArray<std::int32_t> round_value_;
    DeviceArray<std::uint64_t> round_threshold_;
    DeviceArray<RateStep> rate_step_;
    DeviceArray<Instant> trace_arrival_;
    DeviceArray<std::uint64_t> gap_end_, gap_threshold_;
    WorkloadView view_;
};

/// MC-SF and the volume bound of small instances on a GPU, a thread each: keys in shared memory,
/// ends in registers. Nothing of an instance goes through device memory but its result.
class DeviceMcSfBatch
{
  public:
    /// Null where layout_serving() refuses the workload. `on_device` must outlive it.
    static std::unique_ptr<DeviceMcSfBatch>
    serving(Workload const& workload, WorkloadView const& on_device, bool with_volume);

    bool has_volume() const { return plan_.volume; }
    /// outcome[k], bound[k]: of instance first + k; bound may be null. finished = 0: not known.
    void execute(std::int64_t first, std::int64_t count, Outcome* outcome,
                 std::int64_t* bound) const;

  private:
    DeviceMcSfBatch(Workload const& workload, WorkloadView const& on_device,
                    mc_sf_batch::KeyLayout const& layout, bool with_volume);

    DeviceArray<mc_sf_batch::Exchange> exchange_;
    mc_sf_batch::ThreadPlan plan_;
};

} // namespace crx
