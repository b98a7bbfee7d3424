#include "kernels/engines/cohorts/a_max_batch/a_max_batch.hh"
#include "kernels/engines/cohorts/batch_row.hh"
#include "kernels/policies/max_length.cuh"

namespace crx {
namespace {

/// Why its rows take neither the policy nor the instances, on any processor.
std::string kind_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (spec.kind != MaxLength::kind) return "it runs a-max alone";
    if (auto reason = cohorts_engine.refusal(spec, c); !reason.empty()) return reason;
    return a_max_batch_refusal(c.workload);
}

std::string refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (auto reason = kind_refusal(spec, c); !reason.empty()) return reason;
    return cohort_batch_refusal(c);
}

double cost(PolicySpec const& spec, EngineCase const& c) { return cohort_batch_cost(spec, c, 0.3); }

std::unique_ptr<BatchRunner> make(PolicySpec const&, EngineCase const& c)
{
    return cohort_batch_runner(a_max_batch(c.workload, c.simd));
}

} // namespace

constinit Engine const a_max_batch_engine{
    .name = "a-max-batch",
    .summary = "a-max by cohorts for several instances side by side",
    .processor = Processor::cpu,
    .law = RandomLaw::cohort,
    .reads = Reads::counts,
    .instances = 48,
    .least = 4,
    .own_refusal = refusal,
    .cost = cost,
    .make = make,
};

constinit Engine const card_a_max_batch_engine{
    .name = "a-max-batch",
    .summary = "a-max by cohorts, a thread a lane of a vector",
    .processor = Processor::card,
    .law = RandomLaw::cohort,
    .reads = Reads::counts,
    .own_refusal = kind_refusal,
    .cost = cost,
};

} // namespace crx
