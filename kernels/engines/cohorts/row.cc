#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/engines/rows.hh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>

namespace crx {
namespace {

/// Most bytes of a thread's instance: with more, a few threads would fill a machine. It is the same
/// on all machines, as results must not depend on them.
constexpr std::size_t most_bytes = std::size_t{2} << 30;
/// Fewer bytes than these never speak against counting.
constexpr std::size_t few_bytes = std::size_t{256} << 20;

/// 0 where the law is not tabulated, so that lengths are not known yet.
std::size_t needed_bytes(PolicySpec const& spec, EngineCase const& c)
{
    return c.workload.output_value.empty() ? 0 : cohort_bytes(spec, c.workload);
}

std::string too_large(std::size_t bytes)
{
    auto const in_gib = [](std::size_t count) {
        auto const tenths = (count * 10) >> 30;
        return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
    };
    return "it would take " + in_gib(bytes) + " of memory a thread, by the longest output, and " +
           "at most " + in_gib(most_bytes) + " are allowed";
}

/// Whether counting is the cheaper way, by measured times (docs/decisions/010-engine-by-cost.md).
///
/// Policies that start whole classes or cancel by lot gain from a few requests a length on. A
/// cohort of hidden lengths asks once for every length that may end, and a-random splits each group
/// by length, so groups must hold some requests of each.
bool is_cheaper(PolicySpec const& spec, EngineCase const& c)
{
    auto const& w = c.workload;
    if (w.output_value.empty()) return true; // the law is not tabulated: only a check
    if (auto const needed = needed_bytes(spec, c); needed > few_bytes)
        if (needed > requests_engine.bytes(spec, c)) return false;
    auto const lengths = static_cast<std::int64_t>(w.output_value.size());
    if (w.requests < 2 * lengths) return false;
    auto const together = w.memory / (std::int64_t{w.prompt_constant} + w.output_value.back());
    switch (policy_info(spec.kind).cohort_form) {
    case CohortForm::hidden_lengths: return together >= lengths;
    case CohortForm::random_order: return together >= 4 * lengths;
    case CohortForm::none:
    case CohortForm::shortest_first:
    case CohortForm::learned_lengths: break;
    }
    return true;
}

class CohortRunner final : public BatchRunner
{
  public:
    CohortRunner(PolicySpec const& spec, EngineCase const& c) : spec_(spec), workload_(c.workload)
    {
    }

    static std::string refusal(PolicySpec const& spec, EngineCase const& c)
    {
        if (c.order != nullptr) return "the policy is run by itself, request by request";
        if (c.searched_baselines) return "baselines that search for schedules name requests";
        if (c.source != nullptr) return "n or M differs from instance to instance";
        if (auto const reason = cohort_refusal(spec, c.workload); !reason.empty()) return reason;
        auto const needed = needed_bytes(spec, c);
        return needed > most_bytes ? too_large(needed) : "";
    }
    static double cost(PolicySpec const& spec, EngineCase const& c)
    {
        return is_cheaper(spec, c) ? 0.1 : 2;
    }
    static std::size_t bytes(PolicySpec const& spec, EngineCase const& c)
    {
        return needed_bytes(spec, c);
    }

    void execute(InstanceRange range, LazyInstances& instances, ScheduleLog const& log,
                 std::optional<Outcome>* outcomes) override
    {
        *outcomes = execute_cohort(spec_, workload_, instances.counts(range), range.first,
                                   instances.scratch(), instances.scratch_bytes(), log);
    }

  private:
    PolicySpec spec_;
    WorkloadView workload_;
};

} // namespace

constinit Engine const cohorts_engine = make_row<CohortRunner>({
    .name = "cohorts",
    .summary = "requests that no policy can tell apart move as counts; cost does not grow with n",
    .law = RandomLaw::cohort,
    .reads = Reads::counts,
    .portable = true,
});

constinit Engine const gpu_cohorts_engine = make_gpu_row<CohortRunner>({
    .name = "cohorts",
    .summary = "requests that no policy can tell apart as counts, an instance a thread",
    .law = RandomLaw::cohort,
    .reads = Reads::counts,
    .portable = true,
});

} // namespace crx
