#pragma once

#include "kernels/engines/iterations/iteration_model.cuh"

#include <vector>

namespace crx::fluid {

/// Prompts of several types that arrive as Poisson processes (AO section 2).
struct Load
{
    double overhead = 0;  ///< d0, seconds
    double per_token = 0; ///< d1, seconds
    std::vector<PromptType> types;
    std::vector<double> rate; ///< lambda_j, prompts per second
};

/// Tokens of one prompt summed over its stages: (l'+1)(l + l'/2), a whole number.
Tokens tokens_of_all_stages(PromptType const& type);

/// D = d1 sum lambda_j (l'_j+1)(l_j + l'_j/2): the share of time that tokens take in equilibrium.
///
/// Stable iff D < 1. Source: AO (6), with d1 where Proposition 1 prints d0
/// (docs/errata.md#ao-proposition-1). Throws std::domain_error for an empty load, a rate that is
/// not positive and finite, d0 <= 0 or d1 < 0, naming it.
double utilisation(Load const& load);

/// The fluid in equilibrium; "tokens" are of the KV cache.
struct Equilibrium
{
    double utilisation;           ///< D
    double iteration;             ///< d0/(1-D), seconds: AO (7)
    double memory;                ///< M* = d0 (D/d1)/(1-D), tokens: AO (6)
    double throughput;            ///< sum lambda_j l'_j: decode tokens per second
    double throughput_as_in_8;    ///< sum lambda_j (l'_j+1), as AO (8) counts
    std::vector<double> at_stage; ///< per type, prompts at each stage: lambda_j d0/(1-D)
};

/// Throws std::domain_error, also where D >= 1 ("unstable: D = ..").
Equilibrium equilibrium(Load const& load);

} // namespace crx::fluid
