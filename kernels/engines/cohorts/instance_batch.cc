#include "kernels/engines/cohorts/instance_batch.hh"

#include "kernels/engines/cohorts/composition.cuh"
#include "kernels/engines/cohorts/execute_cohort.cuh"
#include "kernels/engines/rows.hh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>

namespace crx {

InstanceBatch::InstanceBatch(int lanes) : outcomes_(static_cast<std::size_t>(lanes)) {}
InstanceBatch::~InstanceBatch() = default;

void InstanceBatch::keep(int k, Outcome const& outcome, WorkloadView const& workload,
                         std::int64_t const* counts)
{
    auto& kept = outcomes_[static_cast<std::size_t>(k)] = outcome;
    kept.first_token_latency = first_token_latency(kept.total_latency, workload, counts);
}

// Nothing can wrap in lanes: rounds are no more than the steps asked about, so TEL is below n 2^23,
// and n below 2^32.
static_assert(!lanes_end_soon(1 << 23, 0));

double most_lane_rounds(WorkloadView const& w, std::int64_t longest, std::int64_t each)
{
    auto const together = w.memory / (w.prompt_constant + longest);
    return static_cast<double>(w.requests) * static_cast<double>(each) /
               static_cast<double>(together) +
           static_cast<double>(each) + 1;
}

bool lanes_hold(int bits, WorkloadView const& w, double rounds)
{
    auto const least_not = static_cast<double>(std::int64_t{1} << bits);
    auto const longest = w.output_value.empty() ? 1 : w.output_value.back();
    auto const reach = static_cast<double>(w.prompt_constant) +
                       (w.interval.upper > longest ? w.interval.upper : longest);
    return static_cast<double>(w.memory) < least_not &&
           rounds + static_cast<double>(w.prompt_constant) + reach < least_not &&
           static_cast<double>(w.requests) + 2 <= least_not;
}

std::string lanes_refusal(WorkloadView const& w, LaneNeeds const& needs)
{
    if (!lanes_hold(51, w, needs.rounds)) return "numbers may pass 2^51";
    if (needs.places > most_lane_places)
        return std::to_string(needs.places) + " cohorts may be active at a time, more than " +
               std::to_string(most_lane_places);
    if (!lanes_end_soon(needs.steps, needs.places))
        return "an instance may take longer than a second";
    return {};
}

std::string gpu_lanes_refusal(LaneNeeds const& needs)
{
    if (gpu_lanes_end_soon(needs.steps, needs.places)) return {};
    return "an instance may hold a warp for longer than a launch should last";
}

LaneFit lane_fit(WorkloadView const& w, LaneNeeds const& needs)
{
    if (!lanes_refusal(w, needs).empty()) return LaneFit::none;
    return lanes_hold(24, w, needs.rounds) ? LaneFit::floats : LaneFit::doubles;
}

namespace {

LaneNeeds needs_of(WorkloadView const& w)
{
    auto const rounds = most_lane_rounds(w, w.interval.upper, w.interval.upper);
    return {rounds, rounds, std::min(w.requests, std::int64_t{w.interval.upper} + 1)};
}

} // namespace

std::string a_max_batch_refusal(WorkloadView const& w)
{
    if (w.requests == 0) return "there are no requests";
    if (w.output_value.size() > most_a_max_lengths)
        return "there are more than " + std::to_string(most_a_max_lengths) + " output lengths";
    return lanes_refusal(w, needs_of(w));
}

LaneFit a_max_batch_fit(WorkloadView const& w)
{
    return a_max_batch_refusal(w).empty() ? lane_fit(w, needs_of(w)) : LaneFit::none;
}

std::unique_ptr<InstanceBatch> a_max_batch(WorkloadView const& w, SimdLevel level)
{
    auto* const make = CRX_AT_LEVEL(level, make_a_max_batch);
    auto const fit = a_max_batch_fit(w);
    if (make == nullptr || fit == LaneFit::none) return nullptr;
    return std::unique_ptr<InstanceBatch>(make(w, fit == LaneFit::floats));
}

bool a_min_batch_fit(WorkloadView const& w)
{
    if (w.requests == 0 || w.requests >= std::int64_t{1} << 30) return false;
    // Floats hold every number of memory; what is kept of each round stays small.
    if (w.memory >= Tokens{1} << 24 || w.interval.upper > 512) return false;
    // TEL is below 2^61, as a time is below 2^31.
    return lanes_end_soon(4 * most_lane_rounds(w, w.interval.upper, w.interval.upper),
                          w.interval.upper);
}

bool a_min_batch_pays(PolicyKind kind, WorkloadView const& w)
{
    std::int64_t const upper = w.interval.upper;
    return w.memory >= 2 * upper &&
           (kind == MinLengthEvict::kind || 40 * w.memory >= upper * upper);
}

std::unique_ptr<InstanceBatch> a_min_batch(PolicyKind kind, WorkloadView const& w, SimdLevel level)
{
    auto* const make = CRX_AT_LEVEL(level, make_a_min_batch);
    if (make == nullptr || !a_min_batch_fit(w)) return nullptr;
    return std::unique_ptr<InstanceBatch>(make(kind, w, most_learning_cohorts(w)));
}

bool runs_fixed_lengths(PolicyKind kind)
{
    return kind == PromoteLower::kind ||
           policy_info(kind).cohort_form == CohortForm::shortest_first;
}

namespace {

/// All requests do under mc-sf, under a-ell those with outputs l and u alone.
bool ends_at_working_lengths(PolicySpec const& spec, WorkloadView const& w)
{
    if (spec.kind != PromoteLower::kind) return true;
    return w.interval.kind == IntervalKind::common &&
           std::ranges::all_of(w.output_value, [&](auto value) {
               return value == w.interval.lower || value == w.interval.upper;
           });
}

LaneNeeds needs_of(PolicySpec const& spec, WorkloadView const& w)
{
    bool const hidden = spec.kind == PromoteLower::kind;
    auto const longest = std::int64_t{hidden ? w.interval.upper : w.output_value.back()};
    auto const rounds = most_lane_rounds(w, longest, hidden ? longest + w.interval.lower : longest);
    return {rounds, rounds + static_cast<double>(w.output_value.size()),
            fixed_length_batch_steps(w, longest)};
}

} // namespace

std::string fixed_length_batch_refusal(PolicySpec const& spec, WorkloadView const& w)
{
    if (!runs_fixed_lengths(spec.kind))
        return "it runs a-ell and policies that serve shorter requests first";
    if (w.requests == 0 || w.output_value.empty()) return "there are no requests";
    if (!ends_at_working_lengths(spec, w)) return "outputs other than l and u under a-ell";
    return lanes_refusal(w, needs_of(spec, w));
}

LaneFit fixed_length_batch_fit(PolicySpec const& spec, WorkloadView const& w)
{
    return fixed_length_batch_refusal(spec, w).empty() ? lane_fit(w, needs_of(spec, w))
                                                       : LaneFit::none;
}

std::unique_ptr<InstanceBatch> fixed_length_batch(PolicySpec const& spec, WorkloadView const& w,
                                                  SimdLevel level)
{
    auto* const make = CRX_AT_LEVEL(level, make_fixed_length_batch);
    auto const fit = fixed_length_batch_fit(spec, w);
    if (make == nullptr || fit == LaneFit::none) return nullptr;
    bool const hidden = spec.kind == PromoteLower::kind;
    return std::unique_ptr<InstanceBatch>(make(w, hidden, fit == LaneFit::floats));
}

namespace {

/// A row of the engines that run instances by cohorts side by side. An InstanceBatch has memory of
/// its own.
class InstanceBatchRunner : public BatchRunner
{
  public:
    /// Contract: not null.
    explicit InstanceBatchRunner(std::unique_ptr<InstanceBatch> batch)
        : BatchRunner((CRX_EXPECT(batch != nullptr), batch->lanes())), batch_(std::move(batch))
    {
    }

    void execute(InstanceRange range, LazyInstances& instances, ScheduleLog const&,
                 std::optional<Outcome>* outcomes) final
    {
        auto const count = static_cast<int>(range.count);
        batch_->execute(range.first, count, instances.counts(range));
        for (int k = 0; k < count; ++k) outcomes[k] = batch_->outcome(k);
    }

  protected:
    /// Why no such engine of the CPU runs there; empty: some may.
    static std::string batch_refusal(EngineCase const& c)
    {
        if (!c.counts_only)
            return "another policy of the cell has requests written down one by one";
        return c.vectors_refusal();
    }
    /// Their cost where they are worth it, as a part of what `cohorts` costs.
    static double batch_cost(PolicySpec const& spec, EngineCase const& c, double part)
    {
        return part * cohorts_engine.cost(spec, c);
    }

  private:
    std::unique_ptr<InstanceBatch> batch_;
};

/// Why neither row of a-max-batch takes the policy or the instances.
std::string a_max_kind_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (spec.kind != MaxLength::kind) return "it runs a-max alone";
    if (auto reason = cohorts_engine.refusal(spec, c); !reason.empty()) return reason;
    return a_max_batch_refusal(c.workload);
}

class AMaxRunner final : public InstanceBatchRunner
{
  public:
    AMaxRunner(PolicySpec const&, EngineCase const& c)
        : InstanceBatchRunner(a_max_batch(c.workload, c.simd))
    {
    }

    static std::string refusal(PolicySpec const& spec, EngineCase const& c)
    {
        if (auto reason = a_max_kind_refusal(spec, c); !reason.empty()) return reason;
        return batch_refusal(c);
    }
    static double cost(PolicySpec const& spec, EngineCase const& c)
    {
        return batch_cost(spec, c, 0.3);
    }
};

std::string a_max_gpu_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (auto reason = a_max_kind_refusal(spec, c); !reason.empty()) return reason;
    return gpu_lanes_refusal(needs_of(c.workload));
}

class AMinRunner final : public InstanceBatchRunner
{
  public:
    AMinRunner(PolicySpec const& spec, EngineCase const& c)
        : InstanceBatchRunner(a_min_batch(spec.kind, c.workload, c.simd))
    {
    }

    static std::string refusal(PolicySpec const& spec, EngineCase const& c)
    {
        if (spec.kind != MinLength::kind && spec.kind != MinLengthEvict::kind)
            return "it runs a-min and a-min-evict alone";
        if (auto reason = refusal_of_unusual_a_min(spec); !reason.empty()) return reason;
        if (auto reason = cohorts_engine.refusal(spec, c); !reason.empty()) return reason;
        if (auto reason = batch_refusal(c); !reason.empty()) return reason;
        if (!a_min_batch_fit(c.workload))
            return "it takes memory below 2^24, u up to 512, below 2^30 requests, and instances "
                   "that "
                   "end within a second";
        return {};
    }
    static double cost(PolicySpec const& spec, EngineCase const& c)
    {
        return batch_cost(spec, c, a_min_batch_pays(spec.kind, c.workload) ? 0.4 : 2);
    }
};

/// Why neither row of fixed-length-batch takes the policy or the instances.
std::string fixed_length_kind_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (auto reason = cohorts_engine.refusal(spec, c);
        !reason.empty() && runs_fixed_lengths(spec.kind))
        return reason;
    return fixed_length_batch_refusal(spec, c.workload);
}

class FixedLengthRunner final : public InstanceBatchRunner
{
  public:
    FixedLengthRunner(PolicySpec const& spec, EngineCase const& c)
        : InstanceBatchRunner(fixed_length_batch(spec, c.workload, c.simd))
    {
    }

    static std::string refusal(PolicySpec const& spec, EngineCase const& c)
    {
        if (auto reason = fixed_length_kind_refusal(spec, c); !reason.empty()) return reason;
        return batch_refusal(c);
    }
    static double cost(PolicySpec const& spec, EngineCase const& c)
    {
        return batch_cost(spec, c, 0.2);
    }
};

std::string fixed_length_gpu_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (auto reason = fixed_length_kind_refusal(spec, c); !reason.empty()) return reason;
    return gpu_lanes_refusal(needs_of(spec, c.workload));
}

} // namespace

constinit Engine const a_max_batch_engine = make_row<AMaxRunner>({
    .name = "a-max-batch",
    .summary = "a-max by cohorts for several instances side by side",
    .law = RandomLaw::cohort,
    .reads = Reads::counts,
    .instances = 48,
    .least = 4,
});

constinit Engine const gpu_a_max_batch_engine = make_gpu_row<AMaxRunner>({
    .name = "a-max-batch",
    .summary = "a-max by cohorts, an instance a thread",
    .law = RandomLaw::cohort,
    .reads = Reads::counts,
    .own_refusal = a_max_gpu_refusal,
});

constinit Engine const a_min_batch_engine = make_row<AMinRunner>({
    .name = "a-min-batch",
    .summary = "a-min and a-min-evict by cohorts for several instances side by side",
    .law = RandomLaw::cohort,
    .reads = Reads::counts,
    .instances = 16,
    .least = 4,
});

constinit Engine const fixed_length_batch_engine = make_row<FixedLengthRunner>({
    .name = "fixed-length-batch",
    .summary = "mc-sf, and a-ell on outputs l and u, by cohorts for several instances side by side",
    .law = RandomLaw::cohort,
    .reads = Reads::counts,
    .instances = 16,
    .least = 4,
});

constinit Engine const gpu_fixed_length_batch_engine = make_gpu_row<FixedLengthRunner>({
    .name = "fixed-length-batch",
    .summary = "mc-sf, and a-ell on outputs l and u, by cohorts, an instance a thread",
    .law = RandomLaw::cohort,
    .reads = Reads::counts,
    .own_refusal = fixed_length_gpu_refusal,
});

} // namespace crx
