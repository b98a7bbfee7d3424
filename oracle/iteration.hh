#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// The oracle of the iteration model: docs/model.md#iteration-model one iteration at a time, prompt
/// by prompt.
namespace oracle {

struct PromptType
{
    std::int64_t prompt = 1, output = 1; ///< l and l', tokens
};

struct PromptArrival
{
    std::int64_t time = 0; ///< nanoseconds
    std::size_t type = 0;
};

/// Types served by Nested WAIT on their own.
struct SegmentGroup
{
    std::int64_t prompt = 1;              ///< of its types; 0: every type is in the one group
    std::vector<std::int64_t> ends;       ///< l'_1 < .. , last stage of each segment
    std::vector<std::int64_t> thresholds; ///< n_1, .. , one a segment
};

struct IterationPolicy
{
    std::string id;                       ///< as in docs/model.md#iteration-model
    std::vector<std::int64_t> thresholds; ///< wait: one a type
    std::vector<SegmentGroup> groups;     ///< nested-wait
    std::int64_t memory = 0;              ///< fcfs, hard: C, tokens
    std::int64_t limit = 0;               ///< fcfs: running prompts; 0: none
    std::int64_t budget = 0;              ///< fcfs-sarathi: tokens an iteration; 0: none
    bool keep_tokens = false;             ///< fcfs: a cancelled prompt prefills its tokens again
    bool hard = false;                    ///< wait, nested-wait: no batch takes more than C
};

struct IterationModel
{
    std::int64_t overhead = 1;  ///< d0, nanoseconds
    std::int64_t per_token = 0; ///< d1, nanoseconds times 2^16
    std::vector<PromptType> types;
};

struct Iteration
{
    std::int64_t start = 0, end = 0;
    std::int64_t memory = 0;                                  ///< of all prompts, tokens
    std::int64_t tokens = 0;                                  ///< of the batch
    std::vector<std::size_t> cancelled;                       ///< prompts, just before it
    std::vector<std::pair<std::size_t, std::int64_t>> served; ///< prompt and its stage
};

struct IterationRun
{
    std::vector<Iteration> iterations;
    std::vector<std::int64_t> first_token, completion; ///< per prompt, -1: not by the horizon
};

/// Runs every instant up to `horizon`; `arrivals` are in order of time.
IterationRun iterate(IterationModel const& model, IterationPolicy const& policy,
                     std::vector<PromptArrival> const& arrivals, std::int64_t horizon);

} // namespace oracle
