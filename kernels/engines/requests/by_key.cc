#include "kernels/engines/requests/by_key.hh"

#include "kernels/engines/lists/list_schedule.hh"
#include "kernels/engines/requests/execute.cuh"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace crx {
namespace {

/// What both kinds share. No row of the registry: the CPU alone runs them.
struct KeyedPolicy : PolicyDefaults
{
    static constexpr PolicyKind kind{255}; // no random stream is its own
    static constexpr Cancelling cancelling = Cancelling::as_victim_says;
    /// Rounds without a completion that end a run, in multiples of M.
    static constexpr Rounds idle_cap = 10;

    Victim victim = Victim::newest;

    CRX_HD std::int32_t first_length(RequestView const& r) const { return r.upper; }
    CRX_HD std::int32_t next_length(RequestView const&, std::int32_t e, std::int32_t g) const
    {
        return e > g ? e : g;
    }
};

/// Reads an instance whose `lower` is a rank and whose `upper` is a planned length.
struct RankPolicy : KeyedPolicy
{
    CRX_HD std::int64_t rank_key(RequestView const& r) const { return r.lower; }
};

/// A key, and of equal keys a place in a random order; 0 where none is drawn.
struct KeyAndPlace
{
    ExactNumber key;
    std::int32_t place = 0;

    bool operator<(KeyAndPlace const& other) const
    {
        return key < other.key || (!(other.key < key) && place < other.place);
    }
};

/// Keys that change while a request waits. `upper` is the planned length; as a key may read the
/// interval, what it says of each request is kept beside.
struct ChangingKeyPolicy : KeyedPolicy
{
    static constexpr Choice choice = Choice::keyed;
    static constexpr bool sorted = false;
    using Key = KeyAndPlace;

    KeyExpression const* expression = nullptr;
    std::int32_t const* upper = nullptr; ///< by `lower`, which is an index
    std::int32_t const* lower = nullptr;
    std::int32_t const* place = nullptr; ///< likewise; null: ties are not drawn
    Tokens memory = 0;

    bool keys_change_in_time() const { return expression->reads(KeyField::waited); }
    KeyAndPlace key(RequestView const& r, std::int64_t waited, std::int32_t generated) const
    {
        KeyValues values;
        values[KeyField::prompt] = r.prompt;
        values[KeyField::output] = r.output;
        values[KeyField::lower] = lower[r.lower];
        values[KeyField::upper] = upper[r.lower];
        values[KeyField::arrival] = r.arrival;
        values[KeyField::memory] = memory;
        values[KeyField::waited] = waited;
        values[KeyField::generated] = generated;
        return {expression->value(values), place == nullptr ? 0 : place[r.lower]};
    }
};

Victim victim_of(OnOverflow on_overflow)
{
    switch (on_overflow) {
    case OnOverflow::all: return Victim::all;
    case OnOverflow::greatest_key: return Victim::least_preferred;
    case OnOverflow::none: // none is asked for
    case OnOverflow::newest: break;
    }
    return Victim::newest;
}

/// Memory of a thread, kept from run to run.
std::byte* scratch(std::size_t bytes)
{
    thread_local std::vector<std::byte> block;
    if (block.size() < bytes) block.resize(bytes);
    return block.data();
}

template <class P>
Outcome run_by_engine(P const& policy, Requests const& requests, ScheduleLog const& log)
{
    auto const bytes = RequestEngine<P>::arena_bytes(requests.n);
    Arena arena(scratch(bytes), bytes);
    return execute_requests(policy, requests, 0, 0, arena, log);
}

/// Whether the list schedule runs it: all are there at 0 and planned with their true lengths.
bool is_list(Requests const& r, std::span<std::int32_t const> length, ScheduleLog const& log)
{
    if (r.clock.affine() || log.on_event != nullptr || log.completion != nullptr) return false;
    bool is = true;
    for (std::int64_t i = 0; i < r.n; ++i)
        is &= r.arrival[i] == 0 && length[static_cast<std::size_t>(i)] == r.output[i];
    return is;
}

Outcome run_list(Requests const& requests, RequestId const* order, ScheduleLog const& log)
{
    auto const bytes = list_schedule_bytes(requests.n);
    Arena arena(scratch(bytes), bytes);
    if (log.cancellations != nullptr) std::fill_n(log.cancellations, requests.n, 0);
    auto outcome = schedule_list(requests, order, log.start, arena);
    outcome.first_token_latency = outcome.total_latency; // o - 1 rounds before completion
    for (std::int64_t i = 0; i < requests.n; ++i)
        outcome.first_token_latency -= requests.output[i] - 1;
    return outcome;
}

[[noreturn]] void reject(char const* what, KeyExpression const& expression, std::int64_t request,
                         std::string const& why)
{
    throw std::range_error(std::string(what) + " = \"" + expression.text() + "\", request " +
                           std::to_string(request) + ": " + why);
}

/// The fields of an instance as columns and as values of one request.
class Fields
{
  public:
    Fields(Requests const& requests, KeyExpression const& key, KeyExpression const& plans_with)
        : requests_(requests)
    {
        auto const widened = [&](KeyField field, auto const* from) {
            if (!key.reads(field) && !plans_with.reads(field)) return;
            auto& to = store_[static_cast<int>(field)];
            to.resize(static_cast<std::size_t>(requests.n));
            std::copy_n(from, requests.n, to.data());
            column_[static_cast<int>(field)] = to.data();
        };
        widened(KeyField::prompt, requests.prompt);
        widened(KeyField::output, requests.output);
        widened(KeyField::lower, requests.lower);
        widened(KeyField::upper, requests.upper);
        column_[static_cast<int>(KeyField::arrival)] = requests.arrival;
        if (!key.reads(KeyField::memory) && !plans_with.reads(KeyField::memory)) return;
        auto& memory = store_[static_cast<int>(KeyField::memory)];
        memory.assign(static_cast<std::size_t>(requests.n), requests.memory);
        column_[static_cast<int>(KeyField::memory)] = memory.data();
    }

    /// Of each request, if all are whole; else `fractions` gets them.
    bool evaluate(char const* what, KeyExpression const& expression,
                  std::vector<std::int64_t>& whole, std::vector<ExactNumber>& fractions) const
    {
        whole.resize(static_cast<std::size_t>(requests_.n));
        if (expression.values(column_, requests_.n, whole.data())) return true;
        fractions.resize(whole.size());
        bool all_whole = true;
        for (std::int64_t i = 0; i < requests_.n; ++i) {
            auto const k = static_cast<std::size_t>(i);
            KeyValues values;
            for (int f = 0; f < key_field_count; ++f)
                if (column_[f] != nullptr) values.of[f] = column_[f][i];
            try {
                fractions[k] = expression.value(values);
            } catch (std::range_error const& error) {
                reject(what, expression, i, error.what());
            }
            whole[k] = fractions[k].numerator;
            all_whole = all_whole && fractions[k].denominator == 1;
        }
        return all_whole;
    }

  private:
    Requests const& requests_;
    std::vector<std::int64_t> store_[key_field_count];
    std::int64_t const* column_[key_field_count] = {};
};

/// order: in which equal keys are served: by arrival and index, or drawn from the policy's stream.
void order_ties(Requests const& r, Ties ties, std::uint64_t seed, std::int64_t instance,
                std::vector<RankedRequest>& scratch, std::vector<RequestId>& order)
{
    order.resize(static_cast<std::size_t>(r.n));
    scratch.resize(order.size());
    std::iota(order.begin(), order.end(), RequestId{0});
    if (ties == Ties::drawn) {
        WordStream words(seed, stream_policy + by_key_stream, static_cast<std::uint64_t>(instance));
        shuffle(order.data(), r.n, words);
    } else {
        sort_by_key([&](RequestId id) { return r.arrival[id]; }, r.n, scratch.data(), order.data());
    }
}

} // namespace

Outcome execute_by_ranks(Requests const& requests, std::span<std::int32_t> rank,
                         std::span<std::int32_t> length, OnOverflow on_overflow,
                         ScheduleLog const& log)
{
    if (is_list(requests, length, log)) {
        std::vector<RequestId> order(rank.size());
        for (std::size_t i = 0; i < rank.size(); ++i)
            order[static_cast<std::size_t>(rank[i])] = static_cast<RequestId>(i);
        return run_list(requests, order.data(), log);
    }
    auto ranked = requests;
    ranked.lower = rank.data();
    ranked.upper = length.data();
    RankPolicy policy;
    policy.victim = victim_of(on_overflow);
    return run_by_engine(policy, ranked, log);
}

ByKey::ByKey(KeyExpression key, KeyExpression plans_with, OnOverflow on_overflow, Ties ties)
    : key_(std::move(key)), plans_with_(std::move(plans_with)), on_overflow_(on_overflow),
      ties_(ties)
{
}

Outcome ByKey::run(Requests const& requests, std::uint64_t seed, std::int64_t instance,
                   ScheduleLog const& log) const
{
    Fields const fields(requests, key_, plans_with_);
    thread_local std::vector<std::int64_t> whole;
    thread_local std::vector<ExactNumber> fractions;
    thread_local std::vector<std::int32_t> length, rank, place;
    thread_local std::vector<RequestId> order;
    thread_local std::vector<RankedRequest> scratch;
    auto const n = static_cast<std::size_t>(requests.n);
    length.resize(n);
    rank.resize(n);
    if (!fields.evaluate("plans_with", plans_with_, whole, fractions))
        for (std::size_t i = 0; i < n; ++i)
            if (fractions[i].denominator != 1)
                reject("plans_with", plans_with_, static_cast<std::int64_t>(i),
                       "it comes out as " + std::to_string(fractions[i].numerator) + "/" +
                           std::to_string(fractions[i].denominator) + ", which is not whole");
    for (std::size_t i = 0; i < n; ++i) {
        auto const most = requests.memory - requests.prompt[i];
        auto const least = on_overflow_ == OnOverflow::none ? requests.output[i] : 1;
        if (whole[i] < least || whole[i] > most)
            reject("plans_with", plans_with_, static_cast<std::int64_t>(i),
                   "it comes out as " + std::to_string(whole[i]) + " and must be at least " +
                       (least > 1 ? "the true length, as nothing is cancelled (on_overflow)"
                                  : std::string("1")) +
                       ", at most M - s = " + std::to_string(most));
        length[i] = static_cast<std::int32_t>(whole[i]);
    }
    order_ties(requests, ties_, seed, instance, scratch, order);
    if (key_.reads(KeyField::waited) || key_.reads(KeyField::generated)) {
        std::iota(rank.begin(), rank.end(), 0);
        auto indexed = requests;
        indexed.lower = rank.data();
        indexed.upper = length.data();
        ChangingKeyPolicy policy;
        policy.victim = victim_of(on_overflow_);
        policy.expression = &key_;
        policy.lower = requests.lower;
        policy.upper = requests.upper;
        if (ties_ == Ties::drawn) {
            place.resize(n);
            for (std::size_t k = 0; k < n; ++k) place[order[k]] = static_cast<std::int32_t>(k);
            policy.place = place.data();
        }
        policy.memory = requests.memory;
        try {
            return run_by_engine(policy, indexed, log);
        } catch (std::range_error const& error) {
            throw std::range_error("key = \"" + key_.text() + "\": " + error.what());
        }
    }
    if (fields.evaluate("key", key_, whole, fractions))
        sort_by_key([&](RequestId id) { return whole[id]; }, requests.n, scratch.data(),
                    order.data());
    else
        std::ranges::stable_sort(
            order, [&](RequestId a, RequestId b) { return fractions[a] < fractions[b]; });
    if (is_list(requests, length, log)) return run_list(requests, order.data(), log);
    for (std::size_t k = 0; k < n; ++k) rank[order[k]] = static_cast<std::int32_t>(k);
    return execute_by_ranks(requests, rank, length, on_overflow_, log);
}

std::vector<std::pair<std::string, std::string>> ByKey::identity() const
{
    std::vector<std::pair<std::string, std::string>> names{
        {"id", "by-key"},
        {"key", key_.text()},
        {"plans_with", plans_with_.text()},
        {"on_overflow", on_overflow_ids[static_cast<int>(on_overflow_)]}};
    if (ties_ == Ties::drawn) names.emplace_back("ties", "drawn");
    return names;
}

} // namespace crx
