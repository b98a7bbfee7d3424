#include "kernels/cuda/autotune.cuh"

#include "kernels/cuda/current_device.cuh"
#include "kernels/cuda/device_array.cuh"
#include "kernels/cuda/variant_times.hh"

#include <algorithm>
#include <memory>

namespace crx {
namespace {

/// The most that any kernel can have there at a time: one or more rounds of each variant.
constexpr std::int64_t threads_a_processor = 2048;

struct EventEnd
{
    void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
};
using Event = std::unique_ptr<CUevent_st, EventEnd>;

Event make_event()
{
    cudaEvent_t event;
    CRX_CUDA_CHECK(cudaEventCreate(&event));
    return Event(event);
}

template <class Result>
std::vector<Result> copied(Result const* from, std::int64_t count)
{
    std::vector<Result> values(static_cast<std::size_t>(count));
    copy_to_host(values.data(), from, values.size() * sizeof(Result));
    return values;
}

/// Runs a variant on the batch; in how many seconds.
template <class Result>
double time_variant(EngineVariant<Result> const& variant, GpuBatch const& batch, Result* result)
{
    auto const before = make_event(), after = make_event();
    CRX_CUDA_CHECK(cudaEventRecord(before.get()));
    variant.run(batch, result);
    CRX_CUDA_CHECK(cudaEventRecord(after.get()));
    CRX_CUDA_CHECK(cudaEventSynchronize(after.get()));
    float milliseconds = 0;
    CRX_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, before.get(), after.get()));
    return milliseconds / 1e3;
}

/// Runs all variants on the batch, forth and back, and compares what they say; which is the
/// fastest. `bounds`: likewise, may be null. The first runs once more before: an idle GPU's clock
/// is low, and the memory pool is to grow.
template <class Result>
std::size_t try_variants(std::vector<EngineVariant<Result>> const& variants,
                         std::string const& what, GpuBatch const& batch, Result* result,
                         std::int64_t* bounds)
{
    auto* const own = result + batch.from;
    auto* const own_bounds = bounds == nullptr ? nullptr : bounds + batch.from;
    auto const bytes = static_cast<std::size_t>(batch.count);
    std::vector<VariantTrial<Result>> trials;
    std::vector<VariantTrial<std::int64_t>> bound_trials;
    variants.front().run(batch, result);
    for (auto const& variant : variants) {
        variant.run(batch.part(0, 1), result); // its code is loaded now
        // What a variant does not write must not be what another has written, or says unknown.
        CRX_CUDA_CHECK(cudaMemsetAsync(own, 0x7f, bytes * sizeof(Result)));
        if (bounds != nullptr)
            CRX_CUDA_CHECK(cudaMemsetAsync(own_bounds, 0x7f, bytes * sizeof(std::int64_t)));
        auto const seconds = time_variant(variant, batch, result);
        trials.push_back({variant.name, seconds, copied(own, batch.count)});
        if (bounds != nullptr)
            bound_trials.push_back({variant.name, seconds, copied(own_bounds, batch.count)});
    }
    for (auto k = variants.size(); k-- > 0;)
        trials[k].seconds = std::min(trials[k].seconds, time_variant(variants[k], batch, result));
    if (bounds != nullptr) fastest_variant("the bound beside " + what, batch.from, bound_trials);
    return fastest_variant(what, batch.from, trials);
}

VariantTimes& measured_variants()
{
    static VariantTimes measured;
    return measured;
}

} // namespace

std::int64_t full_gpu() { return threads_a_processor * current_device().processors; }

template <class Result>
void run_fastest(std::vector<EngineVariant<Result>> const& variants, VariantChoice const& wish,
                 std::string const& kind, std::string const& what, GpuBatch const& batch,
                 Result* result, std::int64_t* bound)
{
    CRX_EXPECT(!variants.empty() && batch.list == nullptr);
    if (batch.count == 0) return;
    if (!wish.name.empty()) {
        auto const named = std::ranges::find(variants, wish.name, &EngineVariant<Result>::name);
        return (named != variants.end() ? *named : variants.front()).run(batch, result);
    }
    if (variants.size() == 1) return variants.front().run(batch, result);
    if (wish.compared) return (void)try_variants(variants, what, batch, result, bound);

    auto& measured = measured_variants();
    std::vector<int> threads;
    auto key = what + ", " + kind;
    for (auto const& variant : variants) {
        threads.push_back(variant.threads);
        key += ", " + variant.name;
    }
    auto const before = measured.find(key);
    auto entry = before ? *before : VariantTimes::Entry{unmeasured_variant(threads)};
    auto tried = trial_size(batch.count, full_gpu(), before);
    if (tried > 0) {
        entry.variant = try_variants(variants, what, batch.part(0, tried), result, bound);
        entry.instances = tried;
    } else if (tried = compared_size(batch.count, before); tried > 0) {
        try_variants(variants, what, batch.part(0, tried), result, bound);
    }
    entry.compared += tried;
    if (tried > 0) measured.put(key, entry);
    variants[entry.variant].run(batch.part(tried, batch.count - tried), result);
}

template void run_fastest(std::vector<EngineVariant<Outcome>> const&, VariantChoice const&,
                          std::string const&, std::string const&, GpuBatch const&, Outcome*,
                          std::int64_t*);
template void run_fastest(std::vector<EngineVariant<std::int64_t>> const&, VariantChoice const&,
                          std::string const&, std::string const&, GpuBatch const&, std::int64_t*,
                          std::int64_t*);

} // namespace crx
