#pragma once

#include "host/experiment/paths.hh"
#include "kernels/model/tally.cuh"

#include <string>
#include <string_view>

namespace crx {

// Sums as the store keeps them: JSON arrays of whole numbers of any size, in the order of
// docs/store.md ("Sums"). Reading throws std::invalid_argument for anything but what is written.

std::string to_text(Unsigned128 value);
std::string to_text(Unsigned192 const& value);

/// A policy's own sums, and behind them the measures of its requests where any are kept.
std::string to_text(OutcomeSums const& sums, MeasureSums const& measures = {});
void add_outcomes(std::string_view text, OutcomeSums& sums, MeasureSums& measures);
/// The sums alone; measures behind them are not looked at.
void add_outcomes(std::string_view text, OutcomeSums& sums);

/// A policy's sums over one baseline; "[]" where no instance has it.
std::string to_text(RatioTally const& sums, Histogram const& histogram);
void add_ratios(std::string_view text, RatioTally& sums, Histogram& histogram);

/// Paths of the iteration model, one after the other, and behind them, where they are kept, the
/// measures of all their prompts, one a horizon.
std::string to_text(std::vector<PathRecord> const& paths,
                    std::vector<MeasureSums> const& measures = {});
void add_paths(std::string_view text, std::vector<PathRecord>& paths,
               std::vector<MeasureSums>& measures);

} // namespace crx
