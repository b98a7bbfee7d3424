#pragma once

#include "host/results/stored_experiment.hh"

#include <string>
#include <vector>

namespace crx {

/// What `crx replay` is asked of a path of the iteration model.
struct PathRequest
{
    std::int64_t cell = 0, path = 0;
    std::vector<std::size_t> policies; ///< their numbers; one where a file is wanted
    std::string timeline_file;
    bool json = false, with_timeline = false;
};

/// Runs the path again under those policies, writes the files and prints its sums.
void replay_stored_path(StoredWork const& work, PathRequest const& request);

} // namespace crx
