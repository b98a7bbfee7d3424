#include "kernels/cuda/current_device.cuh"
#include "kernels/cuda/device_array.cuh"
#include "kernels/cuda/device_engines.cuh"
#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/engines/cohorts/thread_instances.cuh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"

#include <algorithm>

namespace crx {
namespace {

using mc_sf_batch::ThreadPlan;

constexpr int pair_threads = 64; ///< a block

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr bool halves_compare = false; ///< two 16-bit numbers in one instruction
#else
constexpr bool halves_compare = true;
#endif
/// Blocks of a processor, so that registers suffice for the words of a thread and more run beside.
template <int most>
constexpr int pair_blocks = most <= 48 || halves_compare ? 8 : 4;

/// Two instances a thread. `most`: no fewer than their requests.
template <int most>
__global__ void __launch_bounds__(pair_threads, pair_blocks<most>)
    run_pairs(__grid_constant__ GpuBatch const batch, ThreadPlan const* plans, Outcome* outcome,
              std::int64_t* bound)
{
    extern __shared__ std::uint32_t words[];
    mc_sf_batch::TwoInstances<most> pair(words + threadIdx.x, pair_threads);
    auto const stride = std::int64_t{gridDim.x} * blockDim.x;
    for (auto k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; 2 * k < batch.count;
         k += stride) {
        int const instances = 2 * k + 1 < batch.count ? 2 : 1;
        for (int half = 0; half < instances; ++half) {
            auto const slot = batch.slot_of(2 * k + half);
            auto const& cell = batch.cell_of(slot);
            pair.draw(half, plans[&cell - batch.cells], cell.workload, cell.instance(slot));
        }
        if (instances == 1) pair.leave_out_second();
        pair.sort();
        for (int half = 0; half < instances; ++half)
            outcome[batch.slot_of(2 * k + half)] = pair.shortest_first(half);
        if (bound == nullptr) continue;
        std::int32_t own[2];
        pair.volumes(own);
        for (int half = 0; half < instances; ++half) bound[batch.slot_of(2 * k + half)] = own[half];
    }
}

template <int most>
void launch_pairs(GpuBatch const& batch, ThreadPlan const* plans, Outcome* outcome,
                  std::int64_t* bound)
{
    auto const pairs = (batch.count + 1) / 2;
    auto const blocks = std::min<std::int64_t>((pairs + pair_threads - 1) / pair_threads, 1 << 20);
    run_pairs<most><<<static_cast<unsigned>(blocks), pair_threads,
                      pair_threads * most * sizeof(std::uint32_t)>>>(batch, plans, outcome, bound);
    CRX_CUDA_CHECK(cudaGetLastError());
}

} // namespace

DeviceMcSfBatch::DeviceMcSfBatch(std::span<WorkloadView const> workloads)
{
    std::vector<ThreadPlan> plans;
    for (auto const& w : workloads) {
        CRX_EXPECT(w.requests <= mc_sf_batch::most_thread_requests);
        plans.push_back(mc_sf_batch::thread_plan(w));
    }
    plans_ = DeviceArray<ThreadPlan>(plans);
}

void DeviceMcSfBatch::execute(GpuBatch const& batch, Outcome* outcome, std::int64_t* bound) const
{
    if (batch.count == 0) return;
    auto const run = [&]<int most>(std::integral_constant<int, most>) {
        launch_pairs<most>(batch, plans_.data(), outcome, bound);
    };
    if (batch.most_requests <= 16)
        run(std::integral_constant<int, 16>{});
    else if (batch.most_requests <= 32)
        run(std::integral_constant<int, 32>{});
    else if (batch.most_requests <= 48)
        run(std::integral_constant<int, 48>{});
    else
        run(std::integral_constant<int, mc_sf_batch::most_thread_requests>{});
}

namespace {

constexpr int warps_a_block = 2;
constexpr int lane_threads = 32 * warps_a_block;
/// Device memory for the places and the lines of all warps that run: fewer run where a warp needs
/// much.
constexpr std::int64_t most_far_bytes = std::int64_t{1} << 30;

struct GpuWarp
{
    CRX_HD static unsigned ballot(bool mine)
    {
#ifdef __CUDA_ARCH__
        return __ballot_sync(~0u, mine);
#else
        return mine; // never run: there a kernel is only compiled
#endif
    }
};

/// What a kernel is made of: an engine, how many numbers a place has and lines it draws from, and
/// shared memory for a warp's places. That is for 16 or 32 places of floats, half as many of
/// doubles, so that registers run out about as soon: two-point at n = M = 10^4 takes one under
/// mc-sf and a-ell, ten under a-max.
template <class T, bool hidden>
struct EndKind
{
    using Number = T;
    using Form = ThreadForm<T, GpuWarp>;
    using Engine = FixedLengthBatchEngine<Form, hidden>;
    static constexpr int fields = hidden ? 4 : 3, lines = 1, near_bytes = 8 * 1024;
    static constexpr bool draws = hidden;
};
template <class T, int most>
struct UpperKind
{
    using Number = T;
    using Form = ThreadForm<T, GpuWarp>;
    using Engine = AMaxBatchEngine<Form, most>;
    static constexpr int fields = 3, lines = most - 1, near_bytes = 12 * 1024;
    static constexpr bool draws = true;
};

/// A warp takes the next 32 instances until `next` is past the last.
template <class Kind>
__global__ void __launch_bounds__(lane_threads, 4)
    run_lanes(__grid_constant__ GpuBatch const batch, Outcome* outcome, std::int32_t near_places,
              std::int32_t far_places, typename Kind::Number* far, std::int64_t warp_words,
              std::uint64_t* rows, unsigned long long* next)
{
    using T = typename Kind::Number;
    extern __shared__ double shared[];
    auto const warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    auto const warp_of_all = std::int64_t{blockIdx.x} * warps_a_block + warp;
    auto const of_thread = [&](T* memory, std::int64_t places, std::int64_t warps_before) {
        return memory + (warps_before * places * Kind::fields) * 32 + lane;
    };
    typename Kind::Form::Memory const memory{
        of_thread(reinterpret_cast<T*>(shared), near_places, warp),
        of_thread(far, far_places, warp_of_all), near_places, far_places};
    for (;;) {
        unsigned long long k = 0;
        if (lane == 0) k = atomicAdd(next, 32ull);
        auto const first = static_cast<std::int64_t>(__shfl_sync(~0u, k, 0));
        if (first >= batch.count) return;
        // Past the last one a thread stands beside the others with nothing to do.
        bool const any = first + lane < batch.count;
        auto const slot = batch.slot_of(any ? first + lane : batch.count - 1);
        auto const& cell = batch.cell_of(slot);
        WordStream words(0, 0, 0);
        ThreadLine line[Kind::lines];
        ThreadLines::of(cell.workload, Kind::lines, Kind::draws)
            .open(rows + warp_words * warp_of_all, static_cast<int>(lane), line);
        typename Kind::Engine engine(cell.workload, typename Kind::Engine::Places(memory), &words,
                                     line);
        execute_by_thread(engine, cell.workload, static_cast<std::int64_t>(cell.instance(slot)),
                          any, batch.counts_of(cell, slot), outcome + slot);
    }
}

template <class Kind>
void launch_lanes(GpuBatch const& batch, std::int64_t places, std::int64_t line_words,
                  Outcome* outcome)
{
    using T = typename Kind::Number;
    constexpr std::int64_t place_bytes = 32 * Kind::fields * sizeof(T);
    auto const far_places = ring_of(places);
    auto const near_places = near_ring(Kind::near_bytes, place_bytes, far_places);
    auto const shared = static_cast<std::size_t>(warps_a_block * near_places * place_bytes);
    int resident = 0;
    CRX_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, run_lanes<Kind>,
                                                                 lane_threads, shared));
    auto const far_bytes =
        near_places == far_places ? std::int64_t{0} : warps_a_block * far_places * place_bytes;
    auto const row_bytes =
        warps_a_block * line_words * static_cast<std::int64_t>(sizeof(std::uint64_t));
    auto blocks =
        std::min<std::int64_t>((batch.count + lane_threads - 1) / lane_threads,
                               std::int64_t{current_device().processors} * std::max(resident, 1));
    if (far_bytes + row_bytes > 0) {
        auto const most = std::min(most_far_bytes, static_cast<std::int64_t>(batch.engine_room));
        blocks = std::clamp<std::int64_t>(most / (far_bytes + row_bytes), 1, blocks);
    }
    DeviceArray<char> far(static_cast<std::size_t>(blocks * far_bytes));
    DeviceArray<std::uint64_t> rows(static_cast<std::size_t>(blocks * row_bytes) /
                                    sizeof(std::uint64_t));
    DeviceArray<unsigned long long> next(1);
    CRX_CUDA_CHECK(cudaMemsetAsync(next.data(), 0, sizeof(unsigned long long), nullptr));
    run_lanes<Kind><<<static_cast<unsigned>(blocks), lane_threads, shared>>>(
        batch, outcome, near_places, far_places, reinterpret_cast<T*>(far.data()), line_words,
        rows.data(), next.data());
    CRX_CUDA_CHECK(cudaGetLastError());
}

/// What the lanes of all cells need: the numbers and places of the one that needs most.
struct LanesFit
{
    bool doubles = false;
    std::size_t classes = 0;
    std::int64_t places = 0; ///< most in use at a time
    std::int64_t words = 0;  ///< of lines, a warp
};

LanesFit lanes_fit(PolicySpec const& spec, std::span<Cell const* const> cells)
{
    LanesFit all;
    bool const upper = spec.kind == MaxLength::kind, hidden = spec.kind == PromoteLower::kind;
    for (auto const* const cell : cells)
        all.classes = std::max(all.classes, cell->workload.output_value.size());
    auto const lines = upper && all.classes > 2 ? most_a_max_lengths - 1 : 1;
    for (auto const* const cell : cells) {
        auto const w = view_of(cell->workload);
        auto const fit = upper ? a_max_batch_fit(w) : fixed_length_batch_fit(spec, w);
        CRX_EXPECT(fit != LaneFit::none);
        auto const longest = hidden ? w.interval.upper : w.output_value.back();
        auto const places = upper ? UpperKind<double, 2>::Engine::most_places(w)
                                  : fixed_length_batch_steps(w, longest);
        all.doubles = all.doubles || fit == LaneFit::doubles;
        all.places = std::max(all.places, places);
        all.words = std::max(all.words, ThreadLines::of(w, lines, upper || hidden).words());
    }
    return all;
}

} // namespace

void launch_cohort_lanes(PolicySpec const& spec, std::span<Cell const* const> cells,
                         GpuBatch const& batch, Outcome* outcome)
{
    if (batch.count == 0) return;
    auto const fit = lanes_fit(spec, cells);
    auto const in = [&]<class T>(T) {
        auto const run = [&]<class Kind>(std::type_identity<Kind>) {
            launch_lanes<Kind>(batch, fit.places, fit.words, outcome);
        };
        if (spec.kind == PromoteLower::kind)
            run(std::type_identity<EndKind<T, true>>{});
        else if (spec.kind != MaxLength::kind)
            run(std::type_identity<EndKind<T, false>>{});
        else if (fit.classes <= 2)
            run(std::type_identity<UpperKind<T, 2>>{});
        else
            run(std::type_identity<UpperKind<T, most_a_max_lengths>>{});
    };
    fit.doubles ? in(double{}) : in(float{});
}

} // namespace crx
