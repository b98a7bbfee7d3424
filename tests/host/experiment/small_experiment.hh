#pragma once

#include "host/error.hh"
#include "host/experiment/experiment.hh"

#include <string>
#include <vector>

namespace crx {

/// A plain experiment in which tests change one thing; twenty-four lines.
inline std::string const small_experiment = R"toml([experiment]
name = "small"
title = "A small experiment"
seed = 7
[stop]
instances = 4
[variables]
t = 1
[workload]
requests = 10
memory = 100
prompt = 3
[workload.output]
law = "two-point"
lower = "max(1, round(alpha * upper))"
upper = 20
short_fraction = "t / (1 + t)"
[workload.interval]
rule = "support"
[[policy]]
id = "a-max"
[[sweep]]
name = "alpha"
axes = { alpha = [0.5, 0.1, 1] }
)toml";

/// The text with the first `from` replaced by `to`.
inline std::string with(std::string text, std::string const& from, std::string const& to)
{
    auto const at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("the test's text does not have: " + from);
    return text.replace(at, from.size(), to);
}

inline Experiment parse(std::string const& text, std::vector<std::string> const& overrides = {})
{
    return Experiment::parse(text, "x.toml", ".", overrides);
}

/// What reading the text answers; empty if it is accepted.
inline std::string error_of(std::string const& text, std::vector<std::string> const& overrides = {})
{
    try {
        parse(text, overrides);
    } catch (InputError const& error) {
        return error.what();
    }
    return {};
}

/// The same for the small experiment with one change.
inline std::string error_with(std::string const& from, std::string const& to)
{
    return error_of(with(small_experiment, from, to));
}

} // namespace crx
