#pragma once

#include "kernels/cpu/single.hh"
#include "kernels/random/word_stream.cuh"

#include <string_view>

/// The search for instances on which a policy does badly (docs/search.md).
namespace crx::worst {

/// Classes of instances that a search can keep to.
enum class Restriction
{
    none,
    equal_prompts, ///< one s for all
    small,         ///< s + u <= M / 4, so s + o too
    identical,     ///< requests are all alike but for their arrivals
};
inline constexpr std::string_view restriction_names[] = {"any", "equal-prompts", "small",
                                                         "identical"};

/// What policies know of the output lengths.
enum class Told
{
    outputs,   ///< l = u = o
    intervals, ///< any l <= o <= u, request by request
    common,    ///< one [l, u] for all with l / u = alpha
};

/// The instances among which a search looks.
struct InstanceClass
{
    std::int64_t requests = 8; ///< n at most
    Tokens memory = 16;        ///< M at most
    Rounds last_arrival = 0;   ///< 0: all arrive at 0
    Restriction restriction = Restriction::none;
    Told told = Told::outputs;
    std::int32_t alpha_numerator = 1, alpha_denominator = 1; ///< of common, in lowest terms

    /// The least M for which the class has an instance.
    Tokens least_memory() const;
};

/// Makes the instance one of the class by the least change that is simple to say: lengths are cut
/// until they fit, and what must be equal becomes what the first request has. Contract: memory of
/// the class is at least least_memory().
void make_member(InstanceClass const& of, OwnedInstance& instance);

bool is_member(InstanceClass const& of, OwnedInstance const& instance);

/// A starting point of the search: lengths log-uniform, or among two of each.
OwnedInstance random_member(InstanceClass const& of, WordStream& words);

/// A member near this one: one to three of the moves below, then make_member.
///
/// - one prompt, output, end of an interval or arrival: another value, one more or one less, or
///   that of another request;
/// - a prompt that fills memory beside the request's output;
/// - two requests change places, or one goes elsewhere;
/// - a request becomes a copy of another, is left out, or is added;
/// - M is another.
OwnedInstance neighbour(InstanceClass const& of, OwnedInstance const& instance, WordStream& words);

// One request at a time, in all arrays.
void erase_request(OwnedInstance& instance, std::size_t i);
void insert_copy(OwnedInstance& instance, std::size_t at, std::size_t from);
void copy_request(OwnedInstance& instance, std::size_t to, std::size_t from);
void swap_requests(OwnedInstance& instance, std::size_t i, std::size_t j);

} // namespace crx::worst
