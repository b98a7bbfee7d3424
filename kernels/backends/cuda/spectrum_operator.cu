#include "kernels/backends/cuda/spectrum_operator.hh"

#include "kernels/backends/cuda/current_card.cuh"
#include "kernels/backends/cuda/device_array.cuh"

#include <cub/block/block_reduce.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <vector>

namespace crx {

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 2048;

/// An unevaluated sum high + low: additions in any order keep about 32 digits.
struct Pair
{
    double high;
    double low;
};

struct PairSum
{
    CRX_HD Pair operator()(Pair const& a, Pair const& b) const
    {
        double const sum = a.high + b.high;
        double const shadow = sum - a.high;
        double const error = (a.high - (sum - shadow)) + (b.high - shadow);
        double const low = error + (a.low + b.low);
        double const high = sum + low;
        return {high, low - (high - sum)};
    }
};

/// Terms of the three sums, by position; position 0 is length l and kept apart.
struct PrefixTerm
{
    SpectrumWeights weights;
    double const* x;
    CRX_HD Pair operator()(std::int64_t i) const
    {
        // Position 0 enters as the scan's first element, so that prefix[i] covers 0 .. i-1.
        double const k = weights.l + static_cast<double>(i);
        return {(i == 0 ? weights.f_first() : weights.f(k)) * x[i], 0};
    }
};

struct SuffixTerm
{
    SpectrumWeights weights;
    double const* x;
    std::int64_t size;
    CRX_HD Pair operator()(std::int64_t reversed) const
    {
        std::int64_t const i = size - 1 - reversed;
        if (i == 0) // its exclusive sum is wanted, its own term by nobody
            return {0, 0};
        return {weights.h(weights.l + static_cast<double>(i)) * x[i], 0};
    }
};

struct RestTerm
{
    double const* x;
    CRX_HD Pair operator()(std::int64_t i) const { return {x[i + 1], 0}; }
};

struct PairValue
{
    CRX_HD double operator()(Pair const& pair) const { return pair.high + pair.low; }
};

struct Partial
{
    Pair norm2;
    Pair cross;
    Pair residual2;
    double low;
    double high;
};

struct PartialJoin
{
    CRX_HD Partial operator()(Partial const& a, Partial const& b) const
    {
        PairSum const add;
        return {add(a.norm2, b.norm2), add(a.cross, b.cross), add(a.residual2, b.residual2),
                a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    }
};

__global__ void combine(SpectrumWeights weights, std::int64_t size, Pair const* rest,
                        double const* prefix, double const* suffix, double theta, double shift,
                        double* x, double x_first, Partial* partials)
{
    double const infinity = 1.0 / 0.0;
    double const total = rest->high + rest->low;
    double const common = (weights.e_first() * x_first + total) / 2;
    double const scale = 1 / (theta + shift);
    PartialJoin const join;
    Partial own{{0, 0}, {0, 0}, {0, 0}, infinity, -infinity};
    std::int64_t const stride = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size;
         i += stride) {
        double const k = weights.l + static_cast<double>(i);
        double const old = i == 0 ? x_first : x[i];
        double w = weights.w_first();
        double y;
        if (i == 0) {
            y = old + (weights.e_first() * total + weights.f_first() * suffix[0]) / (2 * w);
        } else {
            double const h = weights.h(k);
            w = weights.w(k);
            y = (common + (h * prefix[i] + weights.f(k) * suffix[i]) / 2 +
                 weights.rest(k, h) * old) /
                w;
        }
        double const difference = y - theta * old;
        own = join(own, {{w * old * old, 0},
                         {w * old * difference, 0},
                         {w * difference * difference, 0},
                         y / old,
                         y / old});
        x[i] = (y + shift * old) * scale;
    }
    using Reduce = cub::BlockReduce<Partial, threads>;
    __shared__ typename Reduce::TempStorage storage;
    Partial const all = Reduce(storage).Reduce(own, join);
    if (threadIdx.x == 0) partials[blockIdx.x] = all;
}

} // namespace

struct DeviceSpectrum::State
{
    SpectrumWeights weights;
    std::int64_t size;
    int card = use_card().number; ///< before all arrays
    DeviceArray<double> x, prefix, suffix;
    DeviceArray<Pair> rest;
    DeviceArray<Partial> partials;
    DeviceArray<char> scratch;

    State(SpectrumWeights const& w, std::int64_t n)
        : weights(w), size(n), x(static_cast<std::size_t>(n)), prefix(x.size()), suffix(x.size()),
          rest(1), partials(most_blocks)
    {
        // One scratch buffer large enough for each of the three primitives.
        std::size_t scratch_bytes = 0;
        for (auto const primitive : {0, 1, 2}) {
            std::size_t bytes = 0;
            CRX_CUDA_CHECK(run(primitive, nullptr, bytes));
            scratch_bytes = bytes > scratch_bytes ? bytes : scratch_bytes;
        }
        scratch = DeviceArray<char>(scratch_bytes);
    }

    cudaError_t run(int primitive, void* memory, std::size_t& bytes)
    {
        auto const positions = thrust::make_counting_iterator(std::int64_t{0});
        Pair const zero{0, 0};
        if (primitive == 0)
            return cub::DeviceScan::ExclusiveScan(
                memory, bytes,
                thrust::make_transform_iterator(positions, PrefixTerm{weights, x.data()}),
                thrust::make_transform_output_iterator(prefix.data(), PairValue{}), PairSum{}, zero,
                size);
        if (primitive == 1)
            return cub::DeviceScan::ExclusiveScan(
                memory, bytes,
                thrust::make_transform_iterator(positions, SuffixTerm{weights, x.data(), size}),
                thrust::make_transform_output_iterator(
                    thrust::make_reverse_iterator(suffix.data() + size), PairValue{}),
                PairSum{}, zero, size);
        return cub::DeviceReduce::Reduce(
            memory, bytes, thrust::make_transform_iterator(positions, RestTerm{x.data()}),
            rest.data(), size - 1, PairSum{}, zero);
    }
};

bool spectrum_device_present() { return !find_device().name.empty(); }

DeviceSpectrum::DeviceSpectrum(SpectrumWeights const& weights, double const* tail,
                               std::int64_t size)
    : state_(std::make_unique<State>(weights, size))
{
    CRX_CUDA_CHECK(cudaMemcpy(state_->x.data(), tail,
                              static_cast<std::size_t>(size) * sizeof(double),
                              cudaMemcpyHostToDevice));
}

DeviceSpectrum::~DeviceSpectrum() = default;

SpectrumStep DeviceSpectrum::step(double theta, double shift)
{
    auto& state = *state_;
    for (auto const primitive : {0, 1, 2}) {
        std::size_t bytes = state.scratch.size();
        CRX_CUDA_CHECK(state.run(primitive, state.scratch.data(), bytes));
    }
    double first = 0;
    CRX_CUDA_CHECK(cudaMemcpy(&first, state.x.data(), sizeof first, cudaMemcpyDeviceToHost));
    auto const needed = (state.size + threads - 1) / threads;
    int const blocks = static_cast<int>(needed < most_blocks ? needed : most_blocks);
    combine<<<blocks, threads>>>(state.weights, state.size, state.rest.data(), state.prefix.data(),
                                 state.suffix.data(), theta, shift, state.x.data(), first,
                                 state.partials.data());
    CRX_CUDA_CHECK(cudaGetLastError());
    std::vector<Partial> partials(static_cast<std::size_t>(blocks));
    CRX_CUDA_CHECK(cudaMemcpy(partials.data(), state.partials.data(),
                              partials.size() * sizeof(Partial), cudaMemcpyDeviceToHost));
    Partial all = partials[0];
    for (std::size_t i = 1; i < partials.size(); ++i) all = PartialJoin{}(all, partials[i]);
    PairValue const value;
    return {value(all.norm2), value(all.cross), value(all.residual2), all.low, all.high};
}

void DeviceSpectrum::download(double* tail) const
{
    CRX_CUDA_CHECK(cudaMemcpy(tail, state_->x.data(),
                              static_cast<std::size_t>(state_->size) * sizeof(double),
                              cudaMemcpyDeviceToHost));
}

} // namespace crx
