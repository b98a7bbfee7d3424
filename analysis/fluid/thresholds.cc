#include "analysis/fluid/thresholds.hh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <stdexcept>

namespace crx::fluid {
namespace {

constexpr double rounding = 1e-12; // relative

std::int64_t least_whole(double bound, Margin margin)
{
    auto const n = margin == Margin::at_least ? std::ceil(bound * (1 - rounding))
                                              : std::floor(bound * (1 + rounding)) + 1;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(n));
}

std::vector<double> reaching(std::vector<PromptType> const& types, std::vector<double> const& rate,
                             std::vector<Tokens> const& ends)
{
    std::vector<double> sums(ends.size(), 0.0); // rate of those who reach segment i
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
    if (!(utilisation(load) < 1)) return {};
    std::vector<std::int64_t> n(load.types.size(), 1);
    for (bool risen = true; risen;) {
        risen = false;
        auto const time =
            load.overhead + load.per_token * static_cast<double>(wait_batch_tokens(load.types, n));
        for (std::size_t j = 0; j < n.size(); ++j) {
            auto const need = least_whole(load.rate[j] * time, margin);
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
    auto const time =
        load.overhead +
        load.per_token * static_cast<double>(wait_batch_tokens(load.types, thresholds));
    for (std::size_t j = 0; j < thresholds.size(); ++j) {
        auto const need = load.rate[j] * time;
        if (thresholds[j] >= least_whole(need, margin)) continue;
        return fmt::format("AO (9): type {} has threshold {} but {:.6g} arrivals are expected in a "
                           "full batch of {:.6g} s",
                           j, thresholds[j], need, time);
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
    if (!(nested_utilisation(load) < 1)) return {};
    std::vector<std::int64_t> n(load.ends.size(), 1);
    for (;;) {
        for (std::size_t i = 0; i + 1 < n.size(); ++i)
            n[i + 1] = least_whole(load.passing[i] * static_cast<double>(n[i]), Margin::inside);
        auto const time =
            load.overhead +
            load.per_token * static_cast<double>(nested_batch_tokens(load.prompt, load.ends, n));
        auto const need = least_whole(load.rate * time, Margin::inside);
        if (need <= n[0]) return n;
        n[0] = need;
    }
}

std::string broken_nested_condition(NestedLoad const& load,
                                    std::vector<std::int64_t> const& thresholds)
{
    auto const time = load.overhead + load.per_token * static_cast<double>(nested_batch_tokens(
                                                           load.prompt, load.ends, thresholds));
    if (thresholds[0] < least_whole(load.rate * time, Margin::inside))
        return fmt::format(
            "AO (10): segment 1 has threshold {} but {:.6g} arrivals are expected in "
            "a full batch of {:.6g} s, which must be fewer",
            thresholds[0], load.rate * time, time);
    for (std::size_t i = 0; i + 1 < thresholds.size(); ++i) {
        auto const need = load.passing[i] * static_cast<double>(thresholds[i]);
        if (thresholds[i + 1] < least_whole(need, Margin::inside))
            return fmt::format(
                "AO (10): segment {} has threshold {}, which must exceed p_{} n_{} = "
                "{:.6g}",
                i + 2, thresholds[i + 1], i + 1, i + 1, need);
    }
    return {};
}

} // namespace crx::fluid
