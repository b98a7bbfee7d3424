#pragma once

#include "kernels/base/host_device.cuh"
#include "kernels/policies/policy_spec.cuh"

#include <concepts>
#include <type_traits>

namespace crx {

/// How the next of the waiting requests is chosen.
enum class Choice
{
    ranked, ///< least rank_key, ties by a random order or by index: fixed at the start
    queued, ///< first come, first served; cancelled requests go to the end
    drawn,  ///< least working length, drawn afresh among equals
    keyed,  ///< least key, which may change while a request waits
};

/// When a policy cancels.
enum class Cancelling
{
    never,
    on_overflow,       ///< least working length first, drawn among equals, until the round fits
    at_working_length, ///< every request that has generated its working length and is not done
    as_victim_says,    ///< on overflow, those that the policy's `victim` names
};

/// Whom a policy with Cancelling::as_victim_says cancels where memory overflows.
enum class Victim : std::uint8_t
{
    newest,          ///< latest arrival, then largest index, until the round fits
    least_preferred, ///< last in the order of the waiting set, likewise
    all,
};

/// What an active request that has outlived its working length weighs in the admission check.
enum class Outlived
{
    counted,    ///< one more token (docs/model.md#look-ahead-check)
    weightless, ///< nothing; a second cancelling pass follows admission
};

/// What a request must pass to be admitted, and so which engine runs the policy.
enum class Admission
{
    look_ahead, ///< the check of docs/model.md#look-ahead-check
    threshold,  ///< next tokens below a part of M; kernels/engines/requests/threshold_engine.cuh
};

/// What the cohort engines (kernels/engines/cohorts/) need to move requests that the policy cannot
/// tell apart as counts. It depends on the order alone, where all requests have one prompt length.
enum class CohortForm
{
    none,            ///< they cannot run the policy; `cohort_refusal` says why
    shortest_first,  ///< true lengths, shorter ones first
    random_order,    ///< true lengths, one random order
    hidden_lengths,  ///< a random order; working lengths are functions of the interval
    learned_lengths, ///< the lower end at first, learned by cancelling on overflow
};

/// When a policy serves as mc-sf does, but for which of two equal requests goes first.
enum class LikeShortestFirst
{
    never,
    with_one_prompt,                  ///< where all prompts have one length
    with_one_prompt_and_lengths_told, ///< and the interval of each request is its length alone
    always
};

inline constexpr char refuses_cohorts_by_arrival[] =
    "the policy serves by arrival, request by request";

/// What a policy may know of a request.
struct RequestView
{
    Rounds arrival;
    std::int32_t prompt, output, lower, upper;
};

/// A policy of the round model is a small value: constants say how it chooses and cancels, members
/// say with which lengths. docs/contributing.md shows how to add one.
template <class P>
concept Policy =
    std::is_trivially_copyable_v<P> && requires(P const& policy, RequestView const& request) {
        {
            P::kind
        } -> std::convertible_to<PolicyKind>;
        /// As in docs/model.md#policies.
        {
            P::id
        } -> std::convertible_to<char const*>;
        /// One line for --help.
        {
            P::summary
        } -> std::convertible_to<char const*>;
        {
            P::choice
        } -> std::convertible_to<Choice>;
        {
            P::cancelling
        } -> std::convertible_to<Cancelling>;
        {
            P::outlived
        } -> std::convertible_to<Outlived>;
        {
            P::admission
        } -> std::convertible_to<Admission>;
        /// Draws permutation(n) at the start and breaks ties of rank_key by it.
        {
            P::random_order
        } -> std::convertible_to<bool>;
        /// Ranks by rank_key; without it the order is the permutation, or the index.
        {
            P::sorted
        } -> std::convertible_to<bool>;
        /// At least 0, and no less where a field of the request is larger, unless the policy has a
        /// function key_range of its own (below).
        {
            policy.rank_key(request)
        } -> std::same_as<std::int64_t>;
        /// Working length of a request when it first waits.
        {
            policy.first_length(request)
        } -> std::same_as<std::int32_t>;
        /// Working length after a cancellation with g tokens generated; e was the length before.
        {
            policy.next_length(request, std::int32_t{}, std::int32_t{})
        } -> std::same_as<std::int32_t>;
    } && (P::cancelling != Cancelling::at_working_length || requires(P const& policy) {
        {
            policy.most_begins(std::int32_t{})
        } -> std::same_as<std::int64_t>;
    });

/// What most policies share: true lengths, never cancel, a fixed order, no randomness.
struct PolicyDefaults
{
    static constexpr Choice choice = Choice::ranked;
    static constexpr Cancelling cancelling = Cancelling::never;
    static constexpr Outlived outlived = Outlived::counted;
    static constexpr Admission admission = Admission::look_ahead;
    static constexpr bool random_order = false;
    static constexpr bool sorted = true;
    static constexpr bool cancels_all = false;      ///< on overflow, all active requests
    static constexpr bool cancels_newest = false;   ///< on overflow, one by one until it fits
    static constexpr bool knows_lengths = true;     ///< reads `output`; else the interval only
    static constexpr bool plans_with_upper = false; ///< needs s + u <= M
    static constexpr LikeShortestFirst like_shortest_first = LikeShortestFirst::never;
    static constexpr CohortForm cohort_form = CohortForm::none;
    static constexpr char const* cohort_refusal =
        "no cohort engine has been written for the policy";
    CRX_HD std::int64_t rank_key(RequestView const&) const { return 0; }
    CRX_HD std::int32_t next_length(RequestView const&, std::int32_t e, std::int32_t) const
    {
        return e;
    }
};

/// Whether the policy's choices are a function of the requests alone.
template <class P>
inline constexpr bool draws_nothing =
    !P::random_order && P::choice != Choice::drawn &&
    (P::cancelling != Cancelling::on_overflow || P::cancels_all || P::cancels_newest);

/// Whether the policy serves in an order that is fixed at the start, and never cancels.
template <class P>
inline constexpr bool serves_in_order =
    P::admission == Admission::look_ahead && P::choice == Choice::ranked &&
    P::cancelling == Cancelling::never;

/// Least and largest value of rank_key.
struct KeyRange
{
    std::int64_t least, largest;

    /// Whether an engine that keeps keys as non-negative numbers of so many bits can hold them.
    CRX_HD bool fits(int bits) const { return least >= 0 && largest >> bits == 0; }
};

/// Of requests none of whose fields is above that of `largest`. An engine that keeps keys in fewer
/// than 64 bits asks it and refuses what it cannot hold.
template <class P>
CRX_HD KeyRange key_range(P const& policy, RequestView const& largest)
{
    if constexpr (!P::sorted)
        return {0, 0};
    else if constexpr (requires { policy.key_range(largest); })
        return policy.key_range(largest);
    else
        return {0, policy.rank_key(largest)};
}

} // namespace crx
