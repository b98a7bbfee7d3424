#pragma once

#include "host/bench/measure.hh"
#include "kernels/engines/cell.hh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/shortest_first.cuh"

namespace crx {

/// A policy of the benchmark and what the literature's tables call it.
struct BenchPolicy
{
    char const* name;
    PolicyKind kind;
};
inline constexpr BenchPolicy bench_policies[] = {{"h-sf", ShortestFirst::kind},
                                                 {"a-max", MaxLength::kind},
                                                 {"a-ell", PromoteLower::kind},
                                                 {"a-min", MinLength::kind}};

/// Two-point outputs l and u, half short, prompt 0, all at 0.
Workload two_point_workload(std::int64_t n, Tokens memory, std::int32_t lower, std::int32_t upper);

/// JAILLET's model 1 in shape: n = 50, M = 40, prompts uniform on 1 .. 5, outputs on 1 .. 35.
Workload jaillet_workload();

/// One of our engines as a sweep runs it: instances made, executed and tallied.
Contender engine_contender(std::string const& name, Workload const& workload, PolicyKind kind,
                           RandomLaw engine);

/// The C++ round loop (bench/peers.hh) on instances that are made beforehand, in the loop's favour;
/// `branch_free` is the form of its check.
Contender loop_contender(std::string const& name, Workload const& workload, PolicyKind kind,
                         bool branch_free);
/// The same on jaillet_workload, generation and sorting included.
Contender jaillet_loop_contender(std::string const& name, bool branch_free);

/// Instruction set of the C++ round loop on this machine.
std::string loop_instruction_set();

} // namespace crx
