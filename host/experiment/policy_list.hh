#pragma once

#include "analysis/sorted_f/sorted_f.hh"
#include "analysis/sorted_f/sorted_lp.hh"
#include "host/experiment/experiment.hh"
#include "host/experiment/expression.hh"
#include "host/experiment/policy_parameters.hh"
#include "host/experiment/program_policy.hh"
#include "kernels/engines/requests/by_key.hh"

#include <memory>
#include <string>

namespace crx {

/// A policy that serves by a key, as an experiment file gives it.
struct ByKeyPlan
{
    Expression key, plans_with;
    OnOverflow on_overflow = OnOverflow::none;
    Ties ties = Ties::arrival;

    /// Whether it reads the prediction interval, and its upper end.
    bool reads_interval() const;
    bool plans_with_upper() const;
    /// Whether it reads true lengths.
    bool knows_lengths() const;
};

/// A policy with its parameters as expressions.
struct PolicyPlan
{
    PolicyEntry entry;
    PolicyKind kind = {};
    bool plans_with_upper = false;
    std::vector<ParameterPlan> parameters;
    std::string where, key; ///< of one that orders requests beforehand, for messages
    /// Of sorted-f, which orders requests beforehand; its kind is then mc_benchmark, the prefix
    /// rule in a given order.
    std::optional<sorted_f::Settings> sorted_f;
    std::optional<sorted_lp::Rule> by_program;    ///< likewise
    std::optional<std::string> own_digest;        ///< of own-order, likewise, and of own-decisions
    std::optional<ByKeyPlan> by_key;              ///< likewise, but not beforehand
    std::shared_ptr<ProgramPolicy const> program; ///< likewise
    bool reads_interval = false;                  ///< plans with it, or is told no true lengths

    bool runs_by_itself() const
    {
        return sorted_f || by_program || own_digest || by_key || program != nullptr;
    }
    /// Whether all requests must be there at 0.
    bool orders_beforehand() const
    {
        return runs_by_itself() && !by_key && program == nullptr && entry.id != "own-decisions";
    }
};

/// WANG's Sorted-F orders requests before the first round, so it is no policy of the engines. Nor
/// are Sorted-LP and LP-Swap (sorted_lp::rule_ids).
inline constexpr char const* sorted_f_id = "sorted-f";
/// Whether a policy of this id runs by itself, on the CPU.
bool runs_by_itself(std::string const& id);

/// Names of its selectors, for messages and help.
std::vector<std::string> selector_ids();

/// Reads all [[policy]]; files that a command names start in `folder`. Throws InputError.
std::vector<PolicyPlan> read_policies(ConfigReader& top, std::filesystem::path const& folder);

/// Refuses a label that is empty or that a spreadsheet would take for a formula.
void check_label(ConfigReader& reader, std::string const& label);

/// Ids of every policy that an experiment or `simulate` can name, for messages and help.
std::vector<std::string> policy_ids();

/// The name of a policy that serves by a key which the user writes (docs/model.md#by-key).
inline constexpr char const* by_key_id = "by-key";

/// Of a [[policy]] table. Throws InputError.
ByKeyPlan read_by_key(ConfigReader& reader);

/// The policy of one cell: names of the file stand for their values there. Throws ConfigError.
std::shared_ptr<ByKey const> plan_by_key(ByKeyPlan const& plan, NameTable& names);

/// The policy of --key, --plans-with and --on-overflow. Throws ConfigError.
std::shared_ptr<ByKey const> by_key_argument(PolicyParameters const& given);

} // namespace crx
