#pragma once

#include <string>

namespace crx_test {

/// Small experiments whose cells depend on sums: with a half-width, with refinement, with both, and
/// of the iteration model.
inline std::string rounds_experiment(std::string const& stop, int refinements)
{
    return "[experiment]\nname = 'x'\nseed = 7\n[stop]\n" + stop +
           "\n[workload]\nrequests = 120\nmemory = 60\nprompt = 1\n"
           "[workload.output]\nlaw = 'two-point'\n"
           "lower = 'max(1, round(alpha * upper))'\nupper = 20\nshort_fraction = 'w'\n"
           "[workload.interval]\nrule = 'support'\n"
           "[[policy]]\nid = 'a-max'\n[[policy]]\nid = 'a-min'\n"
           "[baselines]\nuse = ['h-sf', 'volume']\n[[sweep]]\nname = 'alpha'\n"
           "axes = { alpha = [0.1, 0.5], w = [0.2, 0.5, 0.8] }\n" +
           (refinements == 0 ? ""
                             : "refine = { axis = 'w', rounds = " + std::to_string(refinements) +
                                   ", baseline = 'h-sf' }\n");
}

inline std::string iterations_experiment(std::string const& stop)
{
    return "[experiment]\nname = 'x'\nseed = 1\n[model]\nkind = 'iterations'\n[stop]\n" + stop +
           "\n[workload]\nhorizon = 8\ndoublings = 3\n"
           "[workload.clock]\nd0 = 550e6\nd1 = 0.05e9\n"
           "[[workload.type]]\nprompt = 1\noutput = 1\nrate = 'load'\n"
           "[[workload.type]]\nprompt = 1\noutput = 2\nrate = 1\n"
           "[[policy]]\nid = 'wait'\nthresholds = 'inside'\n"
           "[[policy]]\nid = 'fcfs-vllm'\nmemory = 40\n"
           "[[sweep]]\nname = 'paths'\naxes = { load = [0.5, 1] }\n";
}

inline constexpr char const* half_width_stop = "instances = 2048\nfirst = 256\nhalf_width = 0.008";

} // namespace crx_test
