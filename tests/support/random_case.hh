#pragma once

#include "analysis/laws/discrete_laws.hh"
#include "kernels/cpu/single.hh"
#include "kernels/engines/registry.hh"
#include "kernels/policies/policy_info.hh"
#include "support/policy_parameters.hh"

#include <algorithm>
#include <memory>
#include <random>

/// Random policies, workloads, sources and orders for tests of all engines, many of them at the
/// edge of what some engine takes.
namespace crx_test {

inline std::int64_t pick_of(std::mt19937_64& rng, std::initializer_list<std::int64_t> values)
{
    return values.begin()[rng() % values.size()];
}

/// Every policy, with parameters for outputs up to `longest`.
inline std::vector<crx::PolicySpec> every_policy(std::int32_t longest)
{
    std::vector<crx::PolicySpec> all;
    for (auto const& info : crx::policy_table()) {
        auto spec = with_parameters(info, 0, {2, {longest / 2 + 1, longest + 2}});
        all.push_back(spec);
        for (auto const& parameter : crx::policy_parameters)
            if (parameter.choices[0] != nullptr && info.takes(parameter)) {
                auto other = spec;
                crx::by_kind(
                    parameter, [](crx::LevelsOf) {}, [](crx::ShareOf) {}, [](crx::CountOf) {},
                    [&](auto of) { set_choice(other.*of, 1 - static_cast<unsigned>(spec.*of)); });
                all.push_back(other);
            }
    }
    return all;
}

/// Instances of 1 to `most` requests, all at 0 or not.
class VaryingSource final : public crx::InstanceSource
{
  public:
    VaryingSource(std::int64_t most, crx::Tokens memory, bool at_zero)
        : most_(most), memory_(memory), at_zero_(at_zero)
    {
    }
    void generate(std::uint64_t seed, std::uint64_t instance,
                  crx::Requests& requests) const override
    {
        std::mt19937_64 rng(seed + instance);
        requests.n = 1 + static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(most_));
        requests.memory = memory_ - static_cast<crx::Tokens>(instance % 3);
        auto const least = static_cast<std::uint64_t>(memory_ - 2) / 2;
        for (std::int64_t i = 0; i < requests.n; ++i) {
            requests.arrival[i] = at_zero_ ? 0 : i;
            requests.prompt[i] = static_cast<std::int32_t>(rng() % least);
            requests.output[i] = static_cast<std::int32_t>(1 + rng() % least);
            requests.lower[i] = requests.upper[i] = requests.output[i];
        }
    }
    std::int64_t most_requests() const override { return most_; }
    crx::Tokens most_memory() const override { return memory_; }
    bool together() const override { return at_zero_; }
    std::vector<std::pair<std::string, std::string>> identity() const override { return {}; }

  private:
    std::int64_t most_;
    crx::Tokens memory_;
    bool at_zero_;
};

/// The last request first.
class BackwardOrder final : public crx::OfflineOrder
{
  public:
    std::vector<std::size_t> order(crx::Requests const& requests, std::uint64_t,
                                   std::int64_t) const override
    {
        std::vector<std::size_t> all;
        for (auto i = static_cast<std::size_t>(requests.n); i-- > 0;) all.push_back(i);
        return all;
    }
    std::vector<std::pair<std::string, std::string>> identity() const override { return {}; }
};

/// A cell's law of instances. Not to be moved: `of` points into it.
struct RandomCase
{
    crx::Workload workload;
    std::int32_t longest = 1; ///< output
    std::unique_ptr<crx::InstanceSource> source;
    bool counts_only = false, wants_volume = false;

    RandomCase() = default;
    RandomCase(RandomCase const&) = delete;

    crx::EngineCase of(crx::HostPolicy const* order = nullptr) const
    {
        return {.workload = crx::view_of(workload),
                .source = source.get(),
                .order = order,
                .counts_only = counts_only,
                .wants_volume = wants_volume};
    }
    crx::OwnedInstance instance(std::int64_t number) const
    {
        return source != nullptr ? crx::generate_single(*source, workload.seed, number)
                                 : crx::generate_single(workload, number);
    }
};

inline void make_random_case(std::mt19937_64& rng, RandomCase& c)
{
    auto const chance = [&](int one_in) { return rng() % static_cast<unsigned>(one_in) == 0; };
    auto& w = c.workload;
    w.seed = rng();
    w.requests = pick_of(rng, {1, 2, 3, 7, 20, 50, 100, 255, 256, 257});
    c.longest = static_cast<std::int32_t>(pick_of(rng, {1, 2, 3, 9, 20, 31, 32, 33, 50, 127}));
    auto const least = 1 + static_cast<std::int32_t>(rng() % static_cast<unsigned>(c.longest));
    auto const law = chance(3) ? crx::two_point_law(least, c.longest, 0.5)
                               : crx::uniform_law(chance(2) ? 1 : least, c.longest);
    w.output_value = law.value;
    w.output_threshold = law.threshold;
    if (chance(2)) {
        w.output_kind = crx::OutputKind::composition;
        w.output_threshold.clear();
        w.output_count.assign(law.value.size(), 0);
        for (std::int64_t i = 0; i < w.requests; ++i) ++w.output_count[rng() % law.value.size()];
    }
    w.prompt_constant = static_cast<std::int32_t>(rng() % 6);
    auto prompt = w.prompt_constant;
    if (chance(3)) {
        auto const prompts = crx::uniform_law(0, 1 + static_cast<std::int32_t>(rng() % 9));
        w.prompt_kind = crx::PromptKind::table;
        w.prompt_value = prompts.value;
        w.prompt_threshold = prompts.threshold;
        prompt = prompts.value.back();
    }
    auto const shortest = w.output_value.front();
    w.interval = {crx::IntervalKind::exact, 1, 1, 100, 0, 1};
    auto upper = c.longest;
    if (chance(2)) {
        auto const wider = c.longest + static_cast<std::int32_t>(rng() % 3);
        w.interval = {crx::IntervalKind::common, chance(2) ? 1 : shortest, wider, 100, 0, 1};
        upper = wider;
    } else if (chance(3)) {
        w.interval = {crx::IntervalKind::relative, 1, 1, 100, 1, 2};
        upper = (3 * c.longest + 1) / 2;
    }
    auto const fits = crx::Tokens{prompt} + std::max(upper, c.longest + 2);
    w.memory = fits + pick_of(rng, {0, 0, 1, 5, 20, 100, 1000, 8191 - fits, 8192 - fits, 70000});
    if (chance(6)) {
        w.arrival_kind = crx::ArrivalKind::poisson_rounds;
        auto const arrivals = crx::uniform_law(0, 3);
        w.round_value = arrivals.value;
        w.round_threshold = arrivals.threshold;
    }
    if (chance(8)) w.clock = {crx::ClockKind::affine, 5, 1, 1, 0};
    if (chance(8)) {
        w.clock = {};
        w.interval = {};
        c.source = std::make_unique<VaryingSource>(w.requests, w.memory + 8, chance(2));
        w.memory += 8;
    }
    c.counts_only = chance(2);
    c.wants_volume = chance(2);
}

} // namespace crx_test
