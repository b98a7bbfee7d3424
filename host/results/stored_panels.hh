#pragma once

#include "host/experiment/measure_plan.hh"
#include "host/input/config_value.hh"
#include "host/results/results.hh"

namespace crx {

/// What a store's experiment says of its picture.
struct StoredPanels
{
    std::string title;
    double confidence = StopRule{}.confidence;
    std::vector<Panel> panels;
};

/// Level of the intervals in what a store's experiment shows: its stop.confidence.
double stored_confidence(StoreHeader const& header, std::string const& name);

/// What [capacity] of a store's experiment asks for; none where it has none.
std::optional<CapacityPlan> stored_capacity(StoreHeader const& header, std::string const& name);

/// Reads them from the experiment's text in the store alone: no file beside it is needed, as
/// everything that is drawn is in the store; of the iteration model `contents` is what
/// with_horizons() made of it. `name` stands for the store in messages. Throws
/// InputError or ConfigError where the text cannot be read.
///
/// `panels_file`, unless empty: its [[panel]] tables in place of the experiment's, and its title
/// and confidence where it has them; it may be an experiment or nothing but panels.
StoredPanels read_stored_panels(StoreContents const& contents, std::string const& name,
                                std::filesystem::path const& panels_file = {});

/// The same with the one panel of a [[panel]] table, as the command line gives it; without `sweep`
/// it is of the only sweep.
StoredPanels read_stored_panels(StoreContents const& contents, std::string const& name,
                                ConfigValue panel);

} // namespace crx
