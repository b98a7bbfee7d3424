#pragma once

#include "bench/round_loop_varied.hh"

namespace round_loop {

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

} // namespace round_loop
