#pragma once

#include "host/experiment/law_catalogue.hh"
#include "host/experiment/policy_list.hh"
#include "host/input/config_reader.hh"

#include <string>

namespace crx {

/// One change to the small experiment and the full answer.
struct Refusal
{
    std::string from, to, answer;
};

/// What `law` of an output may be.
inline std::vector<std::string> output_laws()
{
    std::vector<std::string> ids{"composition", "trace"};
    for (auto const& law : law_catalogue(LengthRole::output))
        if (ids.back() != law.id) ids.push_back(law.id);
    return ids;
}

inline Refusal const refusals[] = {
    {"memory = 100", "memroy = 100",
     "x.toml:11: workload.memroy = 100\n"
     "  unknown key; did you mean memory, which is missing here?"},
    {"memory = 100", "memory = 100\nevcit = 3",
     "x.toml:12: workload.evcit = 3\n"
     "  unknown key; accepted here: arrivals, clock, instances, interval, memory, output, prompt, "
     "requests"},
    {"memory = 100", "memory = true",
     "x.toml:11: workload.memory = true\n"
     "  not accepted: must be an integer in [1, 2147483647], or an expression in quotes"},
    {"memory = 100", "memory = nan",
     "x.toml:11: workload.memory = nan\n"
     "  not accepted: must be an integer in [1, 2147483647]"},
    {"memory = 100", "memory = inf",
     "x.toml:11: workload.memory = inf\n"
     "  not accepted: must be an integer in [1, 2147483647]"},
    {"memory = 100", "memory = -5",
     "x.toml:11: workload.memory = -5\n"
     "  not accepted: must be an integer in [1, 2147483647]"},
    {"memory = 100", "memory = 99999999999999",
     "x.toml:11: workload.memory = 99999999999999\n"
     "  not accepted: must be an integer in [1, 2147483647]"},
    {"memory = 100", "memory = 10.5",
     "x.toml:11: workload.memory = 10.5\n"
     "  not accepted: must be an integer in [1, 2147483647]"},
    {"memory = 100", "memory = 22",
     "x.toml:11: workload.memory = 22 at alpha = 0.1 (sweep alpha)\n"
     "  not accepted: must be at least 23: s + o = 3 + 20 occurs"},
    {"memory = 100", "memory = \"10 * tt\"",
     "x.toml:11: workload.memory = \"10 * tt\"\n"
     "  not accepted: must be an expression of the names alpha, lower, memory, prompt, requests, "
     "short_fraction, t, upper (did you mean t?), and tt is none of them"},
    {"memory = 100", "memory = \"10 * \"",
     "x.toml:11: workload.memory = \"10 * \"\n"
     "  not accepted: must be an integer in [1, 2147483647], or an expression in quotes "
     "(Unexpected end of expression at position 6)"},
    {"memory = 100", "memory = \"alpha * 333\"",
     "x.toml:11: workload.memory = \"alpha * 333\", which is 33.300000000000004 at alpha = 0.1 "
     "(sweep alpha)\n"
     "  not accepted: must be an integer in [1, 2147483647] (round(..), floor(..) and ceil(..) "
     "make one)"},
    {"memory = 100", "memory = \"0/0\"",
     "x.toml:11: workload.memory = \"0/0\", which is nan\n"
     "  not accepted: must be an integer in [1, 2147483647]"},
    {"memory = 100", "memory = \"memory\"",
     "x.toml:11: workload.memory = \"memory\"\n"
     "  not accepted: must be an expression that does not lead back to itself, and memory depends "
     "on itself"},
    {"memory = 100", "memory = \"t = 3\"",
     "x.toml:11: workload.memory = \"t = 3\"\n"
     "  not accepted: must be an integer in [1, 2147483647], or an expression in quotes (= "
     "assigns, == compares)"},
    {"memory = 100", "memory = \"1, 2\"",
     "x.toml:11: workload.memory = \"1, 2\"\n"
     "  not accepted: must be an integer in [1, 2147483647], or an expression in quotes (this one "
     "has 2 values)"},
    {"seed = 7", "seed = -7",
     "x.toml:4: experiment.seed = -7\n"
     "  not accepted: must be an integer in [0, 9223372036854775807]"},
    {"seed = 7", "seed = 1.5",
     "x.toml:4: experiment.seed = 1.5\n"
     "  not accepted: must be an integer in [0, 9223372036854775807]"},
    {"name = \"small\"", "name = \"Small one\"",
     "x.toml:2: experiment.name = \"Small one\"\n"
     "  not accepted: must be 1 to 100 small letters, digits and _, as a file is called"},
    {"instances = 4", "instances = 0",
     "x.toml:6: stop.instances = 0\n"
     "  not accepted: must be an integer in [1, 1000000000000]"},
    {"instances = 4", "half_width = 0.1",
     "x.toml:5: stop.instances\n"
     "  missing: must be an integer in [1, 1000000000000]"},
    {"instances = 4", "instances = 4\nhalf_width = 0.0",
     "x.toml:7: stop.half_width = 0\n"
     "  not accepted: must be a number above 0"},
    {"instances = 4", "instances = 4\nconfidence = 1.0",
     "x.toml:7: stop.confidence = 1\n"
     "  not accepted: must be a number in (0, 1)"},
    {"[stop]", "[stpo]",
     "x.toml:5: stpo = { instances = 4 }\n"
     "  unknown key; accepted here: baselines, capacity, experiment, measures, model, panel, "
     "policy, run, "
     "stop, sweep, "
     "variables, "
     "workload (did you mean stop?)"},
    {"[stop]", "[xyz]\n[stop]",
     "x.toml:5: xyz = {}\n"
     "  unknown key; accepted here: baselines, capacity, experiment, measures, model, panel, "
     "policy, run, "
     "stop, sweep, "
     "variables, "
     "workload"},
    {"id = \"a-max\"", "id = \"a-mx\"",
     "x.toml:21: policy.0.id = \"a-mx\"\n"
     "  not accepted: must be " +
         one_of("a-mx", policy_ids())},
    {"id = \"a-max\"", "id = \"a-ladder\"",
     "x.toml:20: policy.0.levels\n"
     "  missing: must be \"doubling\", or a list of 1 to 32 numbers or expressions"},
    {"id = \"a-max\"", "id = \"a-ladder\"\nlevels = [2, 1]",
     "x.toml:22: policy.0.levels.1 = 1 at alpha = 0.1 (sweep alpha)\n"
     "  not accepted: must be at least the level before it, 2"},
    {"id = \"a-max\"", "id = \"a-ladder\"\nlevels = [\"lower\", 19]",
     "x.toml:22: policy.0.levels.1 = 19 at alpha = 0.1 (sweep alpha)\n"
     "  not accepted: must be the common upper end, 20, as the last level"},
    {"id = \"a-max\"", "id = \"a-max\"\n[[policy]]\nid = \"a-max\"",
     "x.toml:23: policy.1.id = \"a-max\"\n"
     "  not accepted: must be a policy with a label of its own (label = \"..\")"},
    {"id = \"a-max\"", "id = \"a-max\"\nlevels = [1]",
     "x.toml:22: policy.0.levels = [1]\n"
     "  unknown key; accepted here: id, label"},
    {"law = \"two-point\"", "law = \"twopoint\"",
     "x.toml:14: workload.output.law = \"twopoint\"\n"
     "  not accepted: must be " +
         one_of("twopoint", output_laws())},
    {"law = \"two-point\"", "law = \"two-point\"\nq = 0.5",
     "x.toml:15: workload.output.q = 0.5\n"
     "  unknown key; accepted here: counts, law, lower, short_fraction, upper"},
    {"upper = 20", "upper = 20\ncounts = \"exat\"",
     "x.toml:17: workload.output.counts = \"exat\"\n"
     "  not accepted: must be one of exact, random (did you mean exact?)"},
    {"upper = 20", "upper = 0",
     "x.toml:16: workload.output.upper = 0\n"
     "  not accepted: must be an integer in [1, 2147483647]"},
    {"lower = \"max(1, round(alpha * upper))\"", "lower = 21",
     "x.toml:24: sweep.0.axes.alpha\n"
     "  not accepted: must be an axis that the cells depend on; no field of workload or policy "
     "uses alpha"},
    {"lower = \"max(1, round(alpha * upper))\"", "lower = \"max(1, round(alhpa * upper))\"",
     "x.toml:15: workload.output.lower = \"max(1, round(alhpa * upper))\"\n"
     "  not accepted: must be an expression of known names, and alhpa is none (did you mean the "
     "axis alpha?)"},
    {"lower = \"max(1, round(alpha * upper))\"", "lower = \"alpha * 7\"",
     "x.toml:15: workload.output.lower = \"alpha * 7\", which is 0.7000000000000001 at alpha = 0.1 "
     "(sweep alpha)\n"
     "  not accepted: must be an integer in [1, 2147483647] (round(..), floor(..) and ceil(..) "
     "make one)"},
    {"short_fraction = \"t / (1 + t)\"", "short_fraction = 1.5",
     "x.toml:17: workload.output.short_fraction = 1.5\n"
     "  not accepted: must be a number in [0, 1]"},
    {"short_fraction = \"t / (1 + t)\"", "short_fraction = \"tt\"",
     "x.toml:17: workload.output.short_fraction = \"tt\"\n"
     "  not accepted: must be an expression of the names alpha, lower, memory, prompt, requests, "
     "short_fraction, t, upper (did you mean t?), and tt is none of them"},
    {"rule = \"support\"", "rule = \"suport\"",
     "x.toml:19: workload.interval.rule = \"suport\"\n"
     "  not accepted: must be one of buckets, common, exact, relative, support (did you mean "
     "support?)"},
    {"rule = \"support\"", "rule = \"common\"\nlower = 5\nupper = 20",
     "x.toml:20: workload.interval.lower = 5 at alpha = 0.1 (sweep alpha)\n"
     "  not accepted: must be at most the least output length, 2"},
    {"rule = \"support\"", "rule = \"common\"\nlower = 1\nupper = 19",
     "x.toml:21: workload.interval.upper = 19 at alpha = 0.1 (sweep alpha)\n"
     "  not accepted: must be at least the largest output length, 20"},
    {"rule = \"support\"", "rule = \"common\"\nlower = 1\nupper = 98",
     "x.toml:11: workload.memory = 100 at alpha = 0.1 (sweep alpha)\n"
     "  not accepted: must be at least 101: s + u = 3 + 98 occurs"},
    {"rule = \"support\"", "rule = \"relative\"\nx = 1.5",
     "x.toml:20: workload.interval.x = 1.5\n"
     "  not accepted: must be a number in [0, 1]"},
    {"rule = \"support\"", "rule = \"relative\"\nx = \"1/3\"",
     "x.toml:20: workload.interval.x = \"1/3\", which is 0.3333333333333333 at alpha = 0.1 (sweep "
     "alpha)\n"
     "  not accepted: must be a decimal of at most nine places in [0, 1]"},
    {"rule = \"support\"", "rule = \"buckets\"\nwidth = 2147483647",
     "x.toml:11: workload.memory = 100 at alpha = 0.1 (sweep alpha)\n"
     "  not accepted: must be at least 2147483650: s + u = 3 + 2147483647 occurs"},
    {"[0.5, 0.1, 1]", "[]",
     "x.toml:24: sweep.0.axes.alpha = []\n"
     "  not accepted: must be a list of at least one number"},
    {"[0.5, 0.1, 1]", "[0.5, 1.5]",
     "x.toml:24: sweep.0.axes.alpha = [0.5, 1.5]\n"
     "  not accepted: must be values in (0, 1], and 1.5 is not"},
    {"[0.5, 0.1, 1]", "[0.5, 0.5]",
     "x.toml:24: sweep.0.axes.alpha = [0.5, 0.5]\n"
     "  not accepted: must be values that differ, and 0.5 is there twice"},
    {"[0.5, 0.1, 1]", "[nan]",
     "x.toml:24: sweep.0.axes.alpha.0 = nan\n"
     "  not accepted: must be a finite number"},
    {"[0.5, 0.1, 1]", "{ from = 1, to = 0.5, points = 3 }",
     "x.toml:24: sweep.0.axes.alpha.to = 0.5\n"
     "  not accepted: must be at least from, which is 1"},
    {"[0.5, 0.1, 1]", "{ from = 0.5, to = 1, points = 1 }",
     "x.toml:24: sweep.0.axes.alpha.points = 1\n"
     "  not accepted: must be at least 2 where from and to differ"},
    {"[0.5, 0.1, 1]", "{ from = 0, to = 1, points = 3, scale = \"log\" }",
     "x.toml:24: sweep.0.axes.alpha.from = 0\n"
     "  not accepted: must be a number above 0 on a log scale"},
    {"[0.5, 0.1, 1]", "{ from = 0.5, to = 1 }",
     "x.toml:24: sweep.0.axes.alpha.points\n"
     "  missing: must be an integer in [1, 10000000]"},
    {"[0.5, 0.1, 1]", "{ from = 0.5, to = 1, step = 0 }",
     "x.toml:24: sweep.0.axes.alpha.step = 0\n"
     "  not accepted: must be a number above 0"},
    {"[0.5, 0.1, 1]", "{ from = 0.5, to = 1, step = 1e-9 }",
     "x.toml:24: sweep.0.axes.alpha.step = 1e-09\n"
     "  not accepted: must be a step of at most 10000000 points"},
    {"[0.5, 0.1, 1]", "{ from = 0.5, to = 1, points = 3, stp = 1 }",
     "x.toml:24: sweep.0.axes.alpha.stp = 1\n"
     "  unknown key; accepted here: from, points, scale, step, to (did you mean step?)"},
    {"[0.5, 0.1, 1]", "{ from = 0.5, to = 1, points = 3, step = 0.1 }",
     "x.toml:24: sweep.0.axes.alpha.points = 3\n"
     "  unknown key; accepted here: from, step, to"},
    {"[0.5, 0.1, 1]", "0.5",
     "x.toml:24: sweep.0.axes.alpha = 0.5\n"
     "  not accepted: must be a list of numbers, or { from, to, points } or { from, to, step }"},
    {"[0.5, 0.1, 1]", "\"many\"",
     "x.toml:24: sweep.0.axes.alpha = \"many\"\n"
     "  not accepted: must be a list of numbers, or { from, to, points } or { from, to, step }"},
    {"axes = { alpha = [0.5, 0.1, 1] }", "axes = { alpha = [0.5], beta = [1, 2] }",
     "x.toml:24: sweep.0.axes.beta\n"
     "  not accepted: must be an axis that the cells depend on; no field of workload or policy "
     "uses beta"},
    {"axes = { alpha = [0.5, 0.1, 1] }", "axes = { alpha = [0.5], x = [0.1] }",
     "x.toml:24: sweep.0.axes.x\n"
     "  not accepted: x is the name of a field that this workload does not have; give the axis "
     "another name"},
    {"axes = { alpha = [0.5, 0.1, 1] }", "axes = { alpha = [0.5], memmory = [100, 200] }",
     "x.toml:24: sweep.0.axes.memmory\n"
     "  not accepted: must be an axis that the cells depend on; no field of workload or policy "
     "uses memmory (did you mean memory?)"},
    {"axes = { alpha = [0.5, 0.1, 1] }",
     "axes = { alpha = [0.5], requests = {from=1,to=9000,step=1}, t={from=1,to=9000,step=1} }",
     "x.toml:22: sweep.0 = \"alpha\"\n"
     "  not accepted: must be sweeps of at most 10000000 cells in all, and with this one there are "
     "81000000"},
    {"axes = { alpha = [0.5, 0.1, 1] }", "axes = { alpha = [0.5] }\nset = { memry = 3 }",
     "x.toml:25: sweep.0.set.memry = 3\n"
     "  not accepted: must be a variable, or a key that begins with workload."},
    {"axes = { alpha = [0.5, 0.1, 1] }",
     "axes = { alpha = [0.5] }\nset = { \"workload.memry\" = 3 }",
     "x.toml:25: workload.memry = 3\n"
     "  unknown key; accepted here: arrivals, clock, instances, interval, memory, output, prompt, "
     "requests (did you mean "
     "memory?)"},
    {"axes = { alpha = [0.5, 0.1, 1] }", "axes = { alpha = [0.5] }\nset.workload.memory = 10",
     "x.toml:25: workload.memory = 10 at alpha = 0.5 (sweep alpha)\n"
     "  not accepted: must be at least 23: s + o = 3 + 20 occurs"},
    {"axes = { alpha = [0.5, 0.1, 1] }",
     "axes = { alpha = [0.5] }\nrefine = { axis = \"beta\", rounds = 3 }",
     "x.toml:25: sweep.0.refine.axis = \"beta\"\n"
     "  not accepted: must be one of alpha"},
    {"axes = { alpha = [0.5, 0.1, 1] }",
     "axes = { alpha = [0.5], memory = [50, 60] }\nrefine = { axis = \"memory\", rounds = 3 }",
     "x.toml:25: sweep.0.refine.axis = \"memory\"\n"
     "  not accepted: must be an axis that may lie between its values; memory is an integer"},
    {"t = 1\n", "t = \"u\"\nu = \"t\"\n",
     "x.toml:9: variables.u = \"t\"\n"
     "  not accepted: must be an expression that does not lead back to itself, and t depends on "
     "itself"},
    {"t = 1\n", "t = 1\nlower = 3\n",
     "x.toml:9: variables.lower = 3\n"
     "  not accepted: must be given another name: lower is a field of the workload"},
    {"t = 1\n", "t = 1\n\"a b\" = 3\n",
     "x.toml:9: variables.a b = 3\n"
     "  not accepted: must be called by letters, digits and _, not a digit first"},
    {"t = 1\n", "t = 1\nw = \"1/(alpha - 0.5)\"\n",
     "x.toml:9: variables.w = \"1/(alpha - 0.5)\", which is inf at alpha = 0.5 (sweep alpha)\n"
     "  not accepted: must be a finite number"},
    {"axes = {", "axes = {} \n[[panel]]\nsweep = \"alpa\"\n#",
     "x.toml:15: workload.output.lower = \"max(1, round(alpha * upper))\"\n"
     "  not accepted: must be an expression of the names lower, memory, prompt, requests, "
     "short_fraction, t, upper, and alpha is none of them"},
    {"[[sweep]]", "[[sweeep]]",
     "x.toml:22: sweeep = [{ name = \"alpha\", axes = { alpha = [0.5, 0.1, 1] } }]\n"
     "  unknown key; accepted here: baselines, capacity, experiment, measures, model, panel, "
     "policy, run, "
     "stop, sweep, "
     "variables, "
     "workload (did you mean sweep?)"},
    {"prompt = 3", "prompt = { law = \"uniform\", lower = 0, upper = 90 }",
     "x.toml:11: workload.memory = 100 at alpha = 0.1 (sweep alpha)\n"
     "  not accepted: must be at least 110: s + o = 90 + 20 occurs"},
    {"prompt = 3", "prompt = -1",
     "x.toml:12: workload.prompt = -1\n"
     "  not accepted: must be an integer in [0, 2147483647]"},
    {"prompt = 3", "",
     "x.toml:9: workload.prompt\n"
     "  missing: must be an integer in [0, 2147483647], an expression in quotes, or a law, as "
     "{ law = \"uniform\", lower = 0, upper = 9 }"},
    {"prompt = 3", "prompt = { law = \"geometric\", mean = 50 }",
     "x.toml:12: workload.prompt.mean = 50\n"
     "  not accepted: must be left out: geometric takes q and upper; a mean of m needs q = 1 - 1 / "
     "m, and an upper far above m"},
    {"prompt = 3", "prompt = { law = \"geometric\", p = 0.1, upper = 9 }",
     "x.toml:12: workload.prompt.p = 0.1\n"
     "  not accepted: must be left out: geometric takes q and upper; q is 1 - p"},
    {"prompt = 3", "prompt = { law = \"uniform\", least = 50 }",
     "x.toml:12: workload.prompt.least = 50\n"
     "  not accepted: must be left out: uniform takes lower and upper"},
    {"[workload.interval]\nrule = \"support\"\n", "",
     "x.toml:9: workload.interval\n"
     "  missing: must be a table with a rule: policy a-max plans with prediction intervals"},
    {"axes = { alpha = [0.5, 0.1, 1] }",
     "axes = { alpha = [0.5, 0.1, 1], t=[1,2] }\n[[panel]]\nsweep = \"alpha\"\nx = \"alpha\"",
     "x.toml:25: panel.0.x = \"alpha\"\n"
     "  not accepted: must be a panel that says what becomes of axis t: in x, worst_over, series "
     "or where"},
    {"axes = { alpha = [0.5, 0.1, 1] }",
     "axes = { alpha = [0.5, 0.1, 1], t=[1,2] }\n[[panel]]\nsweep = \"alpha\"\nx = "
     "\"alpha\"\nwhere = { t = 3 }",
     "x.toml:28: panel.0.where.t = 3\n"
     "  not accepted: must be one of the axis's values: 1, 2"},
    {"axes = { alpha = [0.5, 0.1, 1] }",
     "axes = { alpha = [0.5, 0.1, 1], t=[1,2] }\n[[panel]]\nsweep = \"alpha\"\nx = \"alhpa\"",
     "x.toml:27: panel.0.x = \"alhpa\"\n"
     "  not accepted: must be one of alpha, lower, memory, prompt, requests, short_fraction, t, "
     "upper (did you mean alpha?)"},
    {"[[policy]]", "policy = 3\n[x]",
     "x.toml:21: x = { id = \"a-max\" }\n"
     "  unknown key; accepted here: baselines, capacity, experiment, measures, model, panel, "
     "policy, run, "
     "stop, sweep, "
     "variables, "
     "workload"},
    {"[workload]", "workload = 3\n[x]",
     "x.toml:10: x = { requests = 10, memory = 100, prompt = 3 }\n"
     "  unknown key; accepted here: baselines, capacity, experiment, measures, model, panel, "
     "policy, run, "
     "stop, sweep, "
     "variables, "
     "workload"},
    {"rule = \"support\"", "rule = 1979-05-27",
     "x.toml:19: workload.interval.rule = 1979-05-27\n"
     "  not accepted: must be one of buckets, common, exact, relative, support"},
    {"id = \"a-max\"", "id = \"a-max\"\n[baselines]\nuse = [\"hsf\"]",
     "x.toml:23: baselines.use.0 = \"hsf\"\n"
     "  not accepted: must be one of best-found, dual, h-sf, mc-sf, opt, opt-lower, "
     "opt-upper, peaks, release, volume (did you mean h-sf?)"},
    {"id = \"a-max\"", "id = \"a-max\"\n[baselines]\nuse = [\"h-sf\", \"clique-lp\"]",
     "x.toml:23: baselines.use = \"clique-lp\"\n"
     "  not accepted: must be peaks, or opt-lower, which bounds more: no bound is made by a "
     "linear program"},
};

} // namespace crx
