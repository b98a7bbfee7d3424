#pragma once

#include <filesystem>
#include <optional>

namespace crx {

/// Prints every lmsys-like law beside the figures it was fitted to, with its error, and, if a trace
/// is given, the quantiles of the trace's prompts and outputs beside the laws'.
///
/// Throws InputError if the trace cannot be read.
void report_laws(std::optional<std::filesystem::path> const& trace, bool json);

} // namespace crx
