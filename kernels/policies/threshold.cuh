#pragma once

#include "kernels/policies/traits.cuh"

namespace crx {

/// floor((1 - alpha) M): what admission may fill.
CRX_HD inline Tokens threshold_of(ExactShare const& alpha, Tokens memory)
{
    return memory * (alpha.denominator - alpha.numerator) / alpha.denominator;
}

/// Alpha-protection: admits in order of arrival while the next token of all fits below (1 - alpha)
/// M, looks no further, and cancels all when memory overflows, or the newest. Source: JAILLET
/// section 5.2, after the scheduler of vLLM; docs/model.md#protect.
struct Protect : PolicyDefaults
{
    static constexpr PolicyKind kind{9};
    static constexpr char const* id = "protect";
    static constexpr char const* summary = "fills (1 - alpha) M in order of arrival, cancels all";
    static constexpr char const* cohort_refusal = refuses_cohorts_by_arrival;
    static constexpr Admission admission = Admission::threshold;
    static constexpr Cancelling cancelling = Cancelling::on_overflow;
    static constexpr bool cancels_all = true; ///< unless `cancels` says otherwise

    ExactShare alpha;
    Cancels cancels = Cancels::all;

    CRX_HD std::int64_t rank_key(RequestView const& r) const { return r.arrival; }
    CRX_HD std::int32_t first_length(RequestView const& r) const { return r.output; }
    CRX_HD Tokens threshold(Tokens memory) const { return threshold_of(alpha, memory); }
    template <class Words>
    CRX_HD bool cancels_this(Words&) const
    {
        return true;
    }
    /// It ends by its own repetition.
    CRX_HD bool gives_up_after(Rounds, Tokens) const { return false; }
};
static_assert(Policy<Protect>);

/// Alpha-protection, beta-clearing: as above, but each active request is cancelled with probability
/// beta, once; where that is not enough the round passes without a token. Source: as above.
struct Clear : PolicyDefaults
{
    static constexpr PolicyKind kind{10};
    static constexpr char const* id = "clear";
    static constexpr char const* summary = "as protect, cancels each with probability beta";
    static constexpr char const* cohort_refusal = refuses_cohorts_by_arrival;
    static constexpr Admission admission = Admission::threshold;
    static constexpr Cancelling cancelling = Cancelling::on_overflow;
    /// No healthy run is as long as this many times M without a completion: alone, no request takes
    /// longer than M.
    static constexpr Rounds usual_cap = 10;

    ExactShare alpha, beta;
    Rounds round_cap = 0; ///< rounds without a completion; 0: usual_cap times M

    CRX_HD std::int64_t rank_key(RequestView const& r) const { return r.arrival; }
    CRX_HD std::int32_t first_length(RequestView const& r) const { return r.output; }
    CRX_HD Tokens threshold(Tokens memory) const { return threshold_of(alpha, memory); }
    template <class Words>
    CRX_HD bool cancels_this(Words& words) const
    {
        return words.bounded(static_cast<std::uint64_t>(beta.denominator)) <
               static_cast<std::uint64_t>(beta.numerator);
    }
    CRX_HD bool gives_up_after(Rounds rounds, Tokens memory) const
    {
        return rounds > (round_cap > 0 ? round_cap : usual_cap * memory);
    }
};
static_assert(Policy<Clear>);

/// First come, first served, as serving engines do it: admits in order of arrival while the next
/// token of all fits below a watermark, so many requests and prompt tokens a round at most, looks
/// no further, and cancels the newest when memory overflows; a cancelled request keeps its place.
/// docs/model.md#fcfs.
struct Fcfs : PolicyDefaults
{
    static constexpr PolicyKind kind{11};
    static constexpr char const* id = "fcfs";
    static constexpr char const* summary = "as engines: in order of arrival, cancels the newest";
    static constexpr char const* cohort_refusal = refuses_cohorts_by_arrival;
    static constexpr Admission admission = Admission::threshold;
    static constexpr Cancelling cancelling = Cancelling::on_overflow;
    static constexpr bool cancels_newest = true;

    ExactShare watermark;
    std::int64_t max_running = 0, budget = 0; ///< 0: any number

    CRX_HD std::int64_t rank_key(RequestView const& r) const { return r.arrival; }
    CRX_HD std::int32_t first_length(RequestView const& r) const { return r.output; }
    CRX_HD Tokens threshold(Tokens memory) const { return threshold_of(watermark, memory); }
    template <class Words>
    CRX_HD bool cancels_this(Words&) const
    {
        return false; // the engine cancels the newest
    }
    /// The oldest is never cancelled, so it ends.
    CRX_HD bool gives_up_after(Rounds, Tokens) const { return false; }
};
static_assert(Policy<Fcfs>);

} // namespace crx
