#pragma once

#include "kernels/engines/iterations/fcfs_policy.cuh"
#include "kernels/engines/iterations/prompt_threshold_policy.cuh"
#include "kernels/engines/iterations/threshold_policy.cuh"

#include <string_view>
#include <vector>

namespace crx {

/// The policies of the iteration model, by the ids of docs/model.md#iteration-model.
enum class IterationPolicyKind
{
    wait,
    nested_wait,
    fcfs_vllm,
    fcfs_sarathi,
    fcfs_safe
};
inline constexpr std::string_view iteration_policy_ids[] = {"wait", "nested-wait", "fcfs-vllm",
                                                            "fcfs-sarathi", "fcfs-safe"};

inline bool has_thresholds(IterationPolicyKind kind)
{
    return kind == IterationPolicyKind::wait || kind == IterationPolicyKind::nested_wait;
}

/// Segments of Nested WAIT for the types of one prompt length, or of all.
struct NestedSegments
{
    Tokens prompt = 1;              ///< 0: all types are in the one group
    std::vector<std::int32_t> ends; ///< last stage of each, ascending; the last is the longest l'
    std::vector<std::int64_t> thresholds;
};

/// Groups and segments with the arrays that a ThresholdPlan views.
struct ThresholdTable
{
    std::vector<std::int32_t> group_of;
    std::vector<SegmentGroup> groups;
    std::vector<Segment> segments;

    /// Whether some group has prompts of several lengths.
    bool mixes_prompts() const;
    /// Memory of a batch in which every group is at its first threshold and nothing else is done.
    Tokens prefill_tokens(std::vector<PromptType> const& types) const;
    ThresholdPlan plan(std::vector<PromptType> const& types) const;
};

/// WAIT. Contract: one positive threshold a type.
ThresholdTable wait_table(std::vector<PromptType> const& types,
                          std::vector<std::int64_t> const& thresholds);
/// Nested WAIT. Contract: one entry for each prompt length, or one with prompt 0; ends ascend to
/// the longest l' of it.
ThresholdTable nested_table(std::vector<PromptType> const& types,
                            std::vector<NestedSegments> const& groups);

/// A policy with its parameters.
struct IterationPolicySpec
{
    IterationPolicyKind kind = IterationPolicyKind::wait;
    ThresholdTable thresholds; ///< of wait and nested-wait
    Tokens memory = 0;         ///< C. Where it is not hard, an iteration above it is counted
    bool hard = false;         ///< wait, nested-wait: restarts keep memory within C; fcfs always do
    std::int64_t limit = 0;    ///< fcfs: running prompts; 0: none
    Tokens budget = 0;         ///< fcfs-sarathi: tokens an iteration; 0: none
    bool keep_tokens = false;  ///< fcfs: a cancelled prompt prefills its tokens again

    /// Whether wait or nested-wait must tell prompts apart.
    bool names_prompts() const { return hard || thresholds.mixes_prompts(); }
};

/// As the engine takes it. Contract: l + l' <= memory for every type.
FcfsPlan fcfs_plan(IterationPolicySpec const& spec, std::vector<PromptType> const& types);

} // namespace crx
