#pragma once

#include "host/experiment/expression.hh"
#include "host/input/config_reader.hh"
#include "kernels/model/workload.cuh"
#include "kernels/policies/policy_info.hh"

#include <map>
#include <nlohmann/json_fwd.hpp>

// Parameters of policies in their four shapes: expressions of an experiment file, values of a
// PolicySpec, texts of a command line, JSON. Each function loops over policy_parameters.

namespace crx {

/// A parameter as an experiment file gives it.
struct ParameterPlan
{
    PolicyParameter const* parameter = nullptr;
    std::string where, key;          ///< for messages
    std::vector<Expression> numbers; ///< levels, a share or a count
    bool doubling = false;           ///< levels l, 2l, 4l, .., u of the common interval
    std::size_t choice = 0;          ///< number of the value, of a choice
};

/// A parameter of a policy that runs by itself (kernels/policies/host_policy.hh): a text.
struct OwnParameter
{
    char const *policy, *name, *text;
};
inline constexpr OwnParameter own_parameters[] = {
    {"by-key", "key", "expression of a request, exact; the least value is served first"},
    {"by-key", "plans_with",
     "the length that the look-ahead plans with: upper (unless given), output, lower or an "
     "expression"},
    {"by-key", "on_overflow", "whom it cancels: none (unless given), newest, all or greatest-key"},
    {"by-key", "ties",
     "which of equal keys is first: the first arrival, then index (arrival, unless given), or "
     "drawn"},
    {"program", "command", "program and arguments, as words or as a list: \"python3 mine.py\""},
    {"program", "knows_lengths", "true where it is sent true lengths, as `own-decisions`; false"},
    {"program", "timeout", "seconds for an answer; else 60"},
};

/// Those that the policy takes, of a [[policy]] table. Throws InputError.
std::vector<ParameterPlan> read_parameters(ConfigReader& reader, PolicyInfo const& info);

/// The policy with its parameters in one cell. Levels are cut to the common interval's upper end
/// where there is one, ascending, each once. Throws ConfigError.
PolicySpec plan_policy(PolicyKind kind, std::vector<ParameterPlan> const& parameters,
                       IntervalRule const& interval, NameTable& names);

/// Adds to the identity of a policy, in a cell's, all that its results depend on.
void add_parameters(nlohmann::json& identity, PolicySpec const& spec);

/// Parameters as texts, by name: "0.2", "1,2,4", "exceeded". Empty: not given.
using PolicyParameters = std::map<std::string, std::string, std::less<>>;

/// Calls visit(option, value) for each that is given: "--round-cap", "400".
void for_each_option(PolicyParameters const& given,
                     std::function<void(std::string const&, std::string const&)> const& visit);

/// Throws ConfigError where a parameter of another policy that runs by itself is given.
void refuse_own_parameters(std::string const& policy, PolicyParameters const& given);

/// The policy that --policy and its parameters name. Throws ConfigError naming the option: an
/// unknown id (with the nearest known one), a parameter that is missing or not taken, levels that
/// do not ascend, are not positive or too many, shares outside [0, 1] or of more than nine places.
PolicySpec policy_argument(std::string const& id, PolicyParameters const& given);
/// Those of the policy; an optional one only where it is not as usual.
PolicyParameters parameters_of(PolicySpec const& spec);

/// For evidence files. A value that is not well formed stays a text.
nlohmann::ordered_json parameters_as_json(PolicyParameters const& given);
PolicyParameters parameters_in(nlohmann::ordered_json const& side);
/// Lines of a [[policy]] table.
std::string parameters_as_toml(PolicyParameters const& given);

/// The engines' policies with their summaries, a line each, for --help.
std::string policy_help();
/// "--round-cap"
std::string option_of(char const* parameter);
/// For --help: "Of protect and clear: the part of M that admission leaves free, in [0, 1]".
std::string option_help(PolicyParameter const& parameter);
/// For the reference of keys: "of `protect`, `clear`: ..".
std::string key_help(PolicyParameter const& parameter);

} // namespace crx
