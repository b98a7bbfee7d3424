#include "kernels/engines/cohorts/batch_row.hh"
#include "kernels/engines/cohorts/fixed_length_batch/fixed_length_batch.hh"

namespace crx {
namespace {

/// Why its rows take neither the policy nor the instances, on any processor.
std::string kind_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (auto reason = cohorts_engine.refusal(spec, c);
        !reason.empty() && runs_fixed_lengths(spec.kind))
        return reason;
    return fixed_length_batch_refusal(spec, c.workload);
}

std::string refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (auto reason = kind_refusal(spec, c); !reason.empty()) return reason;
    return cohort_batch_refusal(c);
}

double cost(PolicySpec const& spec, EngineCase const& c) { return cohort_batch_cost(spec, c, 0.2); }

std::unique_ptr<BatchRunner> make(PolicySpec const& spec, EngineCase const& c)
{
    return cohort_batch_runner(fixed_length_batch(spec, c.workload, c.simd));
}

} // namespace

constinit Engine const fixed_length_batch_engine{
    .name = "fixed-length-batch",
    .summary = "mc-sf, and a-ell on outputs l and u, by cohorts for several instances side by side",
    .processor = Processor::cpu,
    .law = RandomLaw::cohort,
    .reads = Reads::counts,
    .instances = 16,
    .least = 4,
    .own_refusal = refusal,
    .cost = cost,
    .make = make,
};

constinit Engine const card_fixed_length_batch_engine{
    .name = "fixed-length-batch",
    .summary = "mc-sf, and a-ell on outputs l and u, by cohorts, a thread a lane of a vector",
    .processor = Processor::card,
    .law = RandomLaw::cohort,
    .reads = Reads::counts,
    .own_refusal = kind_refusal,
    .cost = cost,
};

} // namespace crx
