#pragma once

#include "host/input/trace.hh"

#include <map>
#include <memory>
#include <mutex>

namespace crx {

/// The traces of an experiment, each file read once. For calls from several threads.
class TraceFiles
{
  public:
    explicit TraceFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Where a file of that name in the experiment is: relative paths start at its folder.
    std::filesystem::path place_of(std::string const& file) const;
    /// Its rows (host/input/trace.hh). Throws InputError.
    std::shared_ptr<TraceRows const> read(std::string const& file, std::string const& prompt_column,
                                          std::string const& output_column, bool with_times);

  private:
    std::filesystem::path folder_;
    std::mutex mutex_;
    std::map<std::vector<std::string>, std::shared_ptr<TraceRows const>> read_;
};

} // namespace crx
