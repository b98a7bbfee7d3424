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
};

/// When a policy cancels.
enum class Cancelling
{
    never,
    on_overflow,       ///< least working length first, drawn among equals, until the round fits
    at_working_length, ///< every request that has generated its working length and is not done
};

/// What an active request that has outlived its working length weighs in the admission check.
enum class Outlived
{
    counted,    ///< one more token (SPEC section 3)
    weightless, ///< nothing; a second cancelling pass follows admission
};

/// What a request must pass to be admitted, and so which engine runs the policy.
enum class Admission
{
    look_ahead, ///< the check of SPEC section 3
    threshold,  ///< next tokens below a part of M; kernels/engines/requests/threshold_engine.cuh
};

/// What a policy may know of a request.
struct RequestView
{
    Rounds arrival;
    std::int32_t prompt, output, lower, upper;
};

/// A policy of the round model is a small value: constants say how it chooses and cancels, members
/// say with which lengths. docs/adding.md shows how to add one.
template <class P>
concept Policy = std::is_trivially_copyable_v<P> &&
    requires(P const& policy, RequestView const& request)
{
    {
        P::kind
        } -> std::convertible_to<PolicyKind>;
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
};

/// What most policies share: never cancel, a fixed order, no randomness.
struct PolicyDefaults
{
    static constexpr Choice choice = Choice::ranked;
    static constexpr Cancelling cancelling = Cancelling::never;
    static constexpr Outlived outlived = Outlived::counted;
    static constexpr Admission admission = Admission::look_ahead;
    static constexpr bool random_order = false;
    static constexpr bool sorted = true;
    CRX_HD std::int64_t rank_key(RequestView const&) const { return 0; }
    CRX_HD std::int32_t next_length(RequestView const&, std::int32_t e, std::int32_t) const
    {
        return e;
    }
};

} // namespace crx
