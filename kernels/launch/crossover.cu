#include "kernels/launch/crossover.cuh"

#include "kernels/launch/cuda_check.cuh"
#include "kernels/launch/form_choice.hh"

#include <algorithm>
#include <cstring>
#include <memory>

namespace crx {
namespace {

/// The most that any kernel can have there at a time: one or more rounds of each form.
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
FormTrial<Result> try_form(Form<Result> const& form, Batch const& batch, Result* result)
{
    form.run(batch.part(0, 1), result); // its code is loaded now
    // What a form does not write must not be what another has written there, or says unknown.
    CRX_CUDA_CHECK(
        cudaMemsetAsync(result, 0x7f, static_cast<std::size_t>(batch.count) * sizeof(Result)));
    auto const before = make_event(), after = make_event();
    CRX_CUDA_CHECK(cudaEventRecord(before.get()));
    form.run(batch, result);
    CRX_CUDA_CHECK(cudaEventRecord(after.get()));
    CRX_CUDA_CHECK(cudaEventSynchronize(after.get()));
    float milliseconds = 0;
    CRX_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, before.get(), after.get()));
    FormTrial<Result> trial{form.name, milliseconds / 1e3, {}};
    trial.results.resize(static_cast<std::size_t>(batch.count));
    CRX_CUDA_CHECK(cudaMemcpy(trial.results.data(), result, trial.results.size() * sizeof(Result),
                              cudaMemcpyDeviceToHost));
    return trial;
}

/// Runs all forms on the batch, one after the other; returns which is the fastest.
template <class Result>
std::size_t try_forms(std::vector<Form<Result>> const& forms, std::string const& what,
                      Batch const& batch, Result* result)
{
    std::vector<FormTrial<Result>> trials;
    for (auto const& form : forms) trials.push_back(try_form(form, batch, result));
    return fastest_form(what, batch.first, trials);
}

MeasuredForms& measured_forms()
{
    static MeasuredForms measured;
    return measured;
}

} // namespace

std::int64_t full_card()
{
    int device = 0, processors = 0;
    CRX_CUDA_CHECK(cudaGetDevice(&device));
    CRX_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    return threads_a_processor * processors;
}

template <class Result>
void run_fastest(std::vector<Form<Result>> const& forms, FormWish const& wish,
                 WorkloadView const& host, std::string const& what, Batch const& batch,
                 Result* result)
{
    CRX_EXPECT(!forms.empty());
    if (batch.count == 0) return;
    if (!wish.name.empty()) {
        auto const named =
            std::ranges::find_if(forms, [&](auto const& form) { return wish.name == form.name; });
        return (named != forms.end() ? *named : forms.front()).run(batch, result);
    }
    if (forms.size() == 1) return forms.front().run(batch, result);
    if (wish.compared) return (void)try_forms(forms, what, batch, result);

    auto& measured = measured_forms();
    auto const key = MeasuredForms::key_of(host, what);
    auto const before = measured.find(key);
    std::vector<int> threads;
    for (auto const& form : forms) threads.push_back(form.threads);
    auto entry = before && before->form < forms.size()
                     ? *before
                     : MeasuredForms::Entry{unmeasured_form(threads)};
    auto tried = trial_size(batch.count, full_card(), before);
    if (tried > 0) {
        entry.form = try_forms(forms, what, batch.part(0, tried), result);
        entry.instances = tried;
    } else if (tried = compared_size(batch.count, before); tried > 0) {
        try_forms(forms, what, batch.part(0, tried), result);
    }
    entry.compared += tried;
    if (tried > 0) measured.put(key, entry);
    forms[entry.form].run(batch.part(tried, batch.count - tried), result + tried);
}

template void run_fastest(std::vector<Form<Outcome>> const&, FormWish const&, WorkloadView const&,
                          std::string const&, Batch const&, Outcome*);
template void run_fastest(std::vector<Form<std::int64_t>> const&, FormWish const&,
                          WorkloadView const&, std::string const&, Batch const&, std::int64_t*);

} // namespace crx
