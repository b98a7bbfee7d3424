#include "kernels/engines/cohorts/a_min_lane.hh"
#include "kernels/engines/cohorts/composition.cuh"
#include "kernels/engines/cohorts/execute_cohort.cuh"
#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/traits.cuh"

#include <array>
#include <memory>
#include <optional>
#include <utility>

// For sources *_simd.cc.

namespace crx {
namespace {

/// Who is admitted in round t, in the columns that are awake: as many as fit all rounds to come, by
/// rising working length (`taken` of the pools).
template <Outlived outlived>
class AMinBatchAdmission
{
  public:
    using Mask = LaneMask<std::int32_t>;

    AMinBatchAdmission(AMinBatchColumns& columns, std::int32_t t, Mask const& awake)
        : c_(columns), t_(t)
    {
        auto const most = places_now(awake);
        if (any(not_zero(most))) take(most);
        c_.started = started_;
        c_.last_length = last_;
        c_.held += started_ * Ints::all(c_.prompt);
        c_.active += started_;
        c_.waiting -= started_;
        c_.admitted += started_;
    }
    Ints const& started() const { return started_; }

  private:
    /// Those for which there is memory now, of one token each.
    Ints places_now(Mask const& awake) const
    {
        auto most = Ints::all(c_.memory);
        if constexpr (outlived == Outlived::counted) most -= c_.held + c_.active;
        auto const waits = awake & not_zero(c_.waiting);
        most = or_zero(waits, larger(most, Ints{}));
        if (c_.prompt > 0)
            most = to_integers(to_numbers(most) /
                               Lanes<float>::all(static_cast<float>(c_.prompt + 1)));
        return most;
    }

    CRX_IN_LANES void take(Ints most)
    {
        auto heads = c_.planned_heads, left = Ints::all(c_.memory) - c_.planned;
        // How many can start as far as the round is concerned in which they have e tokens.
        auto const fit = [&](std::int32_t e) {
            auto const each = Lanes<float>::all(static_cast<float>(c_.prompt + e));
            most = smaller(most, to_integers(to_numbers(left) / each));
            auto const& end = c_.end_at(t_ + e);
            heads -= end.heads;
            left += end.tokens - heads;
        };
        for (std::int32_t e = 1; e < c_.lower; ++e) fit(e);
        for (auto e = c_.lower; e <= c_.upper; ++e) {
            fit(e);
            auto& pool = c_.pool[static_cast<std::size_t>(e)];
            auto const m = pool.taken = smaller(most, pool.waiting);
            most -= m;
            started_ += m;
            last_ = choose(not_zero(m), Ints::all(e), last_);
            if (!any(not_zero(most) & more(c_.waiting, started_))) break;
        }
    }

    AMinBatchColumns& c_;
    std::int32_t t_;
    Ints started_{}, last_{};
};

/// LearnedLengthsEngine (a-min and a-min-evict by cohorts) for several instances side by side, a
/// lane of a register each: the same words, the same integers. All of them go through the rounds
/// together; a lane with nothing to do in a round is passed over. What is done in nearly every
/// round is done for all at once: which are cancelled of those that have just started and of a
/// cohort that has the least working length alone, and which are admitted. The rest is
/// AMinBatchLane's.
template <Outlived outlived>
class AMinBatchEngine
{
  public:
    static constexpr int lanes = Ints::count;

    AMinBatchEngine(WorkloadView const& w, std::int64_t most_cohorts)
        : workload_(w), most_cohorts_(most_cohorts), c_(w)
    {
        bytes_ = alignof(std::max_align_t) +
                 arena_bytes_of([&](Arena& arena) { take_lane(arena, 0, 0, nullptr, 0); });
        lane_[0].reset();
        block_ = std::make_unique_for_overwrite<std::byte[]>(bytes_ * lanes);
        auto const groups = static_cast<std::size_t>(2 * (w.interval.upper + 1));
        space_.group.resize(groups);
        space_.earliest.resize(2 * static_cast<std::size_t>(w.interval.upper) + 2);
        space_.sums.resize(groups / OverflowRule::block + 1);
    }

    /// Instances first, first + 1, ..; counts of each lie one behind the other. Contract: at least
    /// one request.
    void open(std::uint32_t stream, std::int64_t first, int instances, std::int64_t const* counts)
    {
        c_.clear();
        all_freed_.fill(0);
        all_admitted_.fill(0);
        running_ = (1u << instances) - 1;
        of_one_token_ = 0;
        for (int j = 0; j < instances; ++j, counts += workload_.output_value.size()) {
            Arena arena(block_.get() + bytes_ * static_cast<std::size_t>(j), bytes_);
            take_lane(arena, j, stream, counts, static_cast<std::uint64_t>(first + j));
            lane_[j]->open();
            of_one_token_ |= std::uint32_t{lane_[j]->any_of_one_token()} << j;
        }
    }

    void run()
    {
        for (std::int32_t t = 0; running_ != 0; ++t) {
            CRX_ENSURE(t < AMinBatchColumns::never);
            if (t % rounds_between_sums == 0) add_up();
            pass_ends(t);
            auto const live = bits_of(more(Ints::all(t + 1), c_.wake));
            if (live != 0) step(t, live);
            c_.held += c_.active;
        }
        add_up();
    }

    Outcome outcome(int j) const
    {
        auto const at = static_cast<std::size_t>(j);
        return lane_[at]->outcome(all_admitted_[at], all_freed_[at]);
    }

  private:
    using Mask = LaneMask<std::int32_t>;

    /// Rounds in which what is freed or admitted fits 32 bits.
    static constexpr std::int32_t rounds_between_sums = 32;

    template <class F>
    static void each(std::uint32_t bits, F f)
    {
        for (; bits != 0; bits &= bits - 1) f(lowest_bit(std::uint64_t{bits}));
    }

    void take_lane(Arena& arena, int j, std::uint32_t stream, std::int64_t const* counts,
                   std::uint64_t instance)
    {
        auto const composition = take_composition(arena, workload_, counts);
        lane_[static_cast<std::size_t>(j)].emplace(workload_, composition, stream, instance, j, c_,
                                                   space_, arena, most_cohorts_);
    }
    AMinBatchLane& lane(int j) { return *lane_[static_cast<std::size_t>(j)]; }

    void add_up()
    {
        for (int j = 0; j < lanes; ++j) {
            all_freed_[static_cast<std::size_t>(j)] += c_.freed[j];
            all_admitted_[static_cast<std::size_t>(j)] += c_.admitted[j];
        }
        c_.freed = c_.admitted = Ints{};
    }

    void step(std::int32_t t, std::uint32_t live)
    {
        auto const awake = Mask::of(live);
        c_.events += or_zero(awake, Ints::all(1));
        c_.peak = choose(awake, larger(c_.peak, c_.held), c_.peak);
        std::uint32_t ended = 0;
        auto& stopping = c_.stopping_at(t);
        if (stopping != 0) {
            std::uint32_t some = 0;
            each(std::exchange(stopping, 0),
                 [&](int j) { some |= std::uint32_t{lane(j).any_stopping(t)} << j; });
            enter(some, t, t - 1);
            each(some, [&](int j) {
                lane(j).complete(t);
                ended |= std::uint32_t{lane(j).done()} << j;
            });
        }
        settle_started(t, t - 1, awake);
        cancel_on_overflow(t, awake);
        draw_unknown(AMinBatchAdmission<outlived>(c_, t, awake).started());
        std::uint32_t cancelled = 0; // after that: there may be room again
        if constexpr (outlived == Outlived::weightless) {
            cancelled = bits_of(overflowing(awake));
            settle_started(t, t, awake);
            cancel_on_overflow(t, awake);
        }
        if (ended != 0) close(ended);
        auto const again = more(c_.held + 2 * c_.active, Ints::all(c_.memory));
        auto const quiet = live & ~(ended | cancelled | bits_of(again));
        enter((of_one_token_ & live) | quiet, t, t);
        each(quiet, [&](int j) { c_.wake[j] = lane(j).template next_event<outlived>(t); });
    }

    /// Who was planned to hold memory until round t is planned for no more.
    void pass_ends(std::int32_t t)
    {
        auto& end = c_.end_at(t);
        c_.planned_heads -= end.heads;
        c_.planned += c_.planned_heads - end.tokens;
        end.heads = end.tokens = Ints{};
    }

    void close(std::uint32_t ended)
    {
        running_ &= ~ended;
        each(ended, [&](int j) { c_.wake[j] = AMinBatchColumns::never; });
    }

    /// Those that started last, in round `start`. Where memory overflows they are the first to go
    /// if no other request has as short a working length, as a rule all of them; and then they are
    /// where they were, since one round outlives no working length. All others are entered.
    void settle_started(std::int32_t t, std::int32_t start, Mask const& awake)
    {
        auto const fresh = awake & not_zero(c_.started);
        if (!any(fresh)) return;
        auto const excess = c_.held + c_.active - Ints::all(c_.memory);
        auto const over = fresh & more(excess, Ints{});
        auto const held = c_.prompt + (t - start); // by each of them
        auto const each_holds = Ints::all(held + 1);
        auto const shortest = more(c_.front_length, c_.last_length);
        auto const all = over & shortest & more(excess + 1, c_.started * each_holds);
        auto go = or_zero(all, c_.started);
        auto const some = without(over, all);
        if (any(some)) go += take_back(some, excess, each_holds);
        auto const tokens = go * Ints::all(held);
        c_.held -= tokens;
        c_.active -= go;
        c_.waiting += go;
        c_.freed += tokens;
        c_.started -= go;
        enter(bits_of(fresh), t, start);
    }
    /// Takes as many of those in `taken` back as hold the excess, by rising working length, as far
    /// as it is below that of all others and nothing is random; returns how many.
    Ints take_back(Mask const& some, Ints const& excess, Ints const& each_holds)
    {
        auto wanted = or_zero(some, smaller(quotient_up(excess, each_holds), c_.started));
        Ints back{};
        for (auto e = c_.lower; any(not_zero(wanted)); ++e) {
            wanted = or_zero(more(c_.front_length, Ints::all(e)), wanted);
            auto& taken = c_.pool[static_cast<std::size_t>(e)].taken;
            auto m = smaller(wanted, taken);
            if (e == c_.lower) {
                auto const both = not_zero(c_.started_unknown) & more(taken, c_.started_unknown);
                auto const drawn = both & more(taken * each_holds, excess);
                wanted = choose(drawn, Ints{}, wanted);
                m = choose(drawn, Ints{}, m);
                // What is left is of one kind.
                c_.started_unknown = larger(c_.started_unknown - m, Ints{});
            }
            taken -= m;
            wanted -= m;
            back += m;
        }
        return back;
    }

    /// Enters those of these lanes that started last, in round `start`, among all others.
    void enter(std::uint32_t bits, std::int32_t t, std::int32_t start)
    {
        bits &= bits_of(not_zero(c_.started));
        if (bits != 0) enter_started(bits, t, start);
    }
    [[gnu::noinline]] void enter_started(std::uint32_t bits, std::int32_t t, std::int32_t start)
    {
        auto left = or_zero(Mask::of(bits), c_.started);
        each(bits, [&](int j) { lane(j).put_back(); });
        for (auto e = c_.lower;; ++e) {
            auto& pool = c_.pool[static_cast<std::size_t>(e)];
            auto const some = not_zero(left); // elsewhere `taken` means nothing
            auto const m = or_zero(some, pool.taken);
            pool.waiting -= m;
            left -= m;
            if (start + e > t) {
                auto& end = c_.end_at(start + e);
                end.heads += m;
                end.tokens += m * Ints::all(c_.prompt + e);
                c_.planned_heads += m;
                c_.planned += m * Ints::all(c_.prompt + (t - start) + 1);
            }
            each(bits_of(not_zero(m)), [&](int j) { lane(j).enter(start, e, m[j]); });
            if (!any(not_zero(left))) break;
        }
        c_.started = or_zero(Mask::of(~bits), c_.started);
        each(bits, [&](int j) { lane(j).look_at_front(); });
    }

    /// The least q with q b >= a, where 0 < b and 0 < a < 2^24; elsewhere anything.
    static Ints quotient_up(Ints const& a, Ints const& b)
    {
        return to_integers(rounded_up(to_numbers(a) / to_numbers(b)));
    }

    /// Where more memory would be held at the end of the round than there is.
    Mask overflowing(Mask const& awake) const
    {
        return (awake & more(c_.held + c_.active, Ints::all(c_.memory)));
    }
    void cancel_on_overflow(std::int32_t t, Mask const& awake)
    {
        for (;;) {
            auto const over = overflowing(awake);
            if (!any(over)) return;
            auto const shared = over & not_zero(c_.front_many);
            auto const one = without(over, shared);
            cancel_of_one(t, one);
            auto const many = bits_of(shared);
            if (many == 0) continue;
            each(many, [&](int j) { lane(j).gather(t); });
            each(many, [&](int j) { lane(j).draw(); });
            each(many, [&](int j) { lane(j).cancel_drawn(t); });
        }
    }
    /// Cancels as many of the first cohort as it takes, or all of it, where it has the least length
    /// alone.
    void cancel_of_one(std::int32_t t, Mask const& one)
    {
        auto const excess = c_.held + c_.active - Ints::all(c_.memory);
        auto const age = Ints::all(t) - c_.front_start;
        auto const tokens = age + c_.prompt;
        auto const m = or_zero(one, smaller(c_.front_count, quotient_up(excess, tokens + 1)));
        auto const length = larger(c_.front_length, age);
        add_to_rows<2>(one, &c_.pool.front().waiting, length, m);
        auto const unknown =
            one & more(Ints::all(c_.lower + 1), length) & more(Ints::all(1), c_.waiting_queue);
        c_.unknown += or_zero(unknown, m);
        c_.waiting += m;
        auto const freed = m * tokens;
        c_.freed += freed;
        c_.held -= freed;
        c_.active -= m;
        auto const early = one & more(c_.front_length, age);
        if (any(early)) plan_less(early, m, tokens);
        c_.front_count -= m;
        auto const gone = one & more(Ints::all(1), c_.front_count);
        if (any(gone)) next_fronts(bits_of(gone));
    }
    /// The first cohorts of these lanes have lost everybody. Not through the columns' memory: rows
    /// are looked at right after that, and would wait for what was written lane by lane.
    void next_fronts(std::uint32_t gone)
    {
        auto start = c_.front_start, count = c_.front_count, length = c_.front_length;
        auto next_class = c_.waiting_queue, many = c_.front_many;
        each(gone, [&](int j) {
            auto const front = lane(j).remove_front();
            auto const here = 1u << j;
            start = put(start, here, front.start);
            count = put(count, here, front.count);
            length = put(length, here, front.length);
            next_class = put(next_class, here, front.next_class);
            many = put(many, here, front.many);
        });
        c_.front_start = start;
        c_.front_count = count;
        c_.front_length = length;
        c_.waiting_queue = next_class;
        c_.front_many = many;
    }

    /// So many of the first cohort go that hold so many tokens each. Contract: it is planned for.
    void plan_less(Mask const& mask, Ints const& m, Ints const& tokens)
    {
        auto const gone = or_zero(mask, m);
        auto const at = (c_.front_start + c_.front_length) & Ints::all(c_.rounds - 1);
        auto const at_end = gone * (c_.front_length + Ints::all(c_.prompt));
        add_to_rows<sizeof(AMinBatchColumns::End) / sizeof(Ints)>(mask, &c_.end.front().heads, at,
                                                                  -gone);
        add_to_rows<sizeof(AMinBatchColumns::End) / sizeof(Ints)>(mask, &c_.end.front().tokens, at,
                                                                  -at_end);
        c_.planned_heads -= gone;
        c_.planned -= gone * (tokens + 1);
    }

    /// Of those that start with the least working length, how many are of which nothing is known.
    void draw_unknown(Ints const& started)
    {
        auto const& pool = c_.pool[static_cast<std::size_t>(c_.lower)];
        auto const m = or_zero(not_zero(started), pool.taken);
        auto const some = not_zero(m) & not_zero(c_.unknown);
        c_.started_unknown = or_zero(some, m);
        each(bits_of(some & more(pool.waiting, c_.unknown)),
             [&](int j) { lane(j).draw_unknown(m[j]); });
    }

    WorkloadView workload_;
    std::int64_t most_cohorts_;
    AMinBatchColumns c_;
    LaneSpace space_;
    std::array<std::optional<AMinBatchLane>, lanes> lane_;
    std::size_t bytes_ = 0; ///< of the block, for each lane
    std::unique_ptr<std::byte[]> block_;
    std::uint32_t running_ = 0;      ///< a bit for each that is not done
    std::uint32_t of_one_token_ = 0; ///< and for each with outputs of one token
    std::array<std::int64_t, lanes> all_freed_{}, all_admitted_{};
};

/// a_min_batch() with the vectors of this instruction set.
template <Outlived outlived>
class AMinBatchOf final : public InstanceBatch
{
  public:
    explicit AMinBatchOf(WorkloadView const& w, std::int64_t most_cohorts)
        : InstanceBatch(Engine::lanes), workload_(w), engine_(w, most_cohorts)
    {
    }

    void execute(std::int64_t first, int instances, std::int64_t const* counts) override
    {
        engine_.open(stream_policy + static_cast<std::uint32_t>(kind), first, instances, counts);
        engine_.run();
        for (int j = 0; j < instances; ++j, counts += workload_.output_value.size())
            keep(j, engine_.outcome(j), workload_, counts);
    }

  private:
    using Engine = AMinBatchEngine<outlived>;
    static constexpr auto kind =
        outlived == Outlived::counted ? MinLength::kind : MinLengthEvict::kind;

    WorkloadView workload_;
    Engine engine_;
};

} // namespace

InstanceBatch* CRX_SIMD_LEVEL::make_a_min_batch(PolicyKind kind, WorkloadView const& w,
                                                std::int64_t most_cohorts)
{
    if (kind == MinLength::kind) return new AMinBatchOf<Outlived::counted>(w, most_cohorts);
    return new AMinBatchOf<Outlived::weightless>(w, most_cohorts);
}

} // namespace crx
