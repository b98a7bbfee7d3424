#include "kernels/cuda/device_checks.cuh"

#include "kernels/cuda/current_device.cuh"
#include "kernels/cuda/device_array.cuh"
#include "kernels/cuda/launch_device.cuh"

namespace crx {
namespace {

struct DrawSlot
{
    static constexpr bool wide = true;
    std::uint64_t seed;
    std::int64_t first;
    CheckedDraw* draw;
    CRX_HD void operator()(std::int64_t slot) const
    {
        draw[slot] = checked_draw(seed, static_cast<std::uint64_t>(first + slot));
    }
};

struct BrokenSlot
{
    CRX_HD void operator()(std::int64_t slot) const { CRX_EXPECT(slot != 70); }
};

} // namespace

std::vector<CheckedDraw> checked_draws_device(std::uint64_t seed, std::int64_t first,
                                              std::int64_t count)
{
    use_device();
    DeviceArray<CheckedDraw> draws(static_cast<std::size_t>(count));
    launch(count, DrawSlot{seed, first, draws.data()});
    return draws.all();
}

void break_contract_on_device()
{
    use_device();
    launch(100, BrokenSlot{});
    CRX_CUDA_CHECK(cudaDeviceSynchronize());
}

} // namespace crx
