#include "analysis/fluid/nested_groups.hh"

#include "analysis/fluid/thresholds.hh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <set>
#include <stdexcept>

namespace crx::fluid {
namespace {

/// Longest mean prompt of those that reach a segment, over segments and slices, rounded up.
Tokens mean_prompt(Load const& load, std::vector<Tokens> const& ends,
                   std::vector<std::vector<double>> const& rate)
{
    double longest = 1;
    for (auto const& slice : rate) {
        Tokens after = 0;
        for (auto const end : ends) {
            double tokens = 0, prompts = 0;
            for (std::size_t j = 0; j < load.types.size(); ++j) {
                if (load.types[j].output <= after) continue;
                tokens += slice[j] * static_cast<double>(load.types[j].prompt);
                prompts += slice[j];
            }
            if (prompts > 0) longest = std::max(longest, tokens / prompts);
            after = end;
        }
    }
    return static_cast<Tokens>(std::ceil(longest * (1 - 1e-12)));
}

/// The group's own types, and their rates.
Load part_of(Load const& load, Tokens prompt, std::vector<std::vector<double>>& rate)
{
    auto part = load;
    part.types.clear();
    part.rate.clear();
    std::vector<std::vector<double>> part_rate(rate.size());
    for (std::size_t j = 0; j < load.types.size(); ++j) {
        if (prompt != 0 && load.types[j].prompt != prompt) continue;
        part.types.push_back(load.types[j]);
        part.rate.push_back(load.rate[j]);
        for (std::size_t s = 0; s < rate.size(); ++s) part_rate[s].push_back(rate[s][j]);
    }
    rate = part_rate;
    return part;
}

/// The least whole number above p n; within 1e-12 of a whole number p n is that number, as p is a
/// quotient of rounded sums. So it is above p n whatever the rounding.
std::int64_t least_behind(double passing, std::int64_t n)
{
    auto const bound = passing * static_cast<double>(n);
    return static_cast<std::int64_t>(std::floor(bound * (1 + 1e-12))) + 1;
}

std::vector<BatchNeed> needs_of(std::vector<NestedLoad> const& groups)
{
    std::vector<BatchNeed> needs;
    for (auto const& group : groups)
        needs.emplace_back(groups.front().overhead, groups.front().per_token, group.rate);
    return needs;
}

/// Tokens of a prompt at every stage of a segment.
std::vector<Tokens> tokens_of_segments(NestedLoad const& group)
{
    std::vector<Tokens> tokens;
    for (std::size_t i = 0; i < group.ends.size(); ++i) {
        std::vector<std::int64_t> one(group.ends.size(), 0);
        one[i] = 1;
        tokens.push_back(nested_batch_tokens(group.prompt, group.ends, one));
    }
    return tokens;
}

/// groups_batch_tokens in doubles, which hold any.
double reckoned_tokens(std::vector<std::vector<Tokens>> const& tokens, GroupThresholds const& n)
{
    double sum = 0;
    for (std::size_t g = 0; g < n.size(); ++g)
        for (std::size_t i = 0; i < n[g].size(); ++i)
            sum += static_cast<double>(n[g][i]) * static_cast<double>(tokens[g][i]);
    return sum;
}

/// 1 - D of some groups. What passes on is the double itself: it is a quotient, no decimal.
Fraction share_left(std::vector<NestedLoad const*> const& groups)
{
    Fraction left = 1;
    for (auto const* group : groups) {
        Fraction rate = as_written(group->rate) * as_written(group->per_token);
        auto const tokens = tokens_of_segments(*group);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            left -= rate * tokens[i];
            if (i < group->passing.size()) rate *= Fraction(group->passing[i]);
        }
    }
    return left;
}

} // namespace

std::vector<NestedLoad> nested_groups(Load const& load, std::vector<GroupEnds> const& groups,
                                      std::vector<std::vector<double>> const& rate)
{
    std::vector<NestedLoad> out;
    std::set<Tokens> prompts;
    for (auto const& group : groups) {
        if (!prompts.insert(group.prompt).second)
            throw std::domain_error(fmt::format("two groups have prompts of {}", group.prompt));
        auto part_rate = rate;
        auto part = part_of(load, group.prompt, part_rate);
        if (part.types.empty())
            throw std::domain_error(fmt::format("no type has prompts of {}", group.prompt));
        if (group.prompt == 0) {
            auto const prompt = mean_prompt(part, group.ends, part_rate);
            for (auto& type : part.types) type.prompt = prompt;
        }
        out.push_back(nested_load(part, group.ends, part_rate));
    }
    for (auto const& type : load.types)
        if (!prompts.contains(0) && !prompts.contains(type.prompt))
            throw std::domain_error(fmt::format("no group has prompts of {}", type.prompt));
    if (prompts.contains(0) && prompts.size() > 1)
        throw std::domain_error("a group of all prompts leaves none to the others");
    return out;
}

double groups_utilisation(std::vector<NestedLoad> const& groups)
{
    double sum = 0;
    for (auto const& group : groups) sum += nested_utilisation(group);
    return sum;
}

Tokens groups_batch_tokens(std::vector<NestedLoad> const& groups, GroupThresholds const& n)
{
    Tokens sum = 0;
    for (std::size_t g = 0; g < groups.size(); ++g)
        sum += nested_batch_tokens(groups[g].prompt, groups[g].ends, n[g]);
    return sum;
}

std::optional<GroupThresholds> least_group_thresholds(std::vector<NestedLoad> const& groups,
                                                      GroupThresholds given)
{
    std::vector<bool> open;
    std::vector<NestedLoad const*> climbing;
    GroupThresholds beside(groups.size()); // what is given takes its time whatever the rate
    for (std::size_t g = 0; g < groups.size(); ++g) {
        open.push_back(given[g].empty());
        beside[g] = given[g];
        if (!open[g]) continue;
        beside[g].assign(groups[g].ends.size(), 0);
        given[g].assign(groups[g].ends.size(), 1);
        climbing.push_back(&groups[g]);
    }
    auto const left = share_left(climbing);
    if (left <= 0) return {};
    ThresholdClimb climb(left);
    std::vector<std::vector<Tokens>> tokens;
    for (auto const& group : groups) tokens.push_back(tokens_of_segments(group));
    climb.check_batch(reckoned_tokens(tokens, beside));
    // A full batch takes d0, what is given, and D times itself or longer.
    Fraction const shortest =
        (as_written(groups.front().overhead) +
         as_written(groups.front().per_token) * groups_batch_tokens(groups, beside)) /
        left;
    for (std::size_t g = 0; g < groups.size(); ++g)
        if (open[g]) given[g][0] = climb.least_above(as_written(groups[g].rate) * shortest);
    auto const needs = needs_of(groups);
    for (bool risen = true; risen;) {
        risen = false;
        for (std::size_t g = 0; g < groups.size(); ++g)
            for (std::size_t i = 0; open[g] && i + 1 < given[g].size(); ++i) {
                given[g][i + 1] = least_behind(groups[g].passing[i], given[g][i]);
                climb.step(given[g][i + 1]);
            }
        climb.check_batch(reckoned_tokens(tokens, given));
        auto const batch = groups_batch_tokens(groups, given);
        for (std::size_t g = 0; g < groups.size(); ++g) {
            if (!open[g]) continue;
            auto const need = needs[g].least_above(batch);
            climb.step(need);
            if (need <= given[g][0]) continue;
            given[g][0] = need;
            risen = true;
        }
    }
    return given;
}

std::string broken_group_condition(std::vector<NestedLoad> const& groups, GroupThresholds const& n)
{
    auto const batch = groups_batch_tokens(groups, n);
    auto const time =
        groups.front().overhead + groups.front().per_token * static_cast<double>(batch);
    auto const needs = needs_of(groups);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        auto const name = groups.size() == 1 ? std::string() : fmt::format("group {}, ", g);
        if (auto const need = groups[g].rate * time; n[g][0] < needs[g].least_above(batch))
            return fmt::format("AO (10): {}segment 1 has threshold {} but {:.6g} arrivals are "
                               "expected in a full batch of {:.6g} s, which must be fewer",
                               name, n[g][0], need, time);
        for (std::size_t i = 0; i + 1 < n[g].size(); ++i) {
            auto const need = groups[g].passing[i] * static_cast<double>(n[g][i]);
            if (n[g][i + 1] < least_behind(groups[g].passing[i], n[g][i]))
                return fmt::format("AO (10): {}segment {} has threshold {}, which must exceed "
                                   "p_{} n_{} = {:.6g}",
                                   name, i + 2, n[g][i + 1], i + 1, i + 1, need);
        }
    }
    return {};
}

} // namespace crx::fluid
