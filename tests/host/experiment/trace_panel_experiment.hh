#pragma once

namespace crx {

/// An experiment with a panel whose lengths are those of lengths.csv, beside it.
inline constexpr char const* trace_panel_experiment = R"toml([experiment]
name = "trace"
title = "Lengths of a trace"
seed = 7
[stop]
instances = 4
confidence = 0.9
[workload]
[workload.output]
law = "trace"
sources = [{ file = "lengths.csv" }]
[workload.interval]
rule = "exact"
[[policy]]
id = "mc-sf"
[[policy]]
id = "a-random"
label = "lots"
[[sweep]]
name = "n"
axes = { requests = [2, 4, 8], memory = [20, 40] }
[[panel]]
sweep = "n"
x = "requests"
title = "Growth"
series = "memory"
baseline = "volume"
policies = ["lots"]
)toml";

} // namespace crx
