#pragma once

#include "kernels/engines/batch_runner.hh"
#include "kernels/engines/engine_case.hh"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crx {

/// What runs instances.
enum class Processor : std::uint8_t
{
    cpu,
    card, ///< a GPU
};

/// What an engine reads of an instance.
enum class Reads : std::uint8_t
{
    requests, ///< every request, written down
    counts,   ///< how many requests have each output length
    nothing,  ///< it draws what it needs itself
};

/// One way to run policies: a row of the one table of engines. All rows of one law of randomness
/// give the same integers wherever they do not refuse, on the CPU and on a GPU.
struct Engine
{
    std::string_view name;
    std::string_view summary; ///< one line
    Processor processor;
    RandomLaw law;
    Reads reads = Reads::requests;
    /// Takes every instance of a case that it does not refuse, one at a time, on every processor of
    /// its kind. Where it does not refuse, no other portable row of its law and processor takes the
    /// case.
    bool portable = false;
    int instances = 1; ///< the most that it takes at a time
    int least = 1;     ///< fewer at a time are faster one by one

    /// Its own part of refusal().
    std::string (*own_refusal)(PolicySpec const&, EngineCase const&);
    /// Estimated time of an instance; 1 is what the portable row of the request law takes. Factors
    /// were measured (kernels/engines/README.md). Contract for this and all below: no refusal.
    double (*cost)(PolicySpec const&, EngineCase const&);
    /// Scratch memory of a thread; null: none.
    std::size_t (*bytes)(PolicySpec const&, EngineCase const&) = nullptr;
    /// Null on a GPU, whose launches stand in kernels/backends/cuda/card_launches.cuh.
    std::unique_ptr<BatchRunner> (*make)(PolicySpec const&, EngineCase const&) = nullptr;

    std::size_t scratch_bytes(PolicySpec const& spec, EngineCase const& c) const
    {
        return bytes == nullptr ? 0 : bytes(spec, c);
    }
    /// Never null. Contract: a row of the CPU.
    std::unique_ptr<BatchRunner> make_runner(PolicySpec const& spec, EngineCase const& c) const;

    /// Why it does not take the policy there, in words; empty: it does.
    std::string refusal(PolicySpec const& spec, EngineCase const& c) const;
};

/// Every row: the CPU's, then a GPU's, the portable ones first.
std::span<Engine const* const> engines();

/// The rows of this processor and law that take the policy, the cheapest first. They end with the
/// portable one: each runs what those before it did not take. Empty where that one refuses.
std::vector<Engine const*> engines_for(Processor processor, RandomLaw law, PolicySpec const& spec,
                                       EngineCase const& c);

/// The portable row of the processor and law that is responsible for the policy: it takes it, or
/// its refusal is why none does.
Engine const& portable_engine(Processor processor, RandomLaw law, PolicySpec const& spec,
                              EngineCase const& c);

/// Whether the policy is better run under the cohort law. By the costs of the CPU's portable rows
/// alone, as results must not depend on the machine (docs/decisions/010-engine-by-cost.md).
bool prefers_cohorts(PolicySpec const& spec, EngineCase const& c);

} // namespace crx
