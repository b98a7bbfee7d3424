#include "analysis/fluid/type_blind.hh"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>

namespace crx::fluid {
namespace {

/// Prompts that cannot be told apart: the type is at least number `least`, stage `stage` is next.
struct Class
{
    std::int32_t least = 0, stage = 0;
    auto operator<=>(Class const&) const = default;
};

/// Counts by class; of those at stage 0 only the remembered are counted (least >= 1).
using State = std::vector<std::int32_t>;

struct Outcome
{
    std::size_t state;
    double probability;
};
struct Decision
{
    double seconds = 0, tokens = 0; ///< of the batch; expected decode tokens completed
    std::vector<Outcome> outcomes;
};

class Program
{
  public:
    Program(Load const& load, Tokens memory, Restarts const& restarts)
        : memory_(memory), restarts_(restarts), overhead_(load.overhead), per_token_(load.per_token)
    {
        utilisation(load); // throws
        std::map<Tokens, double> rate;
        prompt_ = load.types.front().prompt;
        for (std::size_t j = 0; j < load.types.size(); ++j) {
            auto const& type = load.types[j];
            if (type.prompt != prompt_)
                throw std::domain_error("prompts of one length: types are known by it otherwise");
            rate[type.output] += load.rate[j];
        }
        auto const least = prompt_ + rate.rbegin()->first;
        if (memory < least)
            throw std::domain_error("memory of at least l + l' of every type, which is " +
                                    std::to_string(least));
        for (auto const& [output, lambda] : rate) {
            outputs_.push_back(output);
            rates_.push_back(lambda);
        }
        for (std::int32_t f = 0; f < types(); ++f)
            for (Tokens k = f > 0 ? 0 : 1; k <= outputs_.back(); ++k) {
                // Who has survived l'_j stages is known to be of a later type than j.
                auto const passed =
                    std::ranges::count_if(outputs_, [k](Tokens o) { return o < k; });
                auto const remembers = restarts.allowed && restarts.remembered > 0;
                if (passed > f || (f > passed && !remembers)) continue;
                classes_.push_back({f, static_cast<std::int32_t>(k)});
            }
        find_decisions();
        forbid_dead_ends();
    }

    TypeBlindCapacity solve(double precision) const
    {
        // Schweitzer: steps of `step` seconds, a decision goes on with probability step / seconds.
        auto const step = overhead_ / 2;
        std::vector<double> value(decisions_.size()), next(decisions_.size());
        for (;;) {
            double least = HUGE_VAL, most = -HUGE_VAL;
            for (std::size_t s = 0; s < decisions_.size(); ++s) {
                if (decisions_[s].empty()) continue;
                auto best = -HUGE_VAL;
                for (auto const& d : decisions_[s]) {
                    double after = 0;
                    for (auto const& o : d.outcomes) after += o.probability * value[o.state];
                    best = std::max(best, (d.tokens + step * (after - value[s])) / d.seconds);
                }
                next[s] = value[s] + best;
                least = std::min(least, best);
                most = std::max(most, best);
            }
            if (most - least <= precision)
                return {most, most - least, static_cast<std::int64_t>(decisions_.size())};
            for (auto const base = next[0]; auto& v : next) v -= base;
            std::swap(value, next);
        }
    }

  private:
    static constexpr std::size_t most_decisions = 400'000;

    std::int32_t types() const { return static_cast<std::int32_t>(outputs_.size()); }
    /// Tokens that a prompt holds outside the batch.
    Tokens held(Class const& c) const { return c.stage == 0 ? 0 : prompt_ + c.stage - 1; }
    Tokens in_batch(Class const& c) const { return prompt_ + c.stage; }

    std::size_t number(State const& state)
    {
        auto const [at, is_new] = numbers_.try_emplace(state, numbers_.size());
        if (is_new) {
            states_.push_back(state);
            decisions_.emplace_back();
        }
        return at->second;
    }
    std::size_t place(Class const& c) const
    {
        return static_cast<std::size_t>(std::ranges::find(classes_, c) - classes_.begin());
    }

    void find_decisions()
    {
        number(State(classes_.size()));
        for (std::size_t s = 0; s < states_.size(); ++s) {
            auto const state = states_[s];
            auto kept = state;
            choose_cancelled(s, 0, state, kept);
        }
    }

    /// All ways to cancel prompts of classes `c` and later.
    void choose_cancelled(std::size_t s, std::size_t c, State const& state, State& kept)
    {
        if (c == classes_.size()) {
            // Where they go: the remembered of stage 0, up to the limit, or the unknown.
            auto waiting = kept;
            for (std::size_t k = 0; k < classes_.size(); ++k) {
                auto const cancelled = state[k] - kept[k];
                if (cancelled == 0 || classes_[k].least == 0) continue;
                auto const to = place({classes_[k].least, 0});
                if (to < classes_.size()) waiting[to] += cancelled;
            }
            std::int32_t remembered = 0;
            for (std::size_t k = 0; k < classes_.size(); ++k)
                if (classes_[k].stage == 0) {
                    waiting[k] = std::min(waiting[k], restarts_.remembered - remembered);
                    remembered += waiting[k];
                }
            Tokens held_now = 0;
            for (std::size_t k = 0; k < classes_.size(); ++k)
                held_now += waiting[k] * held(classes_[k]);
            State batch(classes_.size());
            choose_batch(s, 0, waiting, batch, held_now, 0);
            return;
        }
        auto const is_held = classes_[c].stage > 0;
        for (std::int32_t n = state[c]; n >= (restarts_.allowed && is_held ? 0 : state[c]); --n) {
            kept[c] = n;
            choose_cancelled(s, c + 1, state, kept);
        }
        kept[c] = state[c];
    }

    /// All batches of classes `c` and later, and of new prompts, that fit.
    void choose_batch(std::size_t s, std::size_t c, State const& waiting, State& batch,
                      Tokens memory, Tokens tokens)
    {
        if (memory > memory_) return;
        if (c == classes_.size()) {
            for (std::int32_t fresh = 0; memory + fresh * prompt_ <= memory_; ++fresh)
                if (tokens + fresh > 0)
                    add_decision(s, waiting, batch, fresh, tokens + fresh * prompt_);
            return;
        }
        auto const& of = classes_[c];
        for (std::int32_t n = 0; n <= waiting[c]; ++n) {
            batch[c] = n;
            choose_batch(s, c + 1, waiting, batch, memory + n * (in_batch(of) - held(of)),
                         tokens + n * in_batch(of));
        }
        batch[c] = 0;
    }

    void add_decision(std::size_t s, State const& waiting, State const& batch, std::int32_t fresh,
                      Tokens tokens)
    {
        if (++decision_count_ > most_decisions)
            throw std::domain_error("fewer tokens of memory: over 400,000 decisions");
        Decision decision;
        decision.seconds = overhead_ + per_token_ * static_cast<double>(tokens);
        State after = waiting;
        for (std::size_t k = 0; k < classes_.size(); ++k) after[k] -= batch[k];
        after[place({0, 1})] += fresh;
        std::map<State, double> outcomes;
        draw(0, batch, after, 1, decision, outcomes);
        for (auto const& [state, probability] : outcomes)
            decision.outcomes.push_back({number(state), probability});
        decisions_[s].push_back(std::move(decision));
    }

    /// Moves the batch's prompts of classes `c` and later on, in all ways that chance has.
    void draw(std::size_t c, State const& batch, State& after, double probability,
              Decision& decision, std::map<State, double>& outcomes) const
    {
        while (c < classes_.size() && batch[c] == 0) ++c;
        if (c == classes_.size()) {
            outcomes[after] += probability;
            return;
        }
        auto const [least, stage] = classes_[c];
        auto const ending = std::ranges::find(outputs_, Tokens{stage}) - outputs_.begin();
        auto const ends = ending < types() && ending >= least;
        auto const survivors = std::accumulate(rates_.begin() + least, rates_.end(), 0.0);
        auto const p = ends ? rates_[static_cast<std::size_t>(ending)] / survivors : 0;
        auto const next = place({ends ? static_cast<std::int32_t>(ending) + 1 : least, stage + 1});
        double ways = 1; // binomial coefficient
        for (std::int32_t done = 0, n = batch[c]; done <= n; ++done) {
            auto const chance = ways * std::pow(p, done) * std::pow(1 - p, n - done);
            ways = ways * (n - done) / (done + 1);
            if (chance == 0) continue;
            decision.tokens += probability * chance * static_cast<double>(done) * stage;
            if (n > done) after[next] += n - done;
            draw(c + 1, batch, after, probability * chance, decision, outcomes);
            if (n > done) after[next] -= n - done;
        }
    }

    /// A state that allows no batch is for ever; a policy that never cancels must avoid it.
    void forbid_dead_ends()
    {
        for (bool changed = true; changed;) {
            changed = false;
            for (auto& of_state : decisions_)
                changed =
                    std::erase_if(of_state,
                                  [&](Decision const& d) {
                                      return std::ranges::any_of(d.outcomes, [&](Outcome const& o) {
                                          return decisions_[o.state].empty();
                                      });
                                  }) > 0 ||
                    changed;
        }
    }

    Tokens memory_, prompt_ = 1;
    Restarts restarts_;
    double overhead_, per_token_;
    std::vector<Tokens> outputs_; ///< ascending
    std::vector<double> rates_;
    std::vector<Class> classes_;
    std::map<State, std::size_t> numbers_;
    std::vector<State> states_;
    std::vector<std::vector<Decision>> decisions_; ///< by state
    std::size_t decision_count_ = 0;
};

} // namespace

TypeBlindCapacity type_blind_capacity(Load const& load, Tokens memory, Restarts const& restarts,
                                      double precision)
{
    return Program(load, memory, restarts).solve(precision);
}

} // namespace crx::fluid
