#include "oracle/sorted_f.hh"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "oracle/words.hh"

namespace oracle {
namespace {

using Indices = std::vector<std::size_t>;

struct Waiting
{
    std::vector<Request> const& requests;
    Indices left; ///< ascending
    std::int64_t memory;

    std::int64_t output(std::size_t i) const { return requests[i].output; }
    std::int64_t size(std::size_t i) const { return requests[i].prompt + requests[i].output; }
};

/// A set of waiting requests: F = outputs / count^2, and the size its selector counts.
struct Candidate
{
    std::int64_t outputs = 0, count = 0, size = 0;
    Indices members;
};

/// (F, larger count, smaller size)
bool better(Candidate const& a, Candidate const& b)
{
    std::int64_t const left = a.outputs * b.count * b.count;
    std::int64_t const right = b.outputs * a.count * a.count;
    if (left != right) return left < right;
    if (a.count != b.count) return a.count > b.count;
    return a.size < b.size;
}

/// Set number `mask`: bit b is the b-th of those that wait.
Indices members_of(Waiting const& waiting, std::uint64_t mask)
{
    Indices members;
    for (std::size_t b = 0; b < waiting.left.size(); ++b)
        if ((mask >> b & 1) != 0) members.push_back(waiting.left[b]);
    return members;
}

std::int64_t true_size(Waiting const& waiting, Indices const& members)
{
    std::int64_t sum = 0;
    for (std::size_t i : members) sum += waiting.size(i);
    return sum;
}

/// Whether memory holds the set if all of it starts in one round: at every time after that.
bool fits_together(Waiting const& waiting, Indices const& members)
{
    std::int64_t last = 0;
    for (std::size_t i : members) last = std::max(last, waiting.output(i));
    for (std::int64_t time = 1; time <= last; ++time) {
        std::int64_t held = 0;
        for (std::size_t i : members)
            if (waiting.output(i) >= time) held += waiting.requests[i].prompt + time;
        if (held > waiting.memory) return false;
    }
    return true;
}

/// Of equal sets Algorithm 2's table keeps the one whose last member comes first, and so on
/// backwards: the one with the least number. So the first of the best is taken.
Indices choose_exact(Waiting const& waiting, bool together)
{
    Candidate best;
    for (std::uint64_t mask = 1; mask < std::uint64_t{1} << waiting.left.size(); ++mask) {
        Candidate set;
        set.members = members_of(waiting, mask);
        set.count = static_cast<std::int64_t>(set.members.size());
        set.size = true_size(waiting, set.members);
        for (std::size_t i : set.members) set.outputs += waiting.output(i);
        bool const fits =
            together ? fits_together(waiting, set.members) : set.size <= waiting.memory;
        if (fits && (best.count == 0 || better(set, best))) best = set;
    }
    return best.members;
}

/// Sizes rounded down to whole cells of memory; of each (count, rounded size) the first set of
/// least outputs; of those the first by (F, larger count, smaller rounded size) that truly fits.
Indices choose_scaled(Waiting const& waiting, std::int64_t cells)
{
    bool const coarse = cells < waiting.memory;
    std::int64_t const top = coarse ? cells : waiting.memory;
    std::map<std::pair<std::int64_t, std::int64_t>, Candidate> states;
    for (std::uint64_t mask = 1; mask < std::uint64_t{1} << waiting.left.size(); ++mask) {
        Candidate set;
        set.members = members_of(waiting, mask);
        set.count = static_cast<std::int64_t>(set.members.size());
        for (std::size_t i : set.members) {
            set.outputs += waiting.output(i);
            set.size += coarse ? waiting.size(i) * cells / waiting.memory : waiting.size(i);
        }
        if (set.size > top) continue;
        Candidate& state = states[{set.count, set.size}];
        if (state.count == 0 || set.outputs < state.outputs) state = set;
    }
    Candidate best;
    for (auto const& [key, state] : states)
        if (true_size(waiting, state.members) <= waiting.memory)
            if (best.count == 0 || better(state, best)) best = state;
    return best.members;
}

Indices choose_swap(Waiting const& waiting)
{
    Indices by_size = waiting.left;
    std::stable_sort(by_size.begin(), by_size.end(), [&](std::size_t a, std::size_t b) {
        return waiting.size(a) < waiting.size(b);
    });
    std::vector<bool> inside(waiting.requests.size());
    std::int64_t held = 0;
    for (std::size_t i : by_size)
        if (held + waiting.size(i) <= waiting.memory) {
            inside[i] = true;
            held += waiting.size(i);
        }
    for (bool again = true; again;) {
        again = false;
        for (std::size_t out : by_size)
            for (std::size_t in : by_size)
                if (!again && inside[out] && !inside[in] &&
                    held - waiting.size(out) + waiting.size(in) <= waiting.memory &&
                    waiting.output(in) < waiting.output(out)) {
                    held += waiting.size(in) - waiting.size(out);
                    inside[out] = false;
                    inside[in] = true;
                    again = true;
                }
    }
    Indices members;
    for (std::size_t i : waiting.left)
        if (inside[i]) members.push_back(i);
    return members;
}

/// The ceil(0.3 len)-th smallest.
std::int64_t three_tenths(std::vector<std::int64_t> values)
{
    std::sort(values.begin(), values.end());
    std::size_t rank = 1;
    while (10 * rank < 3 * values.size()) ++rank;
    return values[rank - 1];
}

Indices choose_quantile(Waiting const& waiting, WordStream& words)
{
    Indices shuffled = waiting.left;
    std::size_t const n = shuffled.size(), drawn = n < 2 ? 1 : n / 2;
    for (std::size_t k = 0; k < drawn; ++k)
        std::swap(shuffled[k], shuffled[k + words.bounded(n - k)]);
    std::vector<std::int64_t> sizes, outputs;
    for (std::size_t k = 0; k < drawn; ++k) {
        sizes.push_back(waiting.size(shuffled[k]));
        outputs.push_back(waiting.output(shuffled[k]));
    }
    std::int64_t const most_size = three_tenths(sizes), most_output = three_tenths(outputs);

    std::vector<bool> inside(waiting.requests.size());
    std::int64_t held = 0;
    auto const take = [&](std::size_t i) {
        if (inside[i] || held + waiting.size(i) > waiting.memory) return;
        inside[i] = true;
        held += waiting.size(i);
    };
    Indices order = waiting.left;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return waiting.output(a) < waiting.output(b);
    });
    for (std::size_t i : order)
        if (waiting.size(i) <= most_size && waiting.output(i) <= most_output) take(i);
    order = waiting.left;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return static_cast<__int128>(waiting.output(a)) * waiting.size(b) <
               static_cast<__int128>(waiting.output(b)) * waiting.size(a);
    });
    for (std::size_t i : order) take(i);
    Indices members;
    for (std::size_t i : waiting.left)
        if (inside[i]) members.push_back(i);
    return members;
}

} // namespace

std::vector<Indices> sorted_f_batches(SortedF const& policy, std::vector<Request> const& requests,
                                      std::int64_t memory, std::uint64_t seed,
                                      std::uint64_t instance)
{
    WordStream words(seed, instance, 80);
    Waiting waiting{requests, {}, memory};
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (requests[i].arrival != 0) throw std::invalid_argument("sorted-f: an arrival after 0");
        waiting.left.push_back(i);
    }
    std::vector<Indices> batches;
    while (!waiting.left.empty()) {
        Indices batch;
        if (policy.selector == "exact")
            batch = choose_exact(waiting, false);
        else if (policy.selector == "exact-together")
            batch = choose_exact(waiting, true);
        else if (policy.selector == "scaled")
            batch = choose_scaled(waiting, policy.cells);
        else if (policy.selector == "swap")
            batch = choose_swap(waiting);
        else if (policy.selector == "quantile")
            batch = choose_quantile(waiting, words);
        if (batch.empty()) throw std::invalid_argument("sorted-f: nothing chosen");
        Indices left;
        for (std::size_t i : waiting.left)
            if (std::find(batch.begin(), batch.end(), i) == batch.end()) left.push_back(i);
        waiting.left = left;
        std::stable_sort(batch.begin(), batch.end(), [&](std::size_t a, std::size_t b) {
            return requests[a].output < requests[b].output;
        });
        batches.push_back(batch);
    }
    return batches;
}

Schedule simulate_sorted_f(SortedF const& policy, std::vector<Request> const& requests,
                           std::int64_t memory, std::uint64_t seed, std::uint64_t instance,
                           Clock const& clock)
{
    Indices order;
    for (Indices const& batch : sorted_f_batches(policy, requests, memory, seed, instance))
        order.insert(order.end(), batch.begin(), batch.end());
    std::vector<Request> in_order;
    for (std::size_t i : order) in_order.push_back(requests[i]);
    Schedule schedule = simulate({"mc-benchmark"}, in_order, memory, seed, instance, clock);
    Schedule const served = schedule;
    for (std::size_t place = 0; place < order.size(); ++place) {
        schedule.start[order[place]] = served.start[place];
        schedule.completion[order[place]] = served.completion[place];
    }
    return schedule;
}

} // namespace oracle
