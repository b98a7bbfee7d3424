#pragma once

#include "kernels/base/host_device.cuh"

#include <cstdint>
#include <variant>

namespace crx {

/// Number of a policy. Each policy's header gives its own, as `kind`: it names the policy's random
/// stream (16 + number), so a number once given is for ever. No list of policies stands here: a
/// file that includes this one is not compiled again when a policy is added.
enum class PolicyKind : std::uint8_t;

/// Levels of a-ladder, ascending.
struct LadderLevels
{
    static constexpr int most = 32;
    std::int32_t count = 0;
    std::int32_t level[most] = {};

    bool operator==(LadderLevels const&) const = default;
};

/// What A_min makes of a request that it cancels with g tokens generated (docs/model.md#a-min,
/// `learns`).
enum class Learns : std::uint8_t
{
    reached,  ///< the new working length is at least g
    exceeded, ///< at least g + 1: a request that is not done has that many (CHEN, Observation 1)
};

/// Which active request A_min cancels first where memory overflows (docs/model.md#a-min,
/// `evicts`).
enum class Evicts : std::uint8_t
{
    least_bound,         ///< the one with the least working length e
    least_current_bound, ///< the one whose working length would be least once it is cancelled
};

/// Whom `protect` cancels where memory overflows (docs/model.md#protect, `cancels`).
enum class Cancels : std::uint8_t
{
    all,
    newest, ///< latest arrival, then largest index, until the next tokens fit
};

/// A number in [0, 1] as a fraction in lowest terms.
struct ExactShare
{
    std::int64_t numerator = 0, denominator = 1;

    bool operator==(ExactShare const&) const = default;
};

/// A policy and its parameters, as a value that travels to any processor.
struct PolicySpec
{
    PolicyKind kind = {};       ///< 0: mc-sf
    LadderLevels levels = {};   ///< of a-ladder; empty elsewhere
    ExactShare alpha = {};      ///< of protect and clear: the part of M that admission leaves free
    ExactShare beta = {};       ///< of clear: the chance of each active request to be cancelled
    std::int64_t round_cap = 0; ///< of clear: rounds without a completion; 0: 10 M
    Learns learns = Learns::reached;     ///< of a-min and a-min-evict
    ExactShare watermark = {};           ///< of fcfs: the part of M that admission leaves free
    std::int64_t max_running = 0;        ///< of fcfs: requests that run at a time; 0: any number
    std::int64_t budget = 0;             ///< of fcfs: prompt tokens that enter in a round; 0: any
    Evicts evicts = Evicts::least_bound; ///< of a-min and a-min-evict
    Cancels cancels = Cancels::all;      ///< of protect

    bool operator==(PolicySpec const&) const = default;
};

/// What is said of a parameter of policies.
struct ParameterText
{
    char const* name; ///< as in files and, with hyphens, on the command line
    char const* text; ///< for help, behind the policies that take it
    bool optional = false;
    std::int64_t least = 1, most = 1; ///< of a count
    char const* choices[2] = {};      ///< of a choice: names of its values, the usual one first
    /// Identities of cells leave out an optional parameter that was not given, but for one that
    /// they have always named.
    bool always_in_identity = false;
};

// The table of parameters, one row each: a member of PolicySpec and, by the same name, of every
// policy that takes it. Experiment files, options, help, identities of cells, evidence files and
// tests loop over it (docs/contributing.md#a-parameter-of-a-policy).

/// The member of that name, of a PolicySpec or of a policy that has it.
#define CRX_PARAMETER_MEMBER(NAME)                                                                 \
    static constexpr auto member = &PolicySpec::NAME;                                              \
    template <class Owner>                                                                         \
        requires requires(Owner& owner) { owner.NAME; }                                            \
    CRX_HD static constexpr auto& of(Owner& owner)                                                 \
    {                                                                                              \
        return owner.NAME;                                                                         \
    }

struct LevelsParameter
{
    CRX_PARAMETER_MEMBER(levels)
    static constexpr ParameterText is{
        .name = "levels", .text = "ascending lengths that a request is tried for, one by one"};
};

struct AlphaParameter
{
    CRX_PARAMETER_MEMBER(alpha)
    static constexpr ParameterText is{.name = "alpha",
                                      .text = "the part of M that admission leaves free"};
};

struct BetaParameter
{
    CRX_PARAMETER_MEMBER(beta)
    static constexpr ParameterText is{
        .name = "beta",
        .text = "chance of each active request to be cancelled where memory overflows"};
};

struct RoundCapParameter
{
    CRX_PARAMETER_MEMBER(round_cap)
    static constexpr ParameterText is{
        .name = "round_cap",
        .text = "rounds without a completion that end the run; 10 M where it is left out",
        .optional = true,
        .least = 1,
        .most = 1'000'000'000'000,
        .always_in_identity = true};
};

struct LearnsParameter
{
    CRX_PARAMETER_MEMBER(learns)
    static constexpr ParameterText is{
        .name = "learns",
        .text = "a request cancelled with g tokens has a length of at least g (reached, unless "
                "given) or g + 1 (exceeded)",
        .optional = true,
        .choices = {"reached", "exceeded"}};
};

struct WatermarkParameter
{
    CRX_PARAMETER_MEMBER(watermark)
    static constexpr ParameterText is{
        .name = "watermark",
        .text = "the part of M that admission leaves free while any request runs; 0 unless given",
        .optional = true};
};

struct MaxRunningParameter
{
    CRX_PARAMETER_MEMBER(max_running)
    static constexpr ParameterText is{
        .name = "max_running",
        .text = "the most requests that run at a time; any number where it is left out",
        .optional = true,
        .least = 1,
        .most = 1'000'000'000};
};

struct BudgetParameter
{
    CRX_PARAMETER_MEMBER(budget)
    static constexpr ParameterText is{
        .name = "budget",
        .text = "the most prompt tokens that enter in a round, but for its first request; any "
                "number where it is left out",
        .optional = true,
        .least = 1,
        .most = 1'000'000'000'000};
};

struct EvictsParameter
{
    CRX_PARAMETER_MEMBER(evicts)
    static constexpr ParameterText is{
        .name = "evicts",
        .text = "on overflow the request of least e goes first (least-bound, unless given) or of "
                "least max(e, g), g its tokens (least-current-bound)",
        .optional = true,
        .choices = {"least-bound", "least-current-bound"}};
};

struct CancelsParameter
{
    CRX_PARAMETER_MEMBER(cancels)
    static constexpr ParameterText is{
        .name = "cancels",
        .text = "on overflow all active requests go (all, unless given) or the newest one by one "
                "until the next tokens fit (newest)",
        .optional = true,
        .choices = {"all", "newest"}};
};
#undef CRX_PARAMETER_MEMBER

template <class... Rows>
struct ParameterList
{
};
using PolicyParameterList =
    ParameterList<LevelsParameter, AlphaParameter, BetaParameter, RoundCapParameter,
                  LearnsParameter, WatermarkParameter, MaxRunningParameter, BudgetParameter,
                  EvictsParameter, CancelsParameter>;

/// A row as a value. The type of the member says what kind of value the parameter has: levels, a
/// share, a count or a choice.
struct PolicyParameter : ParameterText
{
    std::variant<LadderLevels PolicySpec::*, ExactShare PolicySpec::*, std::int64_t PolicySpec::*,
                 Learns PolicySpec::*, Evicts PolicySpec::*, Cancels PolicySpec::*>
        member;
};

template <class... Rows>
struct PolicyParameterTable
{
    PolicyParameter row[sizeof...(Rows)];
    constexpr explicit PolicyParameterTable(ParameterList<Rows...>)
        : row{{{Rows::is}, Rows::member}...}
    {
    }
};
inline constexpr PolicyParameterTable policy_parameter_table{PolicyParameterList{}};
inline constexpr auto const& policy_parameters = policy_parameter_table.row;

} // namespace crx
