#include "bench/speed/round_loop.hh"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <utility>

// One body, compiled for each level of x86-64, everything it calls included.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define ROUND_LOOP_CLONES                                                                          \
    __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4"), flatten))
#else
#define ROUND_LOOP_CLONES
#endif

namespace round_loop {
namespace {

/// Requests of one prompt and one interval.
template <Check check>
class Simulator
{
  public:
    explicit Simulator(Instance const& instance) : in_(instance) {}

    /// Total latency if each request is planned with its true output (h-sf: output ascending).
    std::int64_t true_lengths()
    {
        return run([this](std::size_t i) { return in_.output[i]; });
    }
    /// Total latency if each is planned with u (a-max: output in random order).
    std::int64_t upper_lengths()
    {
        return run([this](std::size_t) { return in_.upper; });
    }
    /// Total latency if each is first tried for l tokens (a-ell: output in random order).
    std::int64_t promote_lower()
    {
        return run([this](std::size_t i) { return i < in_.output.size() ? in_.lower : in_.upper; });
    }

  private:
    template <class Plan>
    std::int64_t run(Plan plan)
    {
        auto const n = in_.output.size();
        auto queue = in_.output; // cancelled requests are appended
        auto const span = static_cast<std::size_t>(in_.upper) + 1;
        std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> ends(span); // (o, planned)
        usage_.assign(1 << 16, 0);
        std::int64_t total = 0;
        std::size_t head = 0, done = 0;
        for (std::int32_t t = 0; done < n; ++t) {
            auto& ending = ends[static_cast<std::size_t>(t) % span];
            for (auto const& [o, e] : ending) {
                if (o > e) { // not done at its planned length: back to the queue
                    queue.push_back(o);
                    continue;
                }
                for (auto j = o + 1; j <= e; ++j) usage_[place(t - o + j)] -= in_.prompt + j;
                total += t;
                ++done;
            }
            ending.clear();
            if (place(t + in_.upper + 1) >= usage_.size()) usage_.resize(2 * usage_.size(), 0);
            for (; head < queue.size(); ++head) {
                auto const e = plan(head);
                if (!fits(t, e)) break;
                for (std::int32_t j = 1; j <= e; ++j) usage_[place(t + j)] += in_.prompt + j;
                auto const o = queue[head];
                ends[static_cast<std::size_t>(t + (o < e ? o : e)) % span].emplace_back(o, e);
            }
        }
        return total;
    }

    static std::size_t place(std::int32_t t) { return static_cast<std::size_t>(t); }

    bool fits(std::int32_t t, std::int32_t e) const
    {
        auto const* const usage = usage_.data() + t;
        auto const room = in_.memory - in_.prompt;
        if constexpr (check == Check::early_exit) {
            for (std::int32_t j = 1; j <= e; ++j)
                if (usage[j] + j > room) return false;
            return true;
        } else {
            std::int32_t most = 0;
            for (std::int32_t j = 1; j <= e; ++j) most = usage[j] + j > most ? usage[j] + j : most;
            return most <= room;
        }
    }

    Instance const& in_;
    std::vector<std::int32_t> usage_; ///< projected memory at each time
};

/// Projected memory at each future time, grown as time goes on.
template <class Number, Check check>
class Usage
{
  public:
    explicit Usage(std::int32_t longest) : longest_(static_cast<std::size_t>(longest)) {}

    /// Makes room for requests that start in round t.
    void reach(std::size_t t)
    {
        if (t + longest_ + 2 > at_.size()) at_.resize(2 * at_.size() + longest_ + 1024, 0);
    }
    void add(std::size_t t, Number s, Number e)
    {
        auto* const from = at_.data() + t;
        for (Number j = 1; j <= e; ++j) from[j] += s + j;
    }
    /// A request that has generated g of e tokens by time t leaves.
    void remove(std::size_t t, Number s, Number g, Number e)
    {
        auto* const from = at_.data() + t - g;
        for (Number j = g + 1; j <= e; ++j) from[j] -= s + j;
    }
    Number at(std::size_t t) const { return at_[t]; }

    bool fits(std::size_t t, Number s, Number e, Number memory) const
    {
        auto const* const from = at_.data() + t;
        auto const room = memory - s;
        if constexpr (check == Check::early_exit) {
            for (Number j = 1; j <= e; ++j)
                if (from[j] + j > room) return false;
            return true;
        } else {
            Number most = 0;
            for (Number j = 1; j <= e; ++j) most = from[j] + j > most ? from[j] + j : most;
            return most <= room;
        }
    }

  private:
    std::size_t longest_;
    std::vector<Number> at_;
};

/// mc-sf: total latency of requests given by output ascending. Nothing is cancelled, so a
/// completion is known at the start and needs no list of what runs.
template <Check check>
std::int64_t shortest_first(Varied const& in)
{
    Usage<std::int32_t, check> usage(in.output.empty() ? 0 : in.output.back());
    std::int64_t total = 0;
    auto const n = in.output.size();
    std::size_t head = 0;
    for (std::size_t t = 0; head < n; ++t) {
        usage.reach(t);
        for (; head < n; ++head) {
            auto const s = in.prompt[head], o = in.output[head];
            if (!usage.fits(t, s, o, in.memory)) break;
            usage.add(t, s, o);
            total += static_cast<std::int64_t>(t) + o;
        }
    }
    return total;
}

/// a-min, round by round: sets of equal working length as vectors from which a random member is
/// taken in constant time, sums of memory kept up to date, projected memory by future round.
template <Check check>
class MinLength
{
  public:
    struct Result
    {
        std::int64_t total = 0, cancellations = 0;
    };

    MinLength(Varied const& in, std::uint64_t seed)
        : in_(in), n_(in.output.size()), longest_(*std::ranges::max_element(in.output)),
          usage_(longest_), e_(in.lower), start_(n_), runs_(n_), place_(n_), waiting_(longest_ + 1),
          active_(longest_ + 1), stops_(longest_ + 1), rng_(seed)
    {
        for (std::size_t i = 0; i < n_; ++i) insert(waiting_, static_cast<std::int32_t>(i));
    }

    Result run()
    {
        for (; done_ < n_; ++t_) {
            usage_.reach(t_);
            held_ += running_; // everyone has a token more than a round ago
            complete();
            cancel();
            admit();
        }
        return result_;
    }

  private:
    using Sets = std::vector<std::vector<std::int32_t>>; ///< by working length
    /// Who started in round `start` of its run number `run`: stale if it was cancelled since.
    struct Mark
    {
        std::int32_t id, run;
    };

    std::size_t slot(std::size_t t) const { return t % stops_.size(); }
    std::int32_t generated(std::int32_t i) const
    {
        return static_cast<std::int32_t>(t_) - start_[at(i)];
    }
    static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

    void insert(Sets& sets, std::int32_t i)
    {
        auto& set = sets[at(e_[at(i)])];
        place_[at(i)] = static_cast<std::int32_t>(set.size());
        set.push_back(i);
    }
    void erase(Sets& sets, std::int32_t i)
    {
        auto& set = sets[at(e_[at(i)])];
        auto const last = set.back();
        set[at(place_[at(i)])] = last;
        place_[at(last)] = place_[at(i)];
        set.pop_back();
    }
    std::int32_t pick(std::vector<std::int32_t> const& set)
    {
        return set[std::uniform_int_distribution<std::size_t>(0, set.size() - 1)(rng_)];
    }

    /// Takes an active request away at time t.
    void leave(std::int32_t i)
    {
        auto const g = generated(i), s = in_.prompt[at(i)], e = e_[at(i)];
        held_ -= s + g;
        --running_;
        erase(active_, i);
        ++runs_[at(i)]; // its marks are stale from now on
        if (g < e) usage_.remove(t_, s, g, e);
    }

    void complete()
    {
        for (auto const& mark : stops_[slot(t_)]) {
            if (runs_[at(mark.id)] != mark.run) continue;
            leave(mark.id);
            result_.total += static_cast<std::int64_t>(t_);
            ++done_;
        }
        stops_[slot(t_)].clear();
    }
    void cancel()
    {
        while (held_ + running_ > in_.memory) {
            while (active_[least_active_].empty()) ++least_active_;
            auto const i = pick(active_[least_active_]);
            auto const g = generated(i);
            leave(i);
            e_[at(i)] = std::max(e_[at(i)], g);
            insert(waiting_, i);
            least_waiting_ = std::min(least_waiting_, at(e_[at(i)]));
            ++result_.cancellations;
        }
    }

    void admit()
    {
        while (done_ + at(running_) < n_) {
            while (waiting_[least_waiting_].empty()) ++least_waiting_;
            auto const i = pick(waiting_[least_waiting_]);
            auto const s = in_.prompt[at(i)], e = e_[at(i)];
            // At the next time everybody counts; later only those that have not outlived e.
            if (held_ + running_ + s + 1 > in_.memory) break;
            if (!usage_.fits(t_, s, e, in_.memory)) break;
            erase(waiting_, i);
            insert(active_, i);
            least_active_ = std::min(least_active_, at(e));
            usage_.add(t_, s, e);
            start_[at(i)] = static_cast<std::int32_t>(t_);
            held_ += s;
            ++running_;
            auto const o = in_.output[at(i)];
            stops_[slot(t_ + at(o))].push_back({i, runs_[at(i)]});
        }
    }

    Varied const& in_;
    std::size_t n_;
    std::int32_t longest_;
    Usage<std::int32_t, check> usage_;
    std::vector<std::int32_t> e_, start_, runs_, place_;
    Sets waiting_, active_;
    std::vector<std::vector<Mark>> stops_; ///< by time modulo the longest output
    std::size_t t_ = 0, done_ = 0, least_waiting_ = 1, least_active_ = 1;
    std::int32_t held_ = 0, running_ = 0; ///< tokens of the active requests, and how many
    std::mt19937_64 rng_;
    Result result_;
};

template <Check check>
inline std::int64_t run_rule(Rule rule, Instance const& in)
{
    Simulator<check> loop(in);
    if (rule == Rule::true_lengths) return loop.true_lengths();
    return rule == Rule::upper_lengths ? loop.upper_lengths() : loop.promote_lower();
}

template <Check check>
inline std::int64_t run_rule(Rule rule, Varied const& in)
{
    return rule == Rule::learn ? MinLength<check>(in, 1).run().total : shortest_first<check>(in);
}

ROUND_LOOP_CLONES std::int64_t early_exit(Rule rule, Instance const& in)
{
    return run_rule<Check::early_exit>(rule, in);
}
ROUND_LOOP_CLONES std::int64_t branch_free(Rule rule, Instance const& in)
{
    return run_rule<Check::branch_free>(rule, in);
}
ROUND_LOOP_CLONES std::int64_t early_exit_varied(Rule rule, Varied const& in)
{
    return run_rule<Check::early_exit>(rule, in);
}
ROUND_LOOP_CLONES std::int64_t branch_free_varied(Rule rule, Varied const& in)
{
    return run_rule<Check::branch_free>(rule, in);
}

/// All requests with the common interval's lower end.
Varied as_varied(Instance const& in)
{
    auto const n = in.output.size();
    return {std::vector<std::int32_t>(n, in.prompt), in.output,
            std::vector<std::int32_t>(n, in.lower), in.memory};
}

} // namespace

std::int64_t total_latency(Rule rule, Check check, Instance const& in)
{
    if (rule == Rule::learn) return total_latency(rule, check, as_varied(in));
    return check == Check::early_exit ? early_exit(rule, in) : branch_free(rule, in);
}

std::int64_t total_latency(Rule rule, Check check, Varied const& in)
{
    return check == Check::early_exit ? early_exit_varied(rule, in) : branch_free_varied(rule, in);
}

std::int64_t many_small(Check check, std::int64_t n, std::int32_t memory, std::int64_t count,
                        std::uint64_t seed)
{
    std::mt19937_64 rng(seed);
    std::uniform_int_distribution<std::int32_t> prompt(1, 5), output(1, memory - 5);
    auto const size = static_cast<std::size_t>(n);
    Varied in{std::vector<std::int32_t>(size), std::vector<std::int32_t>(size), {}, memory};
    std::vector<std::pair<std::int32_t, std::int32_t>> requests(size); // (output, prompt)
    std::int64_t total = 0;
    for (; count > 0; --count) {
        for (auto& r : requests) r = {output(rng), prompt(rng)};
        std::ranges::sort(requests);
        for (std::size_t i = 0; i < size; ++i) {
            in.output[i] = requests[i].first;
            in.prompt[i] = requests[i].second;
        }
        total += total_latency(Rule::true_lengths, check, in);
    }
    return total;
}

char const* instruction_set()
{
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw"))
        return "x86-64-v4";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return "x86-64-v3";
#endif
    return "base";
}

} // namespace round_loop
