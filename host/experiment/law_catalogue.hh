#pragma once

#include "analysis/laws/discrete_laws.hh"
#include "host/input/accepted.hh"

#include <map>
#include <optional>
#include <string>
#include <utility>
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
    std::optional<double> fallback = {}; ///< value where the file has none
    std::string note = {};               ///< for the documentation: "the mean"
};

/// Values of a law's fields, each in its range.
using LawValues = std::map<std::string, double>;

/// A law of independent lengths as an experiment file names it (docs/model.md#laws).
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
    /// Fields that are no numbers, for the documentation.
    std::string other_fields = {};
    /// Keys that one might try, each with what to write instead.
    std::vector<std::pair<std::string, std::string>> instead = {};

    /// What identifies the law in a store.
    std::string name() const { return source.empty() ? id : id + " " + source; }
};

/// Longest table of a law: its largest value, or number of trials.
inline constexpr double longest_table = 1'000'000;
/// Largest length, memory and number of instances' requests that the engines hold.
inline constexpr double longest_length = 2147483647;

namespace laws {

/// Lengths that a law's table may hold.
inline NumberRange lengths_in_table(LengthRole role)
{
    return integers_in(role == LengthRole::output ? 1 : 0, longest_table);
}

// Values that several laws read.
inline std::int32_t whole(LawValues const& values, char const* name)
{
    return static_cast<std::int32_t>(values.at(name));
}
inline std::int32_t one(LawValues const&) { return 1; }
inline std::int32_t lower(LawValues const& v) { return whole(v, "lower"); }
inline std::int32_t upper(LawValues const& v) { return whole(v, "upper"); }

} // namespace laws

/// The laws for a role, in the order of docs/model.md#laws. Laws of one id stand together and
/// differ in `source`.
std::vector<LawShape> const& law_catalogue(LengthRole role);

/// "geometric takes q and upper".
std::string fields_taken(LawShape const& law);

/// "`q` in [0, 1], `upper`", for docs/reference.md.
std::string documented_fields(LawShape const& law);

} // namespace crx
