#pragma once

#include "analysis/laws/discrete_laws.hh"
#include "kernels/model/workload.cuh"

namespace crx {

/// Requests of JAILLET's section 5.1, model 1, with n and M fixed: all at 0, prompts uniform on
/// 1 .. 5, outputs uniform on 1 .. most_output.
inline Workload jaillet_shape(std::int64_t requests, Tokens memory, std::int32_t most_output,
                              std::uint64_t seed)
{
    Workload w;
    w.seed = seed;
    w.requests = requests;
    w.memory = memory;
    auto const output = uniform_law(1, most_output), prompt = uniform_law(1, 5);
    w.output_value = output.value;
    w.output_threshold = output.threshold;
    w.prompt_kind = PromptKind::table;
    w.prompt_value = prompt.value;
    w.prompt_threshold = prompt.threshold;
    return w;
}

/// The synthetic instances of JAILLET section 5.1. M is uniform on 30 .. 50; each request has s
/// uniform on 1 .. 5 and o uniform on 1 .. M - s. Units: tokens, rounds.
/// - all_at_once (arrival model 1): n uniform on 40 .. 60, all at 0;
/// - over_time (arrival model 2): T uniform on 40 .. 60, lambda uniform on [0.5, 1.5], here on its
///   multiples of 10^-9, and a Poisson number of arrivals of mean lambda in each of the rounds
///   1 .. T. Not in the paper: an instance without requests is drawn again, and a 513th request
///   (chance below 10^-200) does not come.
/// How words are used: docs/random-choices.md.
class JailletInstances : public InstanceSource
{
  public:
    enum class Model
    {
        all_at_once,
        over_time
    };
    explicit JailletInstances(Model model) : model_(model) {}

    void generate(std::uint64_t seed, std::uint64_t instance, Requests& requests) const override;
    std::int64_t most_requests() const override { return together() ? 60 : 512; }
    Tokens most_memory() const override { return 50; }
    bool together() const override { return model_ == Model::all_at_once; }
    std::vector<std::pair<std::string, std::string>> identity() const override;

  private:
    Model model_;
};

} // namespace crx
