#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

namespace crx_test {

inline std::filesystem::path folder_of_experiments()
{
    return std::filesystem::path(CRX_SOURCE_DIR) / "experiments";
}

/// Every file of experiments/, by name.
inline std::vector<std::filesystem::path> shipped_experiments()
{
    std::vector<std::filesystem::path> files;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(folder_of_experiments()))
        if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::ranges::sort(files, {}, [](auto const& file) { return file.filename(); });
    return files;
}

/// The traces that some of them draw from are not part of the project.
inline bool needs_traces(std::filesystem::path const& experiment)
{
    auto const name = experiment.stem().string();
    return name.starts_with("trace_") || name.ends_with("_traces");
}
inline bool traces_are_here()
{
    return std::filesystem::exists(folder_of_experiments() / "../../shared/data");
}

} // namespace crx_test
