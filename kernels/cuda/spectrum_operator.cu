#include "kernels/cuda/spectrum_operator.hh"

#include "kernels/cuda/current_device.cuh"
#include "kernels/cuda/device_array.cuh"

#include <algorithm>
#include <cstdint>
#include <cub/block/block_reduce.cuh>
#include <memory>
#include <span>

namespace crx {

// Sums before and behind each length, in an order that does not depend on when blocks run: a tile
// of lengths a block and a few lengths a thread, each in ascending order, threads and tiles in a
// tree. So the same vector gives the same digits in every run.

inline constexpr int tile_threads = 256;
inline constexpr int lengths_a_thread = 8;
inline constexpr std::int64_t tile_lengths = tile_threads * lengths_a_thread;

/// An unevaluated sum high + low: additions in any order keep about 32 digits.
struct Pair
{
    double high, low;
    CRX_HD double value() const { return high + low; }
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

/// The terms of the three sums at a length.
struct TailTerms
{
    SpectrumWeights weights;

    /// i: the length is l + i; x: its entry.
    CRX_HD double prefix(std::int64_t i, double x) const
    {
        return (i == 0 ? weights.f_first() : weights.f(weights.l + static_cast<double>(i))) * x;
    }
    /// Nobody wants the first length's.
    CRX_HD double suffix(std::int64_t i, double x) const
    {
        return i == 0 ? 0 : weights.h(weights.l + static_cast<double>(i)) * x;
    }
};

/// Sums over a tile, and after scan_tiles() those before it and behind it; rest: of all entries
/// but the first.
struct TileSums
{
    Pair prefix, suffix, rest;
};

/// Shared memory of sum_of_others().
struct ThreadPairs
{
    Pair of[tile_threads];
};

/// Whose pairs a thread adds up.
enum class Others
{
    before, ///< threads of lower numbers
    behind  ///< threads of higher numbers
};

#ifdef __CUDACC__
/// The sum of what others of the block give. Every thread of the block must come.
__device__ inline Pair sum_of_others(Others which, Pair own, ThreadPairs& shared)
{
    auto const thread = static_cast<int>(threadIdx.x);
    auto const place = which == Others::before ? thread : tile_threads - 1 - thread;
    PairSum const add;
    __syncthreads(); // no thread still reads what was there
    shared.of[place] = own;
    for (int step = 1; step < tile_threads; step *= 2) {
        __syncthreads();
        auto const before = place >= step ? shared.of[place - step] : Pair{0, 0};
        __syncthreads();
        own = add(before, own);
        shared.of[place] = own;
    }
    __syncthreads();
    return place == 0 ? Pair{0, 0} : shared.of[place - 1];
}
#endif

namespace {

constexpr int most_blocks = 2048;

/// What the blocks of `combine` add up.
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

struct TileJoin
{
    CRX_HD TileSums operator()(TileSums const& a, TileSums const& b) const
    {
        PairSum const add;
        return {add(a.prefix, b.prefix), add(a.suffix, b.suffix), add(a.rest, b.rest)};
    }
};

/// A thread's entries of a tile, 0 past the last length.
struct OwnEntries
{
    std::int64_t first;
    double x[lengths_a_thread];

    __device__ OwnEntries(std::int64_t tile, double const* all, std::int64_t size)
        : first(tile * tile_lengths + std::int64_t{threadIdx.x} * lengths_a_thread)
    {
        for (int j = 0; j < lengths_a_thread; ++j) x[j] = first + j < size ? all[first + j] : 0;
    }
    __device__ TileSums sums(TailTerms const& terms) const
    {
        TileSums own{{0, 0}, {0, 0}, {0, 0}};
        for (int j = 0; j < lengths_a_thread; ++j) {
            auto const i = first + j;
            own = TileJoin{}(
                own,
                {{terms.prefix(i, x[j]), 0}, {terms.suffix(i, x[j]), 0}, {i == 0 ? 0 : x[j], 0}});
        }
        return own;
    }
};

__global__ void __launch_bounds__(tile_threads)
    sum_tiles(TailTerms terms, double const* x, std::int64_t size, TileSums* sums)
{
    using Reduce = cub::BlockReduce<TileSums, tile_threads>;
    __shared__ typename Reduce::TempStorage storage;
    auto const own = OwnEntries(blockIdx.x, x, size).sums(terms);
    auto const all = Reduce(storage).Reduce(own, TileJoin{});
    if (threadIdx.x == 0) sums[blockIdx.x] = all;
}

/// One block: prefix and suffix become those before and behind the tile, rest[0] that of all.
__global__ void __launch_bounds__(tile_threads)
    scan_tiles(TileSums* sums, std::int64_t tiles, Pair* rest)
{
    __shared__ ThreadPairs shared;
    PairSum const add;
    auto const each = (tiles + tile_threads - 1) / tile_threads;
    auto const from = std::int64_t{threadIdx.x} * each;
    auto const to = from + each < tiles ? from + each : tiles;
    TileSums own{{0, 0}, {0, 0}, {0, 0}};
    for (auto k = from; k < to; ++k) own = TileJoin{}(own, sums[k]);
    auto before = sum_of_others(Others::before, own.prefix, shared);
    auto behind = sum_of_others(Others::behind, own.suffix, shared);
    auto const rest_before = sum_of_others(Others::before, own.rest, shared);
    if (threadIdx.x == tile_threads - 1) *rest = add(rest_before, own.rest);
    for (auto k = from; k < to; ++k) {
        auto const of_tile = sums[k].prefix;
        sums[k].prefix = before;
        before = add(before, of_tile);
    }
    for (auto k = to - 1; k >= from; --k) {
        auto const of_tile = sums[k].suffix;
        sums[k].suffix = behind;
        behind = add(of_tile, behind);
    }
}

/// Blocks take tiles in turns, always the same ones.
__global__ void __launch_bounds__(tile_threads)
    combine(TailTerms terms, std::int64_t size, std::int64_t tiles, TileSums const* sums,
            Pair const* rest, double theta, double shift, double* x, double x_first,
            Partial* partials)
{
    using Reduce = cub::BlockReduce<Partial, tile_threads>;
    __shared__ typename Reduce::TempStorage storage;
    __shared__ ThreadPairs shared;
    auto const& weights = terms.weights;
    double const infinity = 1.0 / 0.0;
    double const total = rest->value();
    double const common = (weights.e_first() * x_first + total) / 2;
    double const scale = 1 / (theta + shift);
    PairSum const add;
    PartialJoin const join;
    Partial own{{0, 0}, {0, 0}, {0, 0}, infinity, -infinity};
    for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        OwnEntries const entries(tile, x, size);
        auto const of_thread = entries.sums(terms);
        auto before =
            add(sums[tile].prefix, sum_of_others(Others::before, of_thread.prefix, shared));
        auto behind =
            add(sum_of_others(Others::behind, of_thread.suffix, shared), sums[tile].suffix);
        double suffix[lengths_a_thread];
        for (int j = lengths_a_thread - 1; j >= 0; --j) {
            suffix[j] = behind.value();
            behind = add({terms.suffix(entries.first + j, entries.x[j]), 0}, behind);
        }
        for (int j = 0; j < lengths_a_thread; ++j) {
            auto const i = entries.first + j;
            if (i >= size) break;
            double const old = entries.x[j];
            double w = weights.w_first();
            double y;
            if (i == 0) {
                y = old + (weights.e_first() * total + weights.f_first() * suffix[j]) / (2 * w);
            } else {
                double const k = weights.l + static_cast<double>(i);
                double const h = weights.h(k);
                w = weights.w(k);
                y = (common + (h * before.value() + weights.f(k) * suffix[j]) / 2 +
                     weights.rest(k, h) * old) /
                    w;
            }
            before = add(before, {terms.prefix(i, old), 0});
            double const difference = y - theta * old;
            own = join(own, {{w * old * old, 0},
                             {w * old * difference, 0},
                             {w * difference * difference, 0},
                             y / old,
                             y / old});
            x[i] = (y + shift * old) * scale;
        }
    }
    Partial const all = Reduce(storage).Reduce(own, join);
    if (threadIdx.x == 0) partials[blockIdx.x] = all;
}

} // namespace

struct DeviceSpectrum::State
{
    TailTerms terms;
    std::int64_t size, tiles;
    int gpu = use_device().number; ///< before all arrays
    DeviceArray<double> x;
    DeviceArray<TileSums> sums;
    DeviceArray<Pair> rest;
    DeviceArray<Partial> partials;

    State(SpectrumWeights const& weights, double const* tail, std::int64_t n)
        : terms{weights}, size(n), tiles((n + tile_lengths - 1) / tile_lengths),
          x(std::span(tail, static_cast<std::size_t>(n))), sums(static_cast<std::size_t>(tiles)),
          rest(1), partials(static_cast<std::size_t>(std::min<std::int64_t>(tiles, most_blocks)))
    {
        CRX_EXPECT(n >= 1);
    }
};

bool spectrum_device_present() { return !find_device().name.empty(); }

DeviceSpectrum::DeviceSpectrum(SpectrumWeights const& weights, double const* tail,
                               std::int64_t size)
    : state_(std::make_unique<State>(weights, tail, size))
{
}

DeviceSpectrum::~DeviceSpectrum() = default;

SpectrumStep DeviceSpectrum::step(double theta, double shift)
{
    auto& state = *state_;
    auto const first = state.x.first(1).front();
    sum_tiles<<<static_cast<unsigned>(state.tiles), tile_threads>>>(state.terms, state.x.data(),
                                                                    state.size, state.sums.data());
    CRX_CUDA_CHECK(cudaGetLastError());
    scan_tiles<<<1, tile_threads>>>(state.sums.data(), state.tiles, state.rest.data());
    CRX_CUDA_CHECK(cudaGetLastError());
    combine<<<static_cast<unsigned>(state.partials.size()), tile_threads>>>(
        state.terms, state.size, state.tiles, state.sums.data(), state.rest.data(), theta, shift,
        state.x.data(), first, state.partials.data());
    CRX_CUDA_CHECK(cudaGetLastError());
    auto const partials = state.partials.all();
    auto all = partials.front();
    for (std::size_t i = 1; i < partials.size(); ++i) all = PartialJoin{}(all, partials[i]);
    return {all.norm2.value(), all.cross.value(), all.residual2.value(), all.low, all.high};
}

void DeviceSpectrum::download(double* tail) const
{
    auto const values = state_->x.all();
    std::ranges::copy(values, tail);
}

} // namespace crx
