#include "host/experiment/workload/trace_files.hh"

namespace crx {

std::filesystem::path TraceFiles::place_of(std::string const& file) const
{
    return (folder_ / file).lexically_normal();
}

std::shared_ptr<TraceRows const> TraceFiles::read(std::string const& file,
                                                  std::string const& prompt_column,
                                                  std::string const& output_column, bool with_times)
{
    std::lock_guard const lock(mutex_);
    auto& rows = read_[{file, prompt_column, output_column, with_times ? "with times" : ""}];
    if (rows == nullptr)
        rows = std::make_shared<TraceRows const>(
            read_trace(place_of(file), prompt_column, output_column, with_times));
    return rows;
}

} // namespace crx
