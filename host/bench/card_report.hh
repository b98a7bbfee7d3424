#pragma once

#include "host/bench/card_bench.hh"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace crx {

/// Shares of the time of launches, "engines 81 %, copies 3 %", and the share of instances that an
/// engine lost, where it ran some.
std::string card_times_text(GpuTimes const& times);

std::string card_bench_text(std::vector<CardComparison> const& comparisons);
nlohmann::ordered_json card_bench_json(std::vector<CardComparison> const& comparisons);

/// How many variants failed or gave other integers than the cores.
int card_bench_failures(std::vector<CardComparison> const& comparisons);

} // namespace crx
