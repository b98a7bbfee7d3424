#pragma once

#include "analysis/laws/tabulated_law.hh"
#include "host/experiment/number_range.hh"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace crx {

/// What a law is for: outputs are at least 1, prompts at least 0.
enum class LengthRole
{
    output,
    prompt
};

/// A numeric field of a law.
struct LawField
{
    std::string name;
    NumberRange range;
    std::optional<double> fallback; ///< value where the file has none
};

/// Values of a law's fields, each in its range.
using LawValues = std::map<std::string, double>;

/// A law of independent lengths as an experiment file names it (SPEC section 6).
struct LawShape
{
    std::string id;
    std::string meaning; ///< for the documentation
    std::vector<LawField> fields;

    /// Ends of the law's range, whatever mass they have.
    std::int32_t (*least)(LawValues const&);
    std::int32_t (*largest)(LawValues const&);
    TabulatedLaw (*tabulate)(LawValues const&);

    /// What `source` must be in the file for this law; empty: it takes no source.
    std::string source = {};

    /// What identifies the law in a store.
    std::string name() const { return source.empty() ? id : id + " " + source; }
};

/// The laws for a role, in the order of SPEC. Laws of one id stand together and differ in `source`.
std::vector<LawShape> const& law_catalogue(LengthRole role);

/// Longest table of a law: its largest value, or number of trials.
inline constexpr double longest_table = 1'000'000;
/// Largest length, memory and number of instances' requests that the engines hold.
inline constexpr double longest_length = 2147483647;

} // namespace crx
