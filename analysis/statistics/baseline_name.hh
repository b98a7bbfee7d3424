#pragma once

#include "kernels/model/requests.cuh"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace crx {

/// A denominator's name and what kind of bound on the optimum it is (docs/model.md#baselines). A
/// cost divided by a lower bound overstates the ratio to the optimum, by an upper bound understates
/// it.
struct BaselineName
{
    BaselineKind kind;
    std::string_view id;
    std::string_view denominator;
};

inline constexpr std::array<BaselineName, baseline_kinds> baseline_names{{
    {BaselineKind::h_sf, "h-sf", "schedule: upper bound on OPT"},
    {BaselineKind::volume, "volume", "lower bound on OPT"},
    {BaselineKind::release, "release", "lower bound on OPT"},
    {BaselineKind::mc_sf, "mc-sf", "schedule: upper bound on OPT"},
    {BaselineKind::best_found, "best-found", "schedule: upper bound on OPT"},
    {BaselineKind::dual, "dual", "lower bound on OPT"},
    {BaselineKind::peaks, "peaks", "lower bound on OPT"},
    {BaselineKind::opt_lower, "opt-lower", "lower bound on OPT (OPT where proven)"},
    {BaselineKind::opt_upper, "opt-upper", "schedule: upper bound on OPT (OPT where proven)"},
    {BaselineKind::opt, "opt", "OPT (instances where it is proven)"},
}};

inline constexpr BaselineName const& name_of(BaselineKind kind)
{
    for (auto const& name : baseline_names)
        if (name.kind == kind) return name;
    return baseline_names.front(); // every kind has a name
}

/// Whether a ratio over it means what its name says: `together` where all requests arrive at 0,
/// `affine` under the affine clock.
inline constexpr bool applies(BaselineKind kind, bool together, bool affine)
{
    switch (kind) {
    case BaselineKind::h_sf:
    case BaselineKind::volume: return together && !affine;
    case BaselineKind::dual: return together && !affine;
    case BaselineKind::release:
    case BaselineKind::best_found:
    case BaselineKind::peaks:
    case BaselineKind::opt_lower:
    case BaselineKind::opt_upper:
    case BaselineKind::opt: return !affine;
    case BaselineKind::mc_sf: break;
    }
    return true;
}

/// "release, mc-sf": those that apply.
inline std::string applying_names(bool together, bool affine)
{
    std::string names;
    for (auto const& name : baseline_names)
        if (applies(name.kind, together, affine))
            names += (names.empty() ? "" : ", ") + std::string(name.id);
    return names;
}

inline std::optional<BaselineKind> baseline_named(std::string_view id)
{
    for (auto const& name : baseline_names)
        if (name.id == id) return name.kind;
    return std::nullopt;
}

} // namespace crx
