#include "kernels/cuda/autotune.cuh"

#include "kernels/cuda/current_device.cuh"
#include "kernels/cuda/launch_device.cuh"
#include "kernels/cuda/variant_times.hh"

#include <algorithm>
#include <cstring>
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
VariantTrial<Result> try_variant(EngineVariant<Result> const& variant, Batch const& batch,
                                 Result* result)
{
    variant.run(batch.part(0, 1), result); // its code is loaded now
    // What a variant does not write must not be what another has written there, or says unknown.
    CRX_CUDA_CHECK(
        cudaMemsetAsync(result, 0x7f, static_cast<std::size_t>(batch.count) * sizeof(Result)));
    auto const before = make_event(), after = make_event();
    CRX_CUDA_CHECK(cudaEventRecord(before.get()));
    variant.run(batch, result);
    CRX_CUDA_CHECK(cudaEventRecord(after.get()));
    CRX_CUDA_CHECK(cudaEventSynchronize(after.get()));
    float milliseconds = 0;
    CRX_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, before.get(), after.get()));
    VariantTrial<Result> trial{variant.name, milliseconds / 1e3, {}};
    trial.results.resize(static_cast<std::size_t>(batch.count));
    CRX_CUDA_CHECK(cudaMemcpy(trial.results.data(), result, trial.results.size() * sizeof(Result),
                              cudaMemcpyDeviceToHost));
    return trial;
}

/// Runs all variants on the batch, one after the other; returns which is the fastest.
template <class Result>
std::size_t try_variants(std::vector<EngineVariant<Result>> const& variants,
                         std::string const& what, Batch const& batch, Result* result)
{
    std::vector<VariantTrial<Result>> trials;
    for (auto const& variant : variants) trials.push_back(try_variant(variant, batch, result));
    return fastest_variant(what, batch.first, trials);
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
                 WorkloadView const& host, std::string const& what, Batch const& batch,
                 Result* result)
{
    CRX_EXPECT(!variants.empty());
    if (batch.count == 0) return;
    if (!wish.name.empty()) {
        auto const named = std::ranges::find_if(
            variants, [&](auto const& variant) { return wish.name == variant.name; });
        return (named != variants.end() ? *named : variants.front()).run(batch, result);
    }
    if (variants.size() == 1) return variants.front().run(batch, result);
    if (wish.compared) return (void)try_variants(variants, what, batch, result);

    auto& measured = measured_variants();
    std::vector<int> threads;
    std::vector<std::string_view> names;
    for (auto const& variant : variants) {
        threads.push_back(variant.threads);
        names.push_back(variant.name);
    }
    auto const key = VariantTimes::key_of(host, what, names);
    auto const before = measured.find(key);
    auto entry = before ? *before : VariantTimes::Entry{unmeasured_variant(threads)};
    auto tried = trial_size(batch.count, full_gpu(), before);
    if (tried > 0) {
        entry.variant = try_variants(variants, what, batch.part(0, tried), result);
        entry.instances = tried;
    } else if (tried = compared_size(batch.count, before); tried > 0) {
        try_variants(variants, what, batch.part(0, tried), result);
    }
    entry.compared += tried;
    if (tried > 0) measured.put(key, entry);
    variants[entry.variant].run(batch.part(tried, batch.count - tried), result + tried);
}

template void run_fastest(std::vector<EngineVariant<Outcome>> const&, VariantChoice const&,
                          WorkloadView const&, std::string const&, Batch const&, Outcome*);
template void run_fastest(std::vector<EngineVariant<std::int64_t>> const&, VariantChoice const&,
                          WorkloadView const&, std::string const&, Batch const&, std::int64_t*);

} // namespace crx
