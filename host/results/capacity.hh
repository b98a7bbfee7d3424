#pragma once

#include "host/results/results.hh"

namespace crx {

/// What [capacity] of an experiment asks for, as a table: a row a policy, and a table for each line
/// of cells along the axis. "holds up to" and "fails from" are neighbouring values between which
/// the share of requests within the objective falls below what is asked. The interval is from the
/// largest value up to which all hold, and there surely, to the least that surely fails: all
/// intervals of the line hold together with `confidence` (each has its share of the error, after
/// Bonferroni), so the capacity is in it if more load never helps. Empty where the experiment has
/// no capacity.
std::string capacity_text(StoreContents const& contents, std::vector<Sweep> const& sweeps,
                          double confidence);

} // namespace crx
