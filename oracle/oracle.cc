#include "oracle/oracle.hh"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "oracle/key.hh"
#include "oracle/rules.hh"
#include "oracle/stay.hh"
#include "oracle/words.hh"

namespace oracle {
namespace {

class Simulation
{
  public:
    Simulation(Policy const& policy, std::vector<Request> const& requests, std::int64_t memory,
               Choices& words, std::vector<Stay>& log, Clock const& clock)
        : policy_(policy), rule_(rule_of(policy)), memory_(memory), clock_(clock), words_(words),
          log_(log)
    {
        check_requests(rule_, requests, memory);
        for (Request const& r : requests) {
            Job job;
            job.request = r;
            job.expected = rule_ == Rule::by_key ? planned(r) : first_expected(rule_, policy, r);
            jobs_.push_back(job);
        }
        if (rule_ == Rule::a_random || rule_ == Rule::a_max || rule_ == Rule::a_ell ||
            policy.ties_drawn)
            draw_places();
        result_.start.resize(jobs_.size());
        result_.completion.resize(jobs_.size());
        result_.cancelled.resize(jobs_.size());
        result_.first_token.resize(jobs_.size());
        result_.lost.resize(jobs_.size());
        result_.first_start.resize(jobs_.size(), -1);
        result_.first_shown.resize(jobs_.size(), -1);
        result_.longest_gap.resize(jobs_.size(), -1);
    }

    Schedule run()
    {
        for (now_ = 0; done_ < jobs_.size() && result_.finished; ++now_) {
            words_.spend(static_cast<std::int64_t>(10 * jobs_.size()));
            if (all_in(State::active).empty() && all_in(State::waiting).empty()) wait_for_arrival();
            join();
            cancel();
            if (!result_.finished) break;
            if (rule_ != Rule::fcfs || !cancelled_in_round_) admit();
            if (rule_ == Rule::a_min_evict) cancel_overflow();
            if (all_in(State::active).empty()) {
                give_up("blocked"); // somebody waits, as the clock is never behind an arrival
                break;
            }
            if (rule_ == Rule::clear && memory_after_next_token() > memory_)
                pass_round();
            else
                generate();
            std::int64_t const cap = rule_ == Rule::by_key ? 10 * memory_ : policy_.round_cap;
            if ((rule_ == Rule::clear || rule_ == Rule::by_key) && done_ < jobs_.size() &&
                idle_rounds_ > cap)
                give_up("round cap");
        }
        return result_;
    }

  private:
    using Indices = std::vector<std::size_t>; // of jobs

    void draw_places()
    {
        Indices const order = words_.permutation(jobs_.size());
        for (std::size_t k = 0; k < order.size(); ++k)
            jobs_[order[k]].place = static_cast<std::int64_t>(k);
    }

    std::int64_t tokens(std::size_t i) const { return jobs_[i].tokens; }

    void give_up(char const* reason)
    {
        result_.finished = false;
        result_.reason = reason;
    }

    /// Nobody is there: the next round begins when somebody comes.
    void wait_for_arrival()
    {
        Indices const pending = all_in(State::pending);
        std::int64_t soonest = jobs_[pending.at(0)].request.arrival;
        for (std::size_t i : pending) soonest = std::min(soonest, jobs_[i].request.arrival);
        time_ = std::max(time_, soonest);
    }

    Indices all_in(State state) const
    {
        Indices found;
        for (std::size_t i = 0; i < jobs_.size(); ++i)
            if (jobs_[i].state == state) found.push_back(i);
        return found;
    }

    /// Of `from`, those with the least e, in ascending index.
    Indices least_expected(Indices const& from) const
    {
        Indices least;
        for (std::size_t i : from) {
            if (!least.empty() && jobs_[i].expected < jobs_[least[0]].expected) least.clear();
            if (least.empty() || jobs_[i].expected == jobs_[least[0]].expected) least.push_back(i);
        }
        return least;
    }

    void join()
    {
        Indices arrived;
        for (std::size_t i : all_in(State::pending))
            if (jobs_[i].request.arrival <= time_) arrived.push_back(i);
        std::stable_sort(arrived.begin(), arrived.end(), [this](std::size_t a, std::size_t b) {
            auto const turn = [this](std::size_t i) {
                return std::pair(jobs_[i].request.arrival, jobs_[i].place);
            };
            return turn(a) < turn(b);
        });
        if (!arrived.empty()) cleared_before_ = false;
        for (std::size_t i : arrived) {
            jobs_[i].state = State::waiting;
            jobs_[i].turn = turns_++;
        }
    }

    void cancel()
    {
        if (rule_ == Rule::a_min || rule_ == Rule::a_min_evict) cancel_overflow();
        if (rule_ == Rule::a_ell || rule_ == Rule::a_ladder) cancel_outgrown();
        if (rule_ == Rule::protect && policy_.cancels_newest) cancel_newest();
        if (rule_ == Rule::protect && memory_after_next_token() > memory_) cancel_all();
        if (rule_ == Rule::clear && memory_after_next_token() > memory_) cancel_some();
        if (rule_ == Rule::fcfs) cancel_newest();
        if (rule_ == Rule::by_key && memory_after_next_token() > memory_) cancel_by_key();
    }

    /// The latest arrival, then the largest index, until the next token of all others fits.
    void cancel_newest()
    {
        cancelled_in_round_ = false;
        while (memory_after_next_token() > memory_) {
            cancel_one(in_order(State::active).back());
            cancelled_in_round_ = true;
        }
    }

    std::map<std::string, std::int64_t> names_of(Request const& r) const
    {
        return {{"prompt", r.prompt}, {"output", r.output},   {"lower", r.lower},
                {"upper", r.upper},   {"arrival", r.arrival}, {"memory", memory_}};
    }
    std::int64_t planned(Request const& r) const
    {
        Exact const e = key_value(policy_.plans_with, names_of(r));
        if (denominator(e) != 1 || e < 1 || e > memory_ - r.prompt ||
            (policy_.on_overflow == "none" && e < r.output))
            throw std::invalid_argument("plans_with");
        return static_cast<std::int64_t>(numerator(e));
    }
    Exact key_of(std::size_t i) const
    {
        Job const& job = jobs_[i];
        bool const runs = job.state == State::active;
        std::int64_t waited = 0, generated = 0;
        if (policy_.key.find("waited") != std::string::npos)
            waited = (runs ? job.began : time_) - job.request.arrival - job.ran;
        if (policy_.key.find("generated") != std::string::npos)
            generated = runs ? std::max(job.most, job.tokens) : job.most;
        auto const known = keys_.find({i, waited, generated}); // a key is slow to read
        if (known != keys_.end()) return known->second;
        std::map<std::string, std::int64_t> names = names_of(job.request);
        names["waited"] = waited;
        names["generated"] = generated;
        return keys_[{i, waited, generated}] = key_value(policy_.key, names);
    }
    /// Of two active requests, whether `a` goes sooner.
    bool goes_before(std::size_t a, std::size_t b) const
    {
        if (policy_.on_overflow == "greatest-key") {
            Exact const x = key_of(a), y = key_of(b);
            if (x != y) return x > y;
            if (policy_.ties_drawn) return jobs_[a].place > jobs_[b].place;
        }
        return std::pair(jobs_[a].request.arrival, a) > std::pair(jobs_[b].request.arrival, b);
    }
    void cancel_by_key()
    {
        while (memory_after_next_token() > memory_) {
            std::vector<std::size_t> gone = all_in(State::active);
            if (policy_.on_overflow != "all") {
                std::size_t first = gone[0];
                for (std::size_t i : gone)
                    if (goes_before(i, first)) first = i;
                gone = {first};
            }
            for (std::size_t i : gone) {
                cancel_one(i);
                jobs_[i].expected = std::max(jobs_[i].expected, tokens(i));
                jobs_[i].ran += time_ - jobs_[i].began;
                jobs_[i].most = std::max(jobs_[i].most, tokens(i));
            }
        }
    }
    void admit_by_key()
    {
        std::vector<std::pair<Exact, std::pair<std::int64_t, std::size_t>>> line;
        for (std::size_t i : all_in(State::waiting))
            line.push_back(
                {key_of(i), {policy_.ties_drawn ? jobs_[i].place : jobs_[i].request.arrival, i}});
        std::sort(line.begin(), line.end());
        for (auto const& [key, place] : line) {
            if (!fits(place.second)) return;
            start(place.second);
        }
    }

    /// A second time with nothing new since the first, and nothing to come: for ever.
    void cancel_all()
    {
        for (std::size_t i : all_in(State::active)) cancel_one(i);
        if (cleared_before_ && all_in(State::pending).empty()) give_up("cycle");
        cleared_before_ = true;
    }

    /// Each active request, in the order of arrival, with probability beta.
    void cancel_some()
    {
        for (std::size_t i : in_order(State::active)) {
            auto const drawn = words_.bounded(static_cast<std::uint64_t>(policy_.beta.denominator));
            if (static_cast<std::int64_t>(drawn) < policy_.beta.numerator) cancel_one(i);
        }
    }

    void cancel_one(std::size_t i)
    {
        jobs_[i].state = State::waiting;
        result_.cancellations += 1;
        result_.cancelled[i] += 1;
        result_.wasted_tokens += tokens(i);
        result_.lost[i] += tokens(i);
        log_.push_back({i, jobs_[i].began, time_, false});
    }

    std::int64_t memory_after_next_token() const
    {
        std::int64_t sum = 0;
        for (std::size_t i : all_in(State::active)) sum += jobs_[i].request.prompt + tokens(i) + 1;
        return sum;
    }

    void cancel_overflow()
    {
        while (memory_after_next_token() > memory_) {
            Indices const least = policy_.evicts_least_current_bound
                                      ? least_taught(all_in(State::active))
                                      : least_expected(all_in(State::active));
            std::size_t const i = least[words_.bounded(least.size())];
            cancel_one(i);
            jobs_[i].expected = taught(i);
        }
    }

    /// e of an active request once it is cancelled.
    std::int64_t taught(std::size_t i) const
    {
        return std::max(jobs_[i].expected, tokens(i) + (policy_.learns_exceeded ? 1 : 0));
    }
    /// Of `from`, those for which that is least, in ascending index.
    Indices least_taught(Indices const& from) const
    {
        std::int64_t least = taught(from.at(0));
        for (std::size_t i : from) least = std::min(least, taught(i));
        Indices found;
        for (std::size_t i : from)
            if (taught(i) == least) found.push_back(i);
        return found;
    }

    /// Cancels the unfinished that have generated e tokens, in the order of their turns.
    void cancel_outgrown()
    {
        Indices outgrown;
        for (std::size_t i : all_in(State::active))
            if (tokens(i) == jobs_[i].expected) outgrown.push_back(i);
        std::sort(outgrown.begin(), outgrown.end(),
                  [this](std::size_t a, std::size_t b) { return jobs_[a].turn < jobs_[b].turn; });
        for (std::size_t i : outgrown) {
            cancel_one(i);
            Job& job = jobs_[i];
            job.expected = rule_ == Rule::a_ell
                               ? job.request.upper
                               : ladder_level(policy_, job.request, job.expected + 1);
            job.turn = turns_++;
        }
    }

    /// What of fcfs is not memory: room for another request, and for its prompt in this round.
    bool fits_limits(std::size_t i) const
    {
        std::int64_t running = 0, entered = 0, prompts = 0;
        for (std::size_t k : all_in(State::active)) {
            ++running;
            if (jobs_[k].start != now_ || jobs_[k].tokens > 0) continue;
            ++entered;
            prompts += jobs_[k].request.prompt;
        }
        if (policy_.max_running > 0 && running >= policy_.max_running) return false;
        if (policy_.budget == 0 || entered == 0) return true;
        return prompts + jobs_[i].request.prompt <= policy_.budget;
    }

    bool fits(std::size_t i) const
    {
        auto const active = static_cast<std::int64_t>(all_in(State::active).size());
        words_.spend(active * active + 3 * static_cast<std::int64_t>(jobs_.size()));
        if (rule_ == Rule::fcfs) {
            __int128 const limit =
                active == 0 ? memory_
                            : static_cast<__int128>(memory_) *
                                  (policy_.watermark.denominator - policy_.watermark.numerator) /
                                  policy_.watermark.denominator;
            return memory_after_next_token() + jobs_[i].request.prompt + 1 <= limit &&
                   fits_limits(i);
        }
        if (rule_ == Rule::protect || rule_ == Rule::clear) {
            // floor((1 - alpha) M), where nothing is negative
            __int128 const limit = static_cast<__int128>(memory_) *
                                   (policy_.alpha.denominator - policy_.alpha.numerator) /
                                   policy_.alpha.denominator;
            return memory_after_next_token() + jobs_[i].request.prompt + 1 <= limit;
        }
        return feasible(jobs_, jobs_[i], now_, memory_, rule_ == Rule::a_min_evict);
    }

    void start(std::size_t i)
    {
        jobs_[i].state = State::active;
        jobs_[i].start = now_;
        jobs_[i].began = time_;
        jobs_[i].tokens = 0;
        if (result_.first_start[i] < 0) result_.first_start[i] = time_;
    }

    void admit()
    {
        if (rule_ == Rule::a_min || rule_ == Rule::a_min_evict || rule_ == Rule::a_ladder)
            admit_drawn();
        else if (rule_ == Rule::by_key)
            admit_by_key();
        else
            admit_in_order();
    }

    void admit_in_order()
    {
        for (std::size_t i : in_order(State::waiting)) {
            if (!fits(i)) return;
            start(i);
        }
    }

    Indices in_order(State state) const
    {
        Indices some = all_in(state);
        std::stable_sort(some.begin(), some.end(), [this](std::size_t a, std::size_t b) {
            return order_key(rule_, jobs_[a]) < order_key(rule_, jobs_[b]);
        });
        return some;
    }

    void admit_drawn()
    {
        for (;;) {
            Indices const least = least_expected(all_in(State::waiting));
            bool some_fits = false;
            for (std::size_t i : least) some_fits = some_fits || fits(i);
            if (!some_fits) return;
            std::size_t const i = least[words_.bounded(least.size())];
            if (!fits(i)) return;
            start(i);
        }
    }

    void generate()
    {
        std::int64_t const held = memory_after_next_token();
        std::int64_t prompts = 0;
        for (std::size_t i : all_in(State::active))
            if (jobs_[i].tokens == 0) prompts += jobs_[i].request.prompt;
        auto const running = static_cast<std::int64_t>(all_in(State::active).size());
        pass_time(clock_.d0 + part(clock_.d1, held) + part(clock_.d2, prompts) +
                  static_cast<__int128>(clock_.d3) * running);
        result_.peak_memory = std::max(result_.peak_memory, held);
        idle_rounds_ += 1;
        for (std::size_t i : all_in(State::active)) {
            Job& job = jobs_[i];
            job.tokens += 1;
            if (job.tokens == 1) job.first = time_;
            if (result_.first_shown[i] < 0) result_.first_shown[i] = time_;
            if (job.tokens > job.shown) { // it is new
                if (job.shown > 0)
                    result_.longest_gap[i] =
                        std::max(result_.longest_gap[i], time_ - job.last_shown);
                job.shown = job.tokens;
                job.last_shown = time_;
            }
            if (job.tokens == job.request.output) complete(i);
        }
    }

    void complete(std::size_t i)
    {
        Job& job = jobs_[i];
        job.state = State::done;
        ++done_;
        idle_rounds_ = 0;
        cleared_before_ = false;
        result_.start[i] = job.began;
        result_.completion[i] = time_;
        result_.first_token[i] = job.first;
        if (__builtin_add_overflow(result_.total_latency, time_ - job.request.arrival,
                                   &result_.total_latency))
            throw std::overflow_error("a total latency past 2^63");
        result_.first_token_latency += job.first - job.request.arrival;
        result_.makespan = time_;
        log_.push_back({i, job.began, time_, true});
    }

    /// A round in which what is held does not fit with one more token each: none is generated.
    void pass_round()
    {
        std::int64_t held = 0;
        for (std::size_t i : all_in(State::active)) held += jobs_[i].request.prompt + tokens(i);
        pass_time(clock_.d0 + part(clock_.d1, held));
        idle_rounds_ += 1;
    }

    /// floor(d tokens / 2^16)
    static __int128 part(std::int64_t d, std::int64_t tokens)
    {
        return static_cast<__int128>(d) * tokens / 65536;
    }

    void pass_time(__int128 duration)
    {
        if (duration > (std::int64_t{1} << 62) - time_)
            throw std::overflow_error("a time past 2^62");
        time_ += static_cast<std::int64_t>(duration);
    }

    Policy const& policy_;
    Rule rule_;
    std::int64_t memory_;
    Clock clock_;
    Choices& words_;
    std::vector<Stay>& log_;
    std::vector<Job> jobs_;
    Schedule result_;
    std::int64_t now_ = 0;            // the round
    std::int64_t time_ = 0;           // when it begins
    std::int64_t idle_rounds_ = 0;    // since the last completion
    bool cancelled_in_round_ = false; // by fcfs
    bool cleared_before_ = false;     // all were cancelled, and nothing came or completed since
    std::int64_t turns_ = 0;          // given out so far
    std::size_t done_ = 0;            // jobs
    /// Keys by request, waited and generated.
    mutable std::map<std::tuple<std::size_t, std::int64_t, std::int64_t>, Exact> keys_;
};

} // namespace

Schedule simulate_logged(Policy const& policy, std::vector<Request> const& requests,
                         std::int64_t memory, std::uint64_t seed, std::uint64_t instance,
                         std::vector<Stay>& log, Clock const& clock)
{
    WordStream words(seed, instance, 16 + static_cast<std::uint32_t>(rule_of(policy)));
    return Simulation(policy, requests, memory, words, log, clock).run();
}

Schedule simulate(Policy const& policy, std::vector<Request> const& requests, std::int64_t memory,
                  Choices& choices, Clock const& clock)
{
    std::vector<Stay> log;
    return Simulation(policy, requests, memory, choices, log, clock).run();
}

Schedule simulate(Policy const& policy, std::vector<Request> const& requests, std::int64_t memory,
                  std::uint64_t seed, std::uint64_t instance, Clock const& clock)
{
    std::vector<Stay> log;
    return simulate_logged(policy, requests, memory, seed, instance, log, clock);
}

} // namespace oracle
