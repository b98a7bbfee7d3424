#include "analysis/fluid/thresholds.hh"

#include "analysis/fluid/batch_need.hh"
#include "analysis/fluid/nested_groups.hh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <stdexcept>

namespace crx::fluid {
namespace {

std::int64_t need_of(BatchNeed const& need, Tokens batch, Margin margin)
{
    return margin == Margin::at_least ? need.least_reaching(batch) : need.least_above(batch);
}

std::vector<BatchNeed> needs_of(Load const& load)
{
    std::vector<BatchNeed> needs;
    for (auto const rate : load.rate) needs.emplace_back(load.overhead, load.per_token, rate);
    return needs;
}

std::vector<double> reaching(std::vector<PromptType> const& types, std::vector<double> const& rate,
                             std::vector<Tokens> const& ends)
{
    std::vector<double> sums(ends.size(), 0.0); // rate of those that reach segment i
    for (std::size_t j = 0; j < types.size(); ++j)
        for (std::size_t i = 0; i < ends.size(); ++i)
            if (i == 0 || types[j].output > ends[i - 1]) sums[i] += rate[j];
    return sums;
}

} // namespace

Tokens wait_batch_tokens(std::vector<PromptType> const& types,
                         std::vector<std::int64_t> const& thresholds)
{
    Tokens sum = 0;
    for (std::size_t j = 0; j < types.size(); ++j)
        sum += thresholds[j] * tokens_of_all_stages(types[j]);
    return sum;
}

std::optional<std::vector<std::int64_t>> least_wait_thresholds(Load const& load, Margin margin)
{
    utilisation(load);   // refuses what is no load
    Fraction tokens = 0; // per second
    for (std::size_t j = 0; j < load.types.size(); ++j)
        tokens += as_written(load.rate[j]) * tokens_of_all_stages(load.types[j]);
    Fraction const left = 1 - as_written(load.per_token) * tokens;
    if (left <= 0) return {};
    ThresholdClimb climb(left);
    // A batch of thresholds with (9) takes d0 + D times itself or longer.
    Fraction const shortest = as_written(load.overhead) / left;
    std::vector<std::int64_t> n;
    for (auto const rate : load.rate) {
        Fraction const bound = as_written(rate) * shortest;
        n.push_back(margin == Margin::at_least
                        ? std::max<std::int64_t>(1, climb.least_reaching(bound))
                        : climb.least_above(bound));
    }
    auto const needs = needs_of(load);
    for (bool risen = true; risen;) {
        risen = false;
        double reckoned = 0;
        for (std::size_t j = 0; j < n.size(); ++j)
            reckoned += static_cast<double>(n[j]) *
                        static_cast<double>(tokens_of_all_stages(load.types[j]));
        climb.check_batch(reckoned);
        auto const batch = wait_batch_tokens(load.types, n);
        for (std::size_t j = 0; j < n.size(); ++j) {
            auto const need = need_of(needs[j], batch, margin);
            climb.step(need);
            if (need <= n[j]) continue;
            n[j] = need;
            risen = true;
        }
    }
    return n;
}

std::string broken_wait_condition(Load const& load, std::vector<std::int64_t> const& thresholds,
                                  Margin margin)
{
    auto const batch = wait_batch_tokens(load.types, thresholds);
    auto const time = load.overhead + load.per_token * static_cast<double>(batch);
    auto const needs = needs_of(load);
    for (std::size_t j = 0; j < thresholds.size(); ++j) {
        if (thresholds[j] >= need_of(needs[j], batch, margin)) continue;
        return fmt::format("AO (9): type {} has threshold {} but {:.6g} arrivals are expected in a "
                           "full batch of {:.6g} s",
                           j, thresholds[j], load.rate[j] * time, time);
    }
    return {};
}

NestedLoad nested_load(Load const& load, std::vector<Tokens> const& ends)
{
    return nested_load(load, ends, {load.rate});
}

NestedLoad nested_load(Load const& load, std::vector<Tokens> const& ends,
                       std::vector<std::vector<double>> const& rate)
{
    utilisation(load); // refuses what is no load
    for (auto const& type : load.types)
        if (type.prompt != load.types.front().prompt)
            throw std::domain_error("prompt lengths differ: Nested WAIT takes one group for each");
    Tokens longest = 0;
    for (auto const& type : load.types) longest = std::max(longest, type.output);
    for (std::size_t i = 0; i < ends.size(); ++i)
        if (ends[i] < 1 || (i > 0 && ends[i] <= ends[i - 1]))
            throw std::domain_error(
                fmt::format("segments overlap: segment {} ends at stage {}, the one before at {}",
                            i + 1, ends[i], i > 0 ? ends[i - 1] : 0));
    if (ends.empty() || ends.back() < longest)
        throw std::domain_error(
            fmt::format("the last segment must end at the longest output, {}", longest));
    NestedLoad out{load.overhead,
                   load.per_token,
                   load.types.front().prompt,
                   ends,
                   0,
                   std::vector<double>(ends.size() - 1, 0.0)};
    for (auto const& slice : rate) {
        auto const sums = reaching(load.types, slice, ends);
        out.rate = std::max(out.rate, sums.front());
        for (std::size_t i = 0; i + 1 < ends.size(); ++i)
            if (sums[i] > 0) out.passing[i] = std::max(out.passing[i], sums[i + 1] / sums[i]);
    }
    return out;
}

Tokens nested_batch_tokens(Tokens prompt, std::vector<Tokens> const& ends,
                           std::vector<std::int64_t> const& thresholds)
{
    Tokens sum = 0, first = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        auto const stages = ends[i] - first + 1;
        sum += thresholds[i] * (stages * prompt + stages * (first + ends[i]) / 2);
        first = ends[i] + 1;
    }
    return sum;
}

double nested_batch_tokens_as_printed(Tokens prompt, std::vector<Tokens> const& ends,
                                      std::vector<std::int64_t> const& thresholds)
{
    double sum = 0, total = 0, last = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        auto const end = static_cast<double>(ends[i]);
        total += end;
        sum += static_cast<double>(thresholds[i]) * (static_cast<double>(prompt) + total / 2) *
               (end - last);
        last = end;
    }
    return sum;
}

double nested_utilisation(NestedLoad const& load)
{
    double sum = 0, rate = load.rate;
    for (std::size_t i = 0; i < load.ends.size(); ++i) {
        std::vector<std::int64_t> one(load.ends.size(), 0);
        one[i] = 1;
        sum += rate * static_cast<double>(nested_batch_tokens(load.prompt, load.ends, one));
        if (i < load.passing.size()) rate *= load.passing[i];
    }
    return load.per_token * sum;
}

std::optional<std::vector<std::int64_t>> least_nested_thresholds(NestedLoad const& load)
{
    auto const groups = least_group_thresholds({load}, {{}});
    if (!groups) return {};
    return groups->front();
}

std::string broken_nested_condition(NestedLoad const& load,
                                    std::vector<std::int64_t> const& thresholds)
{
    return broken_group_condition({load}, {thresholds});
}

} // namespace crx::fluid
