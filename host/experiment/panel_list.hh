#pragma once

#include "host/experiment/sweep_plan.hh"

namespace crx {

/// What a panel can name of a sweep.
struct PanelSweep
{
    std::string name;
    std::vector<std::pair<std::string, std::vector<double>>> axes;
    /// That its cells have; empty: not known, and taken as it is written.
    std::optional<std::vector<std::string>> parameters;
};

/// What panels can name.
struct PanelNames
{
    Model model = Model::rounds;
    std::vector<PanelSweep> sweeps;
    std::vector<std::string> labels; ///< of policies
    std::vector<std::string> baselines;
};

/// Measures that a panel of that kind can show, by name.
std::vector<std::string> measures_of(Model model, Panel const& panel);

/// Reads all [[panel]]; there may be none. Names of sweeps, axes, policies, baselines and curves
/// are checked. Throws InputError.
std::vector<Panel> read_panels(ConfigReader& top, PanelNames const& names);

/// Reads all [[panel]] of an experiment; refuses also a panel that leaves open what becomes of an
/// axis, and a mean over requests of instances that differ in their number. A store that has such a
/// panel is read all the same, so that its others can be drawn.
std::vector<Panel> read_panels(ConfigReader& top, Experiment::Detail const& experiment);
/// Reads all [[panel]] of the iteration model, where `horizon` is an axis of every sweep, and
/// `type` one that only panels that name it show.
std::vector<Panel> read_panels(ConfigReader& top, IterationPlan const& plan);

} // namespace crx
