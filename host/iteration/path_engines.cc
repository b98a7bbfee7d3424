#include "host/iteration/path_engines.hh"

namespace crx {

namespace {

constexpr char const* fcfs = "fcfs-paths";
constexpr char const* counts = "count-paths";
constexpr char const* prompts = "prompt-paths";

/// Why the prompts of a segment must be told apart; empty where counts say all.
std::string why_told_apart(IterationPolicySpec const& policy, bool by_type)
{
    if (policy.hard) return "hard memory restarts the newest prompt, so prompts are told apart";
    if (policy.thresholds.mixes_prompts())
        return "a group has prompts of several lengths, so prompts are told apart";
    if (by_type && policy.kind != IterationPolicyKind::wait)
        return "sums of each type are kept, and its segments mix types";
    return {};
}

} // namespace

PathEngine path_engine(IterationPolicySpec const& policy, bool by_type)
{
    auto const other_policies = [](char const* of) {
        return std::string("it runs ") + of + " alone";
    };
    if (!has_thresholds(policy.kind))
        return {fcfs,
                "sums of running prompts, and a calendar of completions",
                {{counts, other_policies("wait and nested-wait")},
                 {prompts, other_policies("wait and nested-wait")}}};
    auto const reason = why_told_apart(policy, by_type);
    if (reason.empty())
        return {counts,
                "a segment's prompts move as one group",
                {{prompts, "it would take longer"}, {fcfs, other_policies("the fcfs policies")}}};
    return {prompts,
            "each segment keeps the order of its prompts",
            {{counts, reason}, {fcfs, other_policies("the fcfs policies")}}};
}

std::string why_not_on_gpu(IterationSetting const& setting)
{
    return setting.by_type ? "run.by_type keeps sums of each type" : "";
}

} // namespace crx
