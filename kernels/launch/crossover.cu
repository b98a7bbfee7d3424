#include "kernels/launch/crossover.cuh"

#include "kernels/launch/cuda_check.cuh"
#include "kernels/launch/form_choice.hh"

#include <algorithm>
#include <cstring>
#include <memory>

namespace crx {
namespace {

/// A card holds about so many threads a multiprocessor of kernels with as many registers as ours.
constexpr std::int64_t threads_a_processor = 384;
/// Instances that each form runs before it is timed: its code is loaded then.
constexpr std::int64_t warm_up = 128;

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

/// Instances with which a card is full, a thread each.
std::int64_t full_card()
{
    int device = 0, processors = 0;
    CRX_CUDA_CHECK(cudaGetDevice(&device));
    CRX_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    return threads_a_processor * processors;
}

FormTrial try_form(Form const& form, Batch const& batch, Outcome* outcome)
{
    form.run(batch.part(0, std::min(batch.count, warm_up)), outcome);
    auto const before = make_event(), after = make_event();
    CRX_CUDA_CHECK(cudaEventRecord(before.get()));
    form.run(batch, outcome);
    CRX_CUDA_CHECK(cudaEventRecord(after.get()));
    CRX_CUDA_CHECK(cudaEventSynchronize(after.get()));
    float milliseconds = 0;
    CRX_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, before.get(), after.get()));
    FormTrial trial{form.name, milliseconds / 1e3, {}};
    trial.outcomes.resize(static_cast<std::size_t>(batch.count));
    CRX_CUDA_CHECK(cudaMemcpy(trial.outcomes.data(), outcome,
                              trial.outcomes.size() * sizeof(Outcome), cudaMemcpyDeviceToHost));
    return trial;
}

/// Runs all forms on the batch, one after the other; outcomes are written.
std::size_t try_forms(std::vector<Form> const& forms, PolicySpec const& spec, Batch const& batch,
                      Outcome* outcome)
{
    std::vector<FormTrial> trials;
    for (auto const& form : forms) {
        // What a form does not write must not be what another has written there.
        CRX_CUDA_CHECK(cudaMemsetAsync(outcome, 0xff,
                                       static_cast<std::size_t>(batch.count) * sizeof(Outcome)));
        trials.push_back(try_form(form, batch, outcome));
    }
    auto const* const policy = std::ranges::find(policy_table, spec.kind, &PolicyInfo::kind)->id;
    return fastest_form(policy, batch.first, trials);
}

MeasuredForms& measured_forms()
{
    static MeasuredForms measured;
    return measured;
}

} // namespace

void run_fastest(std::vector<Form> const& forms, FormWish const& wish, WorkloadView const& host,
                 PolicySpec const& spec, Batch const& batch, Outcome* outcome)
{
    CRX_EXPECT(!forms.empty());
    if (batch.count == 0) return;
    auto const named =
        std::ranges::find_if(forms, [&](Form const& form) { return wish.name == form.name; });
    if (named != forms.end()) return named->run(batch, outcome);
    if (forms.size() == 1) return forms.front().run(batch, outcome);
    if (wish.compared) return (void)try_forms(forms, spec, batch, outcome);

    auto& measured = measured_forms();
    auto const key = MeasuredForms::key_of(host, spec);
    auto const before = measured.find(key);
    auto const tried = trial_size(batch.count, full_card(), before);
    std::vector<int> threads;
    for (auto const& form : forms) threads.push_back(form.threads);
    auto form = before ? before->form : unmeasured_form(threads);
    if (tried > 0) {
        form = try_forms(forms, spec, batch.part(0, tried), outcome);
        measured.put(key, {form, tried});
    }
    forms[form].run(batch.part(tried, batch.count - tried), outcome + tried);
}

} // namespace crx
