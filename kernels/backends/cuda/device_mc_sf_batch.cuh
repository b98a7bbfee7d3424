#pragma once

#include "kernels/backends/cuda/device_workload.cuh"
#include "kernels/backends/cuda/launch_device.cuh"
#include "kernels/engines/list_schedule/batch/one_instance.cuh"

#include <memory>

namespace crx {

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
