#pragma once

#include "kernels/engines/iterations/iteration_model.cuh"
#include "kernels/engines/iterations/iteration_policy.hh"
#include "oracle/iteration.hh"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace crx::iteration_case {

/// A path of the iteration model (docs/model.md#iteration-model) with its arrivals, as the oracle
/// takes it.
struct Case
{
    oracle::IterationModel model;
    oracle::IterationPolicy policy;
    std::vector<oracle::PromptArrival> arrivals;
    std::int64_t horizon = 0;
};

inline std::ostream& operator<<(std::ostream& out, Case const& c)
{
    out << c.policy.id << " d0=" << c.model.overhead << " d1q=" << c.model.per_token
        << " C=" << c.policy.memory << " B=" << c.policy.limit << " budget=" << c.policy.budget
        << " keep=" << c.policy.keep_tokens << " hard=" << c.policy.hard << " horizon=" << c.horizon
        << "\n types:";
    for (auto const& t : c.model.types) out << " (" << t.prompt << "," << t.output << ")";
    out << "\n thresholds:";
    for (auto const n : c.policy.thresholds) out << " " << n;
    for (auto const& g : c.policy.groups) {
        out << "\n group l=" << g.prompt << ":";
        for (std::size_t i = 0; i < g.ends.size(); ++i)
            out << " <=" << g.ends[i] << ":" << g.thresholds[i];
    }
    out << "\n arrivals:";
    for (auto const& a : c.arrivals) out << " " << a.time << "/" << a.type;
    return out;
}

/// Arrivals given one by one, in order of time.
class ListedArrivals
{
  public:
    ListedArrivals(Nanoseconds const* time, std::int32_t const* type, std::int64_t n)
        : time_(time), type_(type), n_(n)
    {
    }
    static constexpr Nanoseconds never = INT64_MAX;
    Nanoseconds time() const { return at_ < n_ ? time_[at_] : never; }
    std::int32_t type() const { return type_[at_]; }
    /// How many prompts of the type are there now and were not at its last event.
    std::int64_t prompts() const { return 1; }
    void advance() { ++at_; }
    ArrivalTotals totals(std::int32_t type, Nanoseconds until) const
    {
        ArrivalTotals out;
        for (std::int64_t i = 0; i < n_ && time_[i] <= until; ++i) {
            if (type_[i] != type) continue;
            ++out.count;
            out.time += static_cast<Unsigned128>(time_[i]);
        }
        return out;
    }

  private:
    Nanoseconds const* time_;
    std::int32_t const* type_;
    std::int64_t n_, at_ = 0;
};

/// The arrivals of a case and a policy in memory of its own: what runs its path.
template <class Policy>
struct CaseRun
{
    std::vector<Nanoseconds> time;
    std::vector<std::int32_t> type;
    ListedArrivals arrivals{nullptr, nullptr, 0};
    std::vector<std::max_align_t> block;
    std::optional<Policy> policy;

    /// `make` makes the policy in an arena.
    template <class Make>
    CaseRun(Case const& c, Make make)
    {
        for (auto const& a : c.arrivals) {
            time.push_back(a.time);
            type.push_back(static_cast<std::int32_t>(a.type));
        }
        arrivals = {time.data(), type.data(), static_cast<std::int64_t>(time.size())};
        Arena counter(nullptr, 0);
        make(counter);
        block.resize(counter.bytes_used() / sizeof(std::max_align_t) + 1);
        Arena arena(block.data(), block.size() * sizeof(std::max_align_t));
        policy.emplace(make(arena));
    }
    CaseRun(CaseRun const&) = delete;
};

/// The same, as the engine takes it.
inline std::vector<PromptType> types_of(Case const& c)
{
    std::vector<PromptType> types;
    for (auto const& t : c.model.types) types.push_back({t.prompt, t.output});
    return types;
}

inline IterationPolicySpec spec_of(Case const& c, std::vector<PromptType> const& types)
{
    IterationPolicySpec spec;
    for (std::size_t k = 0; k < std::size(iteration_policy_ids); ++k)
        if (c.policy.id == iteration_policy_ids[k]) spec.kind = static_cast<IterationPolicyKind>(k);
    if (spec.kind == IterationPolicyKind::wait)
        spec.thresholds = wait_table(types, c.policy.thresholds);
    if (spec.kind == IterationPolicyKind::nested_wait) {
        std::vector<NestedSegments> groups;
        for (auto const& g : c.policy.groups)
            groups.push_back({g.prompt, {g.ends.begin(), g.ends.end()}, g.thresholds});
        spec.thresholds = nested_table(types, groups);
    }
    spec.memory = c.policy.memory;
    spec.hard = c.policy.hard;
    spec.limit = c.policy.limit;
    spec.budget = c.policy.budget;
    spec.keep_tokens = c.policy.keep_tokens;
    return spec;
}

class Draw
{
  public:
    explicit Draw(std::uint64_t seed) : rng_(seed) {}
    std::int64_t operator()(std::int64_t low, std::int64_t high)
    {
        return std::uniform_int_distribution<std::int64_t>(low, high)(rng_);
    }

  private:
    std::mt19937_64 rng_;
};

/// What the policies with thresholds do with C.
enum class Memory
{
    measured, ///< fcfs: hard all the same
    hard
};

inline Case random_case(std::string const& id, Memory memory, Draw& draw)
{
    Case c;
    c.policy.id = id;
    c.policy.hard = memory == Memory::hard;
    c.model.overhead = draw(1, 40);
    c.model.per_token = draw(0, 4) == 0 ? 0 : draw(1, 200000);
    auto const types = draw(1, 5);
    std::set<std::pair<std::int64_t, std::int64_t>> distinct;
    auto const common = draw(1, 3);
    while (static_cast<std::int64_t>(distinct.size()) < types)
        distinct.insert({id == "nested-wait" ? draw(1, common) : draw(1, 9), draw(1, 12)});
    for (auto const& [prompt, output] : distinct) c.model.types.push_back({prompt, output});
    std::shuffle(c.model.types.begin(), c.model.types.end(), std::mt19937_64(draw(0, 1 << 30)));
    if (id == "wait")
        for (std::int64_t j = 0; j < types; ++j) c.policy.thresholds.push_back(draw(1, 4));
    if (id == "nested-wait") {
        std::map<std::int64_t, std::set<std::int64_t>> outputs;
        bool const one_group = draw(0, 3) == 0; // for all prompt lengths
        for (auto const& t : c.model.types) outputs[one_group ? 0 : t.prompt].insert(t.output);
        for (auto const& [prompt, lengths] : outputs) {
            oracle::SegmentGroup group{prompt, {}, {}};
            std::set<std::int64_t> ends{*lengths.rbegin()};
            for (auto const length : lengths)
                if (draw(0, 2)) ends.insert(length);
            if (draw(0, 1)) ends.insert(draw(1, *lengths.rbegin())); // an end that no type has
            for (auto const end : ends) {
                group.ends.push_back(end);
                group.thresholds.push_back(draw(1, 5));
            }
            c.policy.groups.push_back(group);
        }
        if (draw(0, 1)) c.policy.memory = draw(10, 120); // measured
    }
    if (c.policy.hard) { // from what prefills alone take upwards
        auto const list = types_of(c);
        c.policy.memory =
            spec_of(c, list).thresholds.prefill_tokens(list) + draw(0, draw(0, 1) ? 12 : 80);
    }
    if (id.starts_with("fcfs")) {
        for (auto const& t : c.model.types)
            c.policy.memory = std::max(c.policy.memory, t.prompt + t.output);
        c.policy.memory += draw(0, draw(0, 1) ? 10 : 80);
        if (draw(0, 2) == 0) c.policy.limit = draw(1, 8);
        if (id == "fcfs-sarathi" && draw(0, 3)) c.policy.budget = draw(1, 15);
        c.policy.keep_tokens = id != "fcfs-safe" && draw(0, 1);
    }
    std::int64_t time = 0;
    auto const spread = draw(0, 60);
    auto const n = draw(1, 60);
    for (std::int64_t i = 0; i < n; ++i) {
        time += draw(0, 3) == 0 ? 0 : draw(0, spread);
        c.arrivals.push_back({time, static_cast<std::size_t>(draw(0, types - 1))});
    }
    c.horizon = draw(time / 2, 3 * time + 500);
    return c;
}

} // namespace crx::iteration_case
