#pragma once

#include <filesystem>
#include <string>

namespace crx {

/// The text of an experiment file. Throws InputError where it cannot be read, is a database or is
/// longer than any experiment.
std::string read_experiment_file(std::filesystem::path const& file);

} // namespace crx
