#include "kernels/engines/iterations/iteration_policy.hh"

#include <algorithm>

namespace crx {

bool ThresholdTable::mixes_prompts() const
{
    return std::ranges::any_of(groups, [](auto const& group) { return group.prompt == 0; });
}

Tokens ThresholdTable::prefill_tokens(std::vector<PromptType> const& types) const
{
    std::vector<Tokens> longest(groups.size(), 0);
    for (std::size_t j = 0; j < types.size(); ++j) {
        auto& prompt = longest[static_cast<std::size_t>(group_of[j])];
        prompt = std::max(prompt, types[j].prompt);
    }
    Tokens sum = 0;
    for (std::size_t g = 0; g < groups.size(); ++g)
        sum += segments[static_cast<std::size_t>(groups[g].first_segment)].threshold * longest[g];
    return sum;
}

ThresholdPlan ThresholdTable::plan(std::vector<PromptType> const& types) const
{
    return {types.data(),
            group_of.data(),
            groups.data(),
            segments.data(),
            static_cast<std::int32_t>(types.size()),
            static_cast<std::int32_t>(groups.size()),
            static_cast<std::int32_t>(segments.size())};
}

ThresholdTable wait_table(std::vector<PromptType> const& types,
                          std::vector<std::int64_t> const& thresholds)
{
    CRX_EXPECT(thresholds.size() == types.size());
    ThresholdTable table;
    for (std::size_t j = 0; j < types.size(); ++j) {
        CRX_EXPECT(thresholds[j] >= 1);
        auto const g = static_cast<std::int32_t>(j);
        table.group_of.push_back(g);
        table.groups.push_back({types[j].prompt, g, 1, true});
        table.segments.push_back({0, static_cast<std::int32_t>(types[j].output), thresholds[j]});
    }
    return table;
}

ThresholdTable nested_table(std::vector<PromptType> const& types,
                            std::vector<NestedSegments> const& groups)
{
    ThresholdTable table;
    table.group_of.assign(types.size(), -1);
    for (auto const& group : groups) {
        CRX_EXPECT(!group.ends.empty() && group.ends.size() == group.thresholds.size());
        for (std::size_t j = 0; j < types.size(); ++j) {
            if (group.prompt != 0 && types[j].prompt != group.prompt) continue;
            CRX_EXPECT(types[j].output <= group.ends.back());
            table.group_of[j] = static_cast<std::int32_t>(table.groups.size());
        }
        table.groups.push_back({group.prompt, static_cast<std::int32_t>(table.segments.size()),
                                static_cast<std::int32_t>(group.ends.size()), false});
        std::int32_t first = 0;
        for (std::size_t i = 0; i < group.ends.size(); ++i) {
            CRX_EXPECT(group.ends[i] >= std::max(first, 1) && group.thresholds[i] >= 1);
            table.segments.push_back({first, group.ends[i], group.thresholds[i]});
            first = group.ends[i] + 1;
        }
    }
    CRX_ENSURE(std::ranges::find(table.group_of, -1) == table.group_of.end());
    return table;
}

FcfsPlan fcfs_plan(IterationPolicySpec const& spec, std::vector<PromptType> const& types)
{
    FcfsPlan plan;
    plan.kind = spec.kind == IterationPolicyKind::fcfs_vllm      ? FcfsKind::vllm
                : spec.kind == IterationPolicyKind::fcfs_sarathi ? FcfsKind::sarathi
                                                                 : FcfsKind::safe;
    plan.types = types.data();
    plan.memory = spec.memory;
    plan.limit = spec.limit;
    plan.budget = spec.budget;
    plan.keep_tokens = spec.keep_tokens;
    for (auto const& type : types) {
        CRX_EXPECT(type.prompt + type.output <= spec.memory);
        plan.longest = std::max(plan.longest, type.output);
    }
    return plan;
}

} // namespace crx
