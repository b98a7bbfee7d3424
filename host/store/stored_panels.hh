#pragma once

#include "host/store/results.hh"

namespace crx {

/// What a store's experiment says of its picture.
struct StoredPanels
{
    std::string title;
    double confidence = StopRule{}.confidence;
    std::vector<Panel> panels;
};

/// Reads them from the experiment's text in the store alone: no file beside it is needed, as
/// everything that is drawn is in the store. `name` stands for the store in messages. Throws
/// InputError or ConfigError where the text cannot be read.
StoredPanels read_stored_panels(StoreContents const& contents, std::string const& name);

} // namespace crx
