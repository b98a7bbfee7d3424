#include "oracle/oracle.hh"

#include <algorithm>
#include <utility>

#include "oracle/rules.hh"
#include "oracle/stay.hh"
#include "oracle/words.hh"

namespace oracle {
namespace {

class Simulation
{
  public:
    Simulation(Policy const& policy, std::vector<Request> const& requests, std::int64_t memory,
               std::uint64_t seed, std::uint64_t instance, std::vector<Stay>& log)
        : policy_(policy), rule_(rule_of(policy)), memory_(memory),
          words_(seed, instance, 16 + static_cast<std::uint32_t>(rule_)), log_(log)
    {
        check_requests(rule_, requests, memory);
        for (Request const& r : requests) {
            Job job;
            job.request = r;
            job.expected = first_expected(rule_, policy, r);
            jobs_.push_back(job);
        }
        if (rule_ == Rule::a_random || rule_ == Rule::a_max || rule_ == Rule::a_ell) draw_places();
        result_.start.resize(jobs_.size());
        result_.completion.resize(jobs_.size());
        result_.cancelled.resize(jobs_.size());
    }

    Schedule run()
    {
        for (now_ = 0; done_ < jobs_.size(); ++now_) {
            join();
            cancel();
            admit();
            if (rule_ == Rule::a_min_evict) cancel_overflow();
            generate();
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

    std::int64_t tokens(std::size_t i) const { return now_ - jobs_[i].start; }

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
            if (jobs_[i].request.arrival <= now_) arrived.push_back(i);
        std::stable_sort(arrived.begin(), arrived.end(), [this](std::size_t a, std::size_t b) {
            return jobs_[a].place < jobs_[b].place;
        });
        for (std::size_t i : arrived) {
            jobs_[i].state = State::waiting;
            jobs_[i].turn = turns_++;
        }
    }

    void cancel()
    {
        if (rule_ == Rule::a_min || rule_ == Rule::a_min_evict) cancel_overflow();
        if (rule_ == Rule::a_ell || rule_ == Rule::a_ladder) cancel_outgrown();
    }

    void cancel_one(std::size_t i)
    {
        jobs_[i].state = State::waiting;
        result_.cancellations += 1;
        result_.cancelled[i] += 1;
        result_.wasted_tokens += tokens(i);
        log_.push_back({i, jobs_[i].start, now_, false});
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
            Indices const least = least_expected(all_in(State::active));
            std::size_t const i = least[words_.bounded(least.size())];
            cancel_one(i);
            jobs_[i].expected = std::max(jobs_[i].expected, tokens(i));
        }
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

    /// Place in the waiting order of the policies that have one; ties go by index.
    std::pair<std::int64_t, std::int64_t> key(std::size_t i) const
    {
        Request const& r = jobs_[i].request;
        switch (rule_) {
        case Rule::mc_sf: return {r.output, 0};
        case Rule::mc_sf_total: return {r.prompt + r.output, 0};
        case Rule::mc_benchmark: return {r.arrival, 0};
        case Rule::a_max: return {r.upper, jobs_[i].place};
        case Rule::a_ell: return {jobs_[i].turn, 0};
        default: return {jobs_[i].place, 0};
        }
    }

    bool fits(std::size_t i) const
    {
        return feasible(jobs_, jobs_[i], now_, memory_, rule_ == Rule::a_min_evict);
    }

    void start(std::size_t i)
    {
        jobs_[i].state = State::active;
        jobs_[i].start = now_;
    }

    void admit()
    {
        if (rule_ == Rule::a_min || rule_ == Rule::a_min_evict || rule_ == Rule::a_ladder)
            admit_drawn();
        else
            admit_in_order();
    }

    void admit_in_order()
    {
        Indices waiting = all_in(State::waiting);
        std::stable_sort(waiting.begin(), waiting.end(),
                         [this](std::size_t a, std::size_t b) { return key(a) < key(b); });
        for (std::size_t i : waiting) {
            if (!fits(i)) return;
            start(i);
        }
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
        std::int64_t const time = now_ + 1; // when the token is there
        result_.peak_memory = std::max(result_.peak_memory, memory_after_next_token());
        for (std::size_t i : all_in(State::active)) {
            Job& job = jobs_[i];
            if (time - job.start < job.request.output) continue;
            job.state = State::done;
            ++done_;
            result_.start[i] = job.start;
            result_.completion[i] = time;
            result_.total_latency += time - job.request.arrival;
            result_.makespan = time;
            log_.push_back({i, job.start, time, true});
        }
    }

    Policy const& policy_;
    Rule rule_;
    std::int64_t memory_;
    WordStream words_;
    std::vector<Stay>& log_;
    std::vector<Job> jobs_;
    Schedule result_;
    std::int64_t now_ = 0;   // the round
    std::int64_t turns_ = 0; // given out so far
    std::size_t done_ = 0;   // jobs
};

} // namespace

Schedule simulate_logged(Policy const& policy, std::vector<Request> const& requests,
                         std::int64_t memory, std::uint64_t seed, std::uint64_t instance,
                         std::vector<Stay>& log)
{
    return Simulation(policy, requests, memory, seed, instance, log).run();
}

Schedule simulate(Policy const& policy, std::vector<Request> const& requests, std::int64_t memory,
                  std::uint64_t seed, std::uint64_t instance)
{
    std::vector<Stay> log;
    return simulate_logged(policy, requests, memory, seed, instance, log);
}

} // namespace oracle
