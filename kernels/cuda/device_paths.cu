#include "kernels/cuda/device_paths.hh"

#include "kernels/cuda/current_device.cuh"
#include "kernels/cuda/device_array.cuh"
#include "kernels/engines/cell.hh"
#include "kernels/engines/iterations/path_batches.hh"

#include <new>

namespace crx {

// Not in an unnamed namespace: kernels are made of it, and scripts/kernel_resources names them.

/// Threads a block: few, as there are thousands of paths at most and a path is long, so that they
/// spread over all multiprocessors.
inline constexpr int paths_a_block = 32;
/// Blocks a multiprocessor, as many as leave a thread all the registers that it can have: of itself
/// the compiler keeps to 168 and spills.
inline constexpr int path_blocks = 8;

/// Where the slots of a batch lie in device memory.
template <class Policy>
struct PathMemory
{
    PathRun<Policy>* runs = nullptr; ///< one a slot
    char* arenas = nullptr;          ///< arena_bytes a slot
    std::size_t arena_bytes = 0;
    PathStatus* status = nullptr;
    IterationTally* tallies = nullptr; ///< checkpoint_count a slot
};

template <class Policy>
__global__ void __launch_bounds__(paths_a_block, path_blocks)
    begin_paths(PathPlan plan, PathMemory<Policy> memory, std::int64_t const* paths,
                std::int64_t count, std::int64_t room)
{
    auto const slot = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (slot >= count) return;
    Arena arena(memory.arenas + static_cast<std::size_t>(slot) * memory.arena_bytes,
                memory.arena_bytes);
    new (memory.runs + slot)
        PathRun<Policy>(plan, static_cast<std::uint64_t>(paths[slot]), room, arena);
    memory.status[slot] = PathStatus::running;
}

template <class Policy>
__global__ void __launch_bounds__(paths_a_block, path_blocks)
    advance_paths(PathPlan plan, PathMemory<Policy> memory, std::int64_t count, std::int64_t steps)
{
    auto const slot = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (slot >= count || memory.status[slot] != PathStatus::running) return;
    auto run = memory.runs[slot]; // its sums in registers or in the thread's own memory
    memory.status[slot] =
        run.run(plan, steps, memory.tallies + slot * std::int64_t{plan.checkpoint_count});
    memory.runs[slot] = run;
}

/// The cell's arrays in device memory.
class DevicePathPlan
{
  public:
    DevicePathPlan(IterationCell const& cell, std::vector<std::int64_t> const& quorum)
        : types_(cell.types), quorum_(quorum), checkpoints_(cell.checkpoints),
          laws_(cell.arrivals.laws), law_of_(cell.arrivals.law_of), keep_(cell.arrivals.keep),
          group_of_(cell.policy.thresholds.group_of), groups_(cell.policy.thresholds.groups),
          segments_(cell.policy.thresholds.segments), plan_(path_plan(cell, quorum))
    {
        plan_.types = types_.data();
        plan_.quorum = quorum_.data();
        plan_.checkpoints = checkpoints_.data();
        plan_.arrivals.laws = laws_.data();
        plan_.arrivals.law_of = law_of_.data();
        if (plan_.arrivals.keep != nullptr) plan_.arrivals.keep = keep_.data();
        plan_.thresholds.types = plan_.fcfs.types = types_.data();
        plan_.thresholds.group_of = group_of_.data();
        plan_.thresholds.groups = groups_.data();
        plan_.thresholds.segments = segments_.data();
    }
    PathPlan const& plan() const { return plan_; }

  private:
    DeviceArray<PromptType> types_;
    DeviceArray<std::int64_t> quorum_;
    DeviceArray<Nanoseconds> checkpoints_;
    DeviceArray<BlockLaw> laws_;
    DeviceArray<std::int32_t> law_of_;
    DeviceArray<std::uint64_t> keep_;
    DeviceArray<std::int32_t> group_of_;
    DeviceArray<SegmentGroup> groups_;
    DeviceArray<Segment> segments_;
    PathPlan plan_;
};

/// PathSlots of the current CUDA device.
template <class Policy>
class DevicePathSlots final : public PathSlots
{
  public:
    explicit DevicePathSlots(IterationCell const& cell)
        : quorum_(arrival_quorum(cell)), host_plan_(path_plan(cell, quorum_)),
          device_plan_(cell, quorum_)
    {
    }

    std::int64_t slots(std::int64_t room) override
    {
        release();
        auto const bytes = path_arena_bytes<Policy>(host_plan_, room) + sizeof(PathRun<Policy>) +
                           sizeof(PathStatus) + sizeof(std::int64_t) +
                           cell_checkpoints() * sizeof(IterationTally);
        auto const free_bytes = free_device_bytes();
        auto const fit = static_cast<std::int64_t>(free_bytes / 10 * 8 / bytes);
        if (fit == 0)
            throw std::runtime_error("a path needs " + std::to_string(bytes) +
                                     " bytes on the device, free are " +
                                     std::to_string(free_bytes));
        return fit;
    }

    void begin(std::span<std::int64_t const> paths, std::int64_t room) override
    {
        auto const n = paths.size();
        memory_.arena_bytes = path_arena_bytes<Policy>(host_plan_, room);
        release();
        paths_ = DeviceArray<std::int64_t>(paths);
        runs_ = DeviceArray<PathRun<Policy>>(n);
        arenas_ = DeviceArray<char>(n * memory_.arena_bytes);
        device_status_ = DeviceArray<PathStatus>(n);
        device_tallies_ = DeviceArray<IterationTally>(n * cell_checkpoints());
        memory_.runs = runs_.data();
        memory_.arenas = arenas_.data();
        memory_.status = device_status_.data();
        memory_.tallies = device_tallies_.data();
        TimedGpuTask const timed(GpuTask::engines);
        begin_paths<Policy><<<blocks(), paths_a_block>>>(device_plan_.plan(), memory_,
                                                         paths_.data(), count(), room);
        CRX_CUDA_CHECK(cudaGetLastError());
        read_status();
    }

    void advance(std::int64_t steps) override
    {
        TimedGpuTask const timed(GpuTask::engines);
        advance_paths<Policy>
            <<<blocks(), paths_a_block>>>(device_plan_.plan(), memory_, count(), steps);
        CRX_CUDA_CHECK(cudaGetLastError());
        read_status();
    }

    std::span<PathStatus const> status() override { return status_; }

    std::span<IterationTally const> tallies() override
    {
        tallies_.resize(status_.size() * cell_checkpoints());
        copy_to_host(tallies_.data(), memory_.tallies, tallies_.size() * sizeof(IterationTally));
        return tallies_;
    }

  private:
    static_assert(std::is_trivially_copyable_v<PathRun<Policy>>);
    static_assert(std::is_trivially_copyable_v<IterationTally>);

    std::size_t cell_checkpoints() const
    {
        return static_cast<std::size_t>(host_plan_.checkpoint_count);
    }
    std::int64_t count() const { return static_cast<std::int64_t>(paths_.size()); }
    unsigned blocks() const
    {
        return static_cast<unsigned>((count() + paths_a_block - 1) / paths_a_block);
    }

    void release()
    {
        paths_ = {};
        runs_ = {};
        arenas_ = {};
        device_status_ = {};
        device_tallies_ = {};
    }

    /// Waits for the kernels before.
    void read_status()
    {
        status_.resize(paths_.size());
        copy_to_host(status_.data(), memory_.status, status_.size() * sizeof(PathStatus));
    }

    std::vector<std::int64_t> quorum_;
    PathPlan host_plan_;
    DevicePathPlan device_plan_;
    PathMemory<Policy> memory_;
    DeviceArray<std::int64_t> paths_;
    DeviceArray<PathRun<Policy>> runs_;
    DeviceArray<char> arenas_;
    DeviceArray<PathStatus> device_status_;
    DeviceArray<IterationTally> device_tallies_;
    std::vector<PathStatus> status_;
    std::vector<IterationTally> tallies_;
};

std::vector<std::vector<IterationTally>> launch_paths_device(IterationCell const& cell,
                                                             std::int64_t first, std::int64_t count,
                                                             StopCondition const& stop_condition)
{
    use_device();
    return with_path_policy(cell, [&]<class Policy>() {
        DevicePathSlots<Policy> slots(cell);
        return run_in_slots(slots, cell, first, count, stop_condition);
    });
}

} // namespace crx
