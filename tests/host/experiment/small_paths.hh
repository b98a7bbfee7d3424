#pragma once

#include "host/error.hh"
#include "host/experiment/experiment.hh"
#include "host/experiment/iteration_setting.hh"

#include <string>
#include <vector>

namespace crx {

/// AO appendix A.3 at one second an iteration, 40 paths to 8 s .. 64 s; 24 lines, and then the keys
/// of the policy. `d1` in seconds.
inline std::string small_paths(std::string const& policy, std::string const& d1 = "0.05",
                               std::string const& rate = "1")
{
    return "[experiment]\nname = 'x'\nseed = 1\n[model]\nkind = 'iterations'\n"
           "[stop]\ninstances = 40\n[workload]\nhorizon = 8\ndoublings = 3\n"
           "[workload.clock]\nd0 = 550e6\nd1 = " +
           d1 + "e9\n[[workload.type]]\nprompt = 1\noutput = 1\nrate = " + rate +
           "\n[[workload.type]]\nprompt = 1\noutput = 2\nrate = 1\n"
           "[[sweep]]\nname = 'paths'\n[[policy]]\n" +
           policy;
}

/// The first cell of an experiment.
inline IterationSetting setting_of(std::string const& text,
                                   std::vector<std::string> const& set = {},
                                   std::filesystem::path const& folder = ".")
{
    auto const experiment = Experiment::parse(text, "x.toml", folder, set);
    auto const& sweep = experiment.sweeps.front().name;
    return *experiment.make_cell(sweep, experiment.grid(sweep).front()).paths;
}

/// What reading the text answers.
inline std::string message_of(std::string const& text, std::filesystem::path const& folder = ".")
{
    try {
        setting_of(text, {}, folder);
    } catch (InputError const& error) {
        return error.what();
    }
    return "accepted";
}

} // namespace crx
