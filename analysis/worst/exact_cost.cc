#include "analysis/worst/exact_cost.hh"

#include "kernels/engines/lists/execute_list.hh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace crx::worst {
namespace {

constexpr auto least_chance = std::int64_t{1} << 40; ///< one in so many

/// One path through the tree of choices, and the way to the next.
class ChoicePath
{
  public:
    std::uint64_t choose(std::uint64_t k)
    {
        if (k <= 1) return 0;
        if (depth_ == steps_.size()) {
            steps_.push_back({k, 0});
            if (one_in() > least_chance) throw EndlessChoices();
        }
        CRX_EXPECT(steps_[depth_].ways == k); // the engine is a function of what was drawn
        return steps_[depth_++].taken;
    }
    bool next()
    {
        depth_ = 0;
        while (!steps_.empty() && ++steps_.back().taken == steps_.back().ways) steps_.pop_back();
        return !steps_.empty();
    }
    /// The chance of the path is one in so many.
    __int128 one_in() const
    {
        __int128 product = 1;
        for (auto const& step : steps_) product *= step.ways;
        return product;
    }

  private:
    struct Step
    {
        std::uint64_t ways, taken;
    };
    std::vector<Step> steps_;
    std::size_t depth_ = 0;
};

/// Stands in for an engine's stream of random words.
struct PathWords
{
    ChoicePath* path;

    std::uint64_t bounded(std::uint64_t k) { return path->choose(k); }
};

std::string digits_of(__int128 value)
{
    std::string digits;
    do digits += static_cast<char>('0' + static_cast<int>(value % 10));
    while ((value /= 10) != 0);
    std::ranges::reverse(digits);
    return digits;
}

std::vector<std::byte>& block_of(std::size_t bytes)
{
    thread_local std::vector<std::byte> block;
    if (block.size() < bytes) block.resize(bytes);
    return block;
}

template <class P>
std::optional<ExactFraction> mean_latency(P const& policy, Requests const& requests,
                                          std::size_t bytes)
{
    auto& block = block_of(bytes);
    ChoicePath path;
    std::map<__int128, __int128> sums; // of the latencies of paths of one chance
    std::int64_t paths = 0;
    do {
        if (++paths > most_paths) throw EndlessChoices();
        Arena arena(block.data(), bytes);
        EngineOf<P> engine(policy, requests, arena);
        auto const outcome = engine.execute(PathWords{&path}, {});
        if (outcome.finished == 0) return std::nullopt;
        sums[path.one_in()] += outcome.total_latency;
    } while (path.next());
    ExactFraction mean;
    for (auto const& [one_in, sum] : sums) mean = mean + ExactFraction{sum, one_in}.reduced();
    return mean;
}

RequestView view_of(RequestKind const& r)
{
    return {r.arrival, r.prompt, r.output, r.lower, r.upper};
}

} // namespace

std::string ExactFraction::text() const
{
    auto const lowest = reduced();
    return lowest.below == 1 ? digits_of(lowest.above)
                             : digits_of(lowest.above) + "/" + digits_of(lowest.below);
}

ExactCost exact_policy_cost(PolicySpec const& spec)
{
    ExactCost cost;
    cost.latency = [spec](OwnedInstance const& given) -> std::optional<ExactFraction> {
        auto& instance = const_cast<OwnedInstance&>(given); // engines read by mutable pointers
        auto const requests = requests_of(instance);
        auto const bytes = host_engine_bytes(spec, instance.requests());
        return with_policy(spec, [&]<class P>(P const& policy) -> std::optional<ExactFraction> {
            if constexpr (!draws_nothing<P>) {
                return mean_latency(policy, requests, bytes);
            } else {
                auto const outcome =
                    execute_on_host(policy, requests, 0, 0, block_of(bytes).data(), bytes);
                if (outcome.finished == 0) return std::nullopt;
                return ExactFraction{outcome.total_latency, 1};
            }
        });
    };
    auto const& info = policy_info(spec.kind);
    auto const draws_or_queues = [&] {
        switch (info.choice) {
        case Choice::ranked: return info.random_order;
        case Choice::queued:
        case Choice::drawn: return true;
        }
        contract_violated("a choice", __FILE__, __LINE__);
    };
    if (draws_or_queues()) {
        cost.place_matters = [](RequestKind const&, RequestKind const&) { return false; };
    } else if (!info.sorted) {
        cost.place_matters = [](RequestKind const& a, RequestKind const& b) {
            return a.arrival == b.arrival;
        };
    } else {
        cost.place_matters = [spec](RequestKind const& a, RequestKind const& b) {
            return with_policy(spec, [&]<class P>(P const& policy) {
                return policy.rank_key(view_of(a)) == policy.rank_key(view_of(b));
            });
        };
    }
    return cost;
}

} // namespace crx::worst
