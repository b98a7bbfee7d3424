#include "analysis/fluid/domination.hh"

#include "kernels/engines/iterations/iteration_clock.cuh"
#include "kernels/model/arrivals.cuh"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace crx::fluid {
namespace {

/// A threshold policy with its memory. These checks run where queues stay short.
struct OwnedPolicy
{
    explicit OwnedPolicy(IterationCell const& cell)
        : plan(cell.policy.thresholds.plan(cell.types)), bytes(bytes_of(plan)),
          block(std::make_unique_for_overwrite<std::byte[]>(bytes)), arena(block.get(), bytes),
          policy(plan, room, arena)
    {
    }
    static constexpr std::int64_t room = 1 << 16;
    static std::size_t bytes_of(ThresholdPlan const& plan)
    {
        Arena counter(nullptr, 0);
        ThresholdPolicy(plan, room, counter);
        return counter.bytes_used();
    }

    ThresholdPlan plan;
    std::size_t bytes;
    std::unique_ptr<std::byte[]> block;
    Arena arena;
    ThresholdPolicy policy;
};

/// Every arrival of a path as an event.
struct OwnedArrivals
{
    OwnedArrivals(IterationCell const& cell, std::int64_t path)
        : bytes(bytes_of(cell)), block(std::make_unique_for_overwrite<std::byte[]>(bytes)),
          arena(block.get(), bytes), arrivals(make(cell, path, arena))
    {
    }
    static PoissonArrivals make(IterationCell const& cell, std::int64_t path, Arena& arena)
    {
        return {cell.arrivals.table(),
                cell.seed,
                static_cast<std::uint64_t>(path),
                nullptr,
                nullptr,
                0,
                arena};
    }
    static std::size_t bytes_of(IterationCell const& cell)
    {
        Arena counter(nullptr, 0);
        make(cell, 0, counter);
        return counter.bytes_used();
    }

    std::size_t bytes;
    std::unique_ptr<std::byte[]> block;
    Arena arena;
    PoissonArrivals arrivals;
};

void compare(Domination& d, std::int64_t coupled, std::int64_t queue, std::int64_t taken)
{
    ++d.compared;
    auto const lack_at_end = queue - coupled, lack = lack_at_end - taken;
    d.below += lack > 0;
    d.below_at_end += lack_at_end > 0;
    d.coupled_sum += coupled;
    d.queue_sum += queue - taken;
    d.largest_lack = std::max(d.largest_lack, lack);
    d.largest_lack_at_end = std::max(d.largest_lack_at_end, lack_at_end);
}

/// Follows the queues of segments 2, 3, .. at the starts of batches.
class NestedFollower
{
  public:
    NestedFollower(ThresholdPolicy const& policy, ThresholdPlan const& plan)
        : policy_(policy), plan_(plan)
    {
        for (std::int32_t s = 0; s < plan.segment_count; ++s)
            coupled_.push_back(plan.segments[s].threshold);
        printed_ = coupled_;
        lowered_.assign(coupled_.size(), 0);
        seen_.assign(coupled_.size(), false);
    }

    void batch_starts()
    {
        for (std::int32_t g = 0; g < plan_.group_count; ++g) {
            auto const& group = plan_.groups[g];
            for (auto s = group.first_segment + 1; s < group.first_segment + group.segments; ++s) {
                if (policy_.taken(s - 1) == 0) continue; // the batch does not contain segment s-1
                auto const k = static_cast<std::size_t>(s);
                auto const n = plan_.segments[s].threshold;
                auto const queue = policy_.waiting(s), taken = policy_.taken(s);
                if (seen_[k]) { // the last such batch brought Y
                    auto const brought = queue - lowered_[k];
                    coupled_[k] = std::max(n, coupled_[k] + brought - n);
                    printed_[k] = std::max(n, printed_[k] + brought -
                                                  plan_.segments[group.first_segment].threshold);
                }
                seen_[k] = true;
                compare(domination, coupled_[k], queue, taken);
                domination.below_as_printed += queue - taken > printed_[k];
                lowered_[k] = queue - taken;
            }
        }
    }

    Domination domination;

  private:
    ThresholdPolicy const& policy_;
    ThresholdPlan const& plan_;
    std::vector<std::int64_t> coupled_, printed_, lowered_;
    std::vector<bool> seen_;
};

struct FollowingLog
{
    NestedFollower* follower;
    void batch(Batch const&, Nanoseconds, Nanoseconds) const { follower->batch_starts(); }
};

} // namespace

void Domination::add(Domination const& other)
{
    compared += other.compared;
    below += other.below;
    below_at_end += other.below_at_end;
    below_as_printed += other.below_as_printed;
    largest_lack = std::max(largest_lack, other.largest_lack);
    largest_lack_at_end = std::max(largest_lack_at_end, other.largest_lack_at_end);
    coupled_sum += other.coupled_sum;
    queue_sum += other.queue_sum;
}

DiscreteQueue discrete_queue(std::int64_t n, std::int64_t steps, std::uint64_t seed,
                             std::int64_t path)
{
    CRX_EXPECT(n >= 1);
    DiscreteQueue out;
    WordStream words(seed, stream_arrivals, static_cast<std::uint64_t>(path));
    constexpr std::uint64_t step = std::uint64_t{1} << 40;
    auto const gap = step / static_cast<std::uint64_t>(n);
    std::uint64_t next = exponential(words).scaled(gap); // from the start of the step
    std::int64_t coupled = 2 * n;
    for (std::int64_t t = 0; t < steps; ++t) {
        std::int64_t x = 0;
        for (; next < step; next += exponential(words).scaled(gap)) ++x;
        next -= step;
        out.arrivals += x;
        out.queue += x;
        if (out.queue >= n)
            out.queue -= n;
        else
            ++out.stuck;
        coupled = std::max(2 * n, coupled + x - n);
        compare(out.domination, coupled, out.queue + n, 0);
    }
    return out;
}

Domination wait_domination(IterationCell const& cell, std::int64_t path)
{
    CRX_EXPECT(cell.policy.kind == IterationPolicyKind::wait);
    OwnedPolicy owned(cell);
    OwnedArrivals arrivals(cell, path), same(cell, path);
    IterationClock clock(cell.time, cell.types.data(), static_cast<std::int32_t>(cell.types.size()),
                         0, owned.policy, arrivals.arrivals);
    auto const& segments = cell.policy.thresholds.segments;
    std::vector<std::int64_t> coupled;
    Tokens full = 0;
    for (std::size_t j = 0; j < segments.size(); ++j) {
        coupled.push_back(2 * segments[j].threshold);
        auto const [prompt, output] = cell.types[j];
        full += segments[j].threshold * ((output + 1) * prompt + output * (output + 1) / 2);
    }
    auto const period = cell.time.of(full);
    Domination out;
    for (auto t = period; t <= cell.checkpoints.back(); t += period) {
        CRX_EXPECT(clock.run_until(t));
        auto& next = same.arrivals;
        for (; next.time() <= t; next.advance()) ++coupled[static_cast<std::size_t>(next.type())];
        for (std::size_t j = 0; j < segments.size(); ++j) {
            auto const n = segments[j].threshold;
            coupled[j] = std::max(2 * n, coupled[j] - n);
            auto const s = static_cast<std::int32_t>(j);
            compare(out, coupled[j], owned.policy.waiting(s), owned.policy.taken(s));
        }
    }
    return out;
}

Domination nested_domination(IterationCell const& cell, std::int64_t path)
{
    CRX_EXPECT(cell.policy.kind == IterationPolicyKind::nested_wait);
    OwnedPolicy owned(cell);
    NestedFollower follower(owned.policy, owned.plan);
    OwnedArrivals arrivals(cell, path);
    IterationClock clock(cell.time, cell.types.data(), static_cast<std::int32_t>(cell.types.size()),
                         0, owned.policy, arrivals.arrivals, FollowingLog{&follower});
    CRX_EXPECT(clock.run_until(cell.checkpoints.back()));
    return follower.domination;
}

} // namespace crx::fluid
