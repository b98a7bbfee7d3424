#include "oracle/iteration.hh"

#include <algorithm>
#include <stdexcept>

namespace oracle {
namespace {

enum class Where
{
    pending,
    waiting, ///< at stage 0, holds nothing
    started, ///< holds memory
    done
};

struct Prompt
{
    std::size_t id = 0, type = 0;
    std::int64_t l = 1, output = 1, arrival = 0;
    Where where = Where::pending;
    std::int64_t stage = 0; ///< its next
    std::int64_t kept = 0;  ///< tokens that a prefill makes again
    std::int64_t chunk = 0; ///< tokens of its prefill that are done
};

struct Served
{
    std::size_t id;
    std::int64_t tokens; ///< in time
    std::int64_t chunk;  ///< of its prefill that will be done; of no meaning past stage 0
};

class IterationOracle
{
  public:
    IterationOracle(IterationModel const& model, IterationPolicy const& policy,
                    std::vector<PromptArrival> const& arrivals, std::int64_t horizon)
        : model_(model), policy_(policy), horizon_(horizon)
    {
        for (std::size_t i = 0; i < arrivals.size(); ++i) {
            Prompt p;
            p.id = i;
            p.type = arrivals[i].type;
            p.l = model.types.at(p.type).prompt;
            p.output = model.types.at(p.type).output;
            p.arrival = arrivals[i].time;
            prompts_.push_back(p);
        }
        run_.first_token.assign(arrivals.size(), -1);
        run_.completion.assign(arrivals.size(), -1);
    }

    IterationRun run()
    {
        bool busy = false;
        for (;;) {
            std::int64_t now = horizon_ + 1;
            if (busy) {
                now = run_.iterations.back().end;
            } else {
                for (Prompt const& p : prompts_)
                    if (p.where == Where::pending) now = std::min(now, p.arrival);
            }
            if (now > horizon_) return run_;
            if (busy) complete(now);
            for (Prompt& p : prompts_)
                if (p.where == Where::pending && p.arrival <= now) p.where = Where::waiting;
            busy = decide(now);
        }
    }

  private:
    std::vector<Prompt*> at_stage(std::int64_t stage, auto belongs)
    {
        std::vector<Prompt*> found;
        for (Prompt& p : prompts_)
            if ((p.where == Where::waiting || p.where == Where::started) && p.stage == stage &&
                belongs(p))
                found.push_back(&p);
        return found;
    }

    void serve(Prompt& p)
    {
        p.where = Where::started;
        batch_.push_back({p.id, p.l + p.stage, p.l});
    }

    void serve_some(std::int64_t stage, std::int64_t most, auto belongs)
    {
        auto const found = at_stage(stage, belongs);
        for (std::size_t i = 0; i < found.size() && static_cast<std::int64_t>(i) < most; ++i)
            serve(*found[i]);
    }

    void decide_wait()
    {
        for (std::size_t j = 0; j < model_.types.size(); ++j) {
            auto const is_j = [j](Prompt const& p) { return p.type == j; };
            auto const n = policy_.thresholds[j];
            if (static_cast<std::int64_t>(at_stage(0, is_j).size()) < n) continue;
            for (std::int64_t k = 0; k <= model_.types[j].output; ++k) serve_some(k, n, is_j);
        }
    }

    void decide_nested()
    {
        for (SegmentGroup const& group : policy_.groups) {
            auto const member = [&](Prompt const& p) {
                return group.prompt == 0 || p.l == group.prompt;
            };
            std::int64_t first = 0;
            for (std::size_t i = 0; i < group.ends.size(); ++i) {
                auto const n = group.thresholds[i];
                if (static_cast<std::int64_t>(at_stage(first, member).size()) < n) break;
                for (std::int64_t k = first; k <= group.ends[i]; ++k) serve_some(k, n, member);
                first = group.ends[i] + 1;
            }
        }
    }

    /// Memory is hard: while the batch does not fit, the newest prompt past stage 0 restarts and
    /// the batch is formed again.
    void decide_hard()
    {
        for (;;) {
            batch_.clear();
            for (Prompt& p : prompts_) // those of a batch that did not fit have not begun
                if (p.where == Where::started && p.stage == 0) p.where = Where::waiting;
            policy_.id == "wait" ? decide_wait() : decide_nested();
            if (batch_.empty() || memory_with_batch() <= policy_.memory) return;
            Prompt* newest = nullptr;
            for (Prompt& p : prompts_)
                if (p.where == Where::started && p.stage >= 1) newest = &p;
            if (newest == nullptr) throw std::invalid_argument("prefills alone do not fit");
            cancel(*newest);
        }
    }

    // First come, first served ------------------------------------------------------------------

    std::vector<Prompt*> in_state(Where where)
    {
        std::vector<Prompt*> found;
        for (Prompt& p : prompts_)
            if (p.where == where) found.push_back(&p);
        return found;
    }

    std::int64_t prefill_length(Prompt const& p) const { return p.l + p.kept; }

    void cancel(Prompt& p)
    {
        if (policy_.keep_tokens && p.stage >= 1) p.kept = p.stage - 1;
        p.stage = 0;
        p.chunk = 0;
        p.where = Where::waiting;
        cancelled_.push_back(p.id);
    }

    bool room_for_one() const
    {
        std::int64_t running = 0;
        for (Prompt const& p : prompts_) running += p.where == Where::started;
        return policy_.limit == 0 || running < policy_.limit;
    }

    /// Memory if every started prompt past its prefill decodes and the others hold theirs.
    std::int64_t memory_if_all_decode()
    {
        std::int64_t sum = 0;
        for (Prompt const* p : in_state(Where::started))
            sum += p->stage >= 1 ? p->l + p->stage : prefill_length(*p);
        return sum;
    }

    void cancel_until_decodes_fit()
    {
        while (memory_if_all_decode() > policy_.memory) cancel(*in_state(Where::started).back());
    }

    void decode_all()
    {
        for (Prompt* p : in_state(Where::started))
            if (p->stage >= 1) serve(*p);
    }

    void decide_vllm()
    {
        std::int64_t held = 0;
        for (Prompt const* p : in_state(Where::started)) held += p->l + p->stage - 1;
        for (Prompt* p : in_state(Where::waiting)) {
            if (!room_for_one() || held + prefill_length(*p) > policy_.memory) break;
            held += prefill_length(*p);
            p->where = Where::started;
            batch_.push_back({p->id, prefill_length(*p), prefill_length(*p)});
        }
        if (!batch_.empty()) return;
        cancel_until_decodes_fit();
        decode_all();
    }

    void prefill(Prompt& p, std::int64_t& left)
    {
        auto const rest = prefill_length(p) - p.chunk;
        auto const part = policy_.budget == 0 ? rest : std::min(rest, left);
        if (part == 0) return;
        left -= part;
        p.where = Where::started;
        batch_.push_back({p.id, p.chunk + part, p.chunk + part});
    }

    void decide_sarathi()
    {
        cancel_until_decodes_fit();
        auto memory = memory_if_all_decode();
        decode_all();
        auto left =
            std::max<std::int64_t>(0, policy_.budget - static_cast<std::int64_t>(batch_.size()));
        for (Prompt* p : in_state(Where::started))
            if (p->stage == 0) prefill(*p, left);
        for (Prompt* p : in_state(Where::waiting)) {
            if (!room_for_one() || memory + prefill_length(*p) > policy_.memory) break;
            if (policy_.budget != 0 && left == 0) break;
            memory += prefill_length(*p);
            prefill(*p, left);
        }
    }

    bool never_overflows_with(Prompt const& candidate)
    {
        auto all = in_state(Where::started);
        std::vector<Prompt> later;
        for (Prompt const* p : all) later.push_back(*p);
        later.push_back(candidate);
        for (std::int64_t ahead = 0;; ++ahead) {
            std::int64_t sum = 0;
            bool some = false;
            for (Prompt const& p : later)
                if (p.stage + ahead <= p.output) {
                    sum += p.l + p.stage + ahead;
                    some = true;
                }
            if (sum > policy_.memory) return false;
            if (!some) return true;
        }
    }

    void decide_safe()
    {
        decode_all();
        for (Prompt* p : in_state(Where::waiting)) {
            if (!room_for_one() || !never_overflows_with(*p)) break;
            serve(*p);
        }
    }

    // -------------------------------------------------------------------------------------------

    std::int64_t memory_with_batch() const
    {
        std::vector<bool> in_batch(prompts_.size(), false);
        for (Served const& s : batch_) in_batch[s.id] = true;
        std::int64_t sum = 0;
        for (Prompt const& p : prompts_) {
            if (p.where != Where::started) continue;
            if (p.stage == 0)
                sum += prefill_length(p); // reserved, in the batch or not
            else
                sum += p.l + p.stage - (in_batch[p.id] ? 0 : 1);
        }
        return sum;
    }

    bool decide(std::int64_t now)
    {
        batch_.clear();
        cancelled_.clear();
        if (policy_.hard)
            decide_hard();
        else if (policy_.id == "wait")
            decide_wait();
        else if (policy_.id == "nested-wait")
            decide_nested();
        else if (policy_.id == "fcfs-vllm")
            decide_vllm();
        else if (policy_.id == "fcfs-sarathi")
            decide_sarathi();
        else if (policy_.id == "fcfs-safe")
            decide_safe();
        else
            throw std::invalid_argument("no such policy: " + policy_.id);
        if (batch_.empty()) return false;

        Iteration it;
        it.start = now;
        it.cancelled = cancelled_;
        for (Served const& s : batch_) {
            it.tokens += s.tokens;
            it.served.emplace_back(s.id, prompts_[s.id].stage);
        }
        it.memory = memory_with_batch();
        it.end = now + model_.overhead + it.tokens * model_.per_token / 65536;
        run_.iterations.push_back(it);
        return true;
    }

    void complete(std::int64_t now)
    {
        for (Served const& s : batch_) {
            Prompt& p = prompts_[s.id];
            if (p.stage == 0) {
                p.chunk = s.chunk;
                if (p.chunk == prefill_length(p)) p.stage = p.kept + 1;
                continue;
            }
            if (p.stage == 1 && run_.first_token[p.id] < 0) run_.first_token[p.id] = now;
            if (p.stage == p.output) {
                p.where = Where::done;
                run_.completion[p.id] = now;
            }
            ++p.stage;
        }
    }

    IterationModel const& model_;
    IterationPolicy const& policy_;
    std::int64_t horizon_;
    std::vector<Prompt> prompts_; ///< in order of arrival
    std::vector<Served> batch_;
    std::vector<std::size_t> cancelled_;
    IterationRun run_;
};

} // namespace

IterationRun iterate(IterationModel const& model, IterationPolicy const& policy,
                     std::vector<PromptArrival> const& arrivals, std::int64_t horizon)
{
    return IterationOracle(model, policy, arrivals, horizon).run();
}

} // namespace oracle
