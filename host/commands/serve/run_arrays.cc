#include "host/commands/serve/calls.hh"
#include "host/results/policy_text.hh"

namespace crx::serve {

RunArrays::RunArrays(Json const& head)
    : detail_(value_or(head, "detail", true)), timeline_(value_or(head, "timeline", false)),
      attempts_(value_or(head, "attempts", false))
{
}

Json RunArrays::add(RunSubject const& subject, std::string const& id, bool all_at_zero,
                    SingleRun const& run)
{
    Json object = totals_as_json(subject, run);
    object["id"] = id;
    object["text"] = policy_text({id, subject.policy}, all_at_zero);
    auto const rows = run.start.size();
    object["rows"] = rows;
    if (detail_) {
        bool const first_known = !subject.clock.affine();
        for (std::size_t i = 0; i < rows; ++i) {
            bool const done = run.completion[i] > 0;
            start_.push_back(done ? run.start[i] : -1);
            completion_.push_back(done ? run.completion[i] : -1);
            first_token_.push_back(done && first_known ? run.start[i] + 1 : -1);
        }
        cancelled_.insert(cancelled_.end(), run.cancellations.begin(), run.cancellations.end());
    }
    if (timeline_) {
        for (auto const& p : run.timeline)
            timeline_rows_.insert(timeline_rows_.end(), {p.time, p.held, p.active, p.waiting});
        timeline_lengths_.push_back(static_cast<std::int64_t>(run.timeline.size()));
    }
    if (attempts_) {
        for (auto const& c : run.cancelled)
            attempt_rows_.insert(attempt_rows_.end(),
                                 {static_cast<std::int64_t>(c.request), c.start, c.end});
        attempt_lengths_.push_back(static_cast<std::int64_t>(run.cancelled.size()));
    }
    return object;
}

Answer RunArrays::answer(Json runs)
{
    Answer answer{{{"runs", std::move(runs)}}};
    if (detail_) {
        answer.arrays.push_back({"start", std::move(start_)});
        answer.arrays.push_back({"completion", std::move(completion_)});
        answer.arrays.push_back({"first_token", std::move(first_token_)});
        answer.arrays.push_back({"cancelled", std::move(cancelled_)});
    }
    if (timeline_) {
        answer.result["timeline_lengths"] = timeline_lengths_;
        answer.arrays.push_back({"timeline", std::move(timeline_rows_)});
    }
    if (attempts_) {
        answer.result["attempt_lengths"] = attempt_lengths_;
        answer.arrays.push_back({"attempts", std::move(attempt_rows_)});
    }
    return answer;
}

void add_instance(OwnedInstance const& instance, Answer& answer)
{
    answer.arrays.push_back({"prompts", instance.prompt});
    answer.arrays.push_back({"outputs", instance.output});
    answer.arrays.push_back({"arrivals", Times(instance.arrival.begin(), instance.arrival.end())});
    answer.arrays.push_back({"lower", instance.lower});
    answer.arrays.push_back({"upper", instance.upper});
}

OrderFunction asked_order(Channel& channel, std::string label)
{
    return [&channel, label = std::move(label)](Requests const& r, std::uint64_t seed,
                                                std::int64_t number) {
        auto const copy = [&](std::int32_t const* values) { return Lengths(values, values + r.n); };
        auto answer = channel.ask({{"ask", "order"},
                                   {"policy", label},
                                   {"memory", r.memory},
                                   {"seed", seed},
                                   {"number", number}},
                                  {{"prompts", copy(r.prompt)},
                                   {"outputs", copy(r.output)},
                                   {"lower", copy(r.lower)},
                                   {"upper", copy(r.upper)}});
        auto const& order = answer.times("order");
        return std::vector<std::size_t>(order.begin(), order.end());
    };
}

DecideFunction asked_decisions(Channel& channel, std::string label)
{
    return
        [&channel, label = std::move(label)](Requests const& r, std::uint64_t seed,
                                             std::int64_t number, Situation const& s, bool first) {
            Times id, arrivals;
            Lengths prompts, outputs, lower, upper, generated, cancelled;
            for (auto const list : {s.waiting, s.active})
                for (auto const& state : list) {
                    id.push_back(state.id);
                    arrivals.push_back(r.arrival[state.id]);
                    prompts.push_back(r.prompt[state.id]);
                    if (r.output != nullptr) outputs.push_back(r.output[state.id]);
                    lower.push_back(r.lower[state.id]);
                    upper.push_back(r.upper[state.id]);
                    generated.push_back(state.generated);
                    cancelled.push_back(state.cancelled);
                }
            auto answer = channel.ask({{"ask", "decision"},
                                       {"policy", label},
                                       {"first", first},
                                       {"round", s.round},
                                       {"time", s.now},
                                       {"memory", s.memory},
                                       {"free", s.free},
                                       {"waiting", s.waiting.size()},
                                       {"seed", seed},
                                       {"number", number}},
                                      {{"id", id},
                                       {"arrivals", arrivals},
                                       {"prompts", prompts},
                                       {"outputs", outputs},
                                       {"lower", lower},
                                       {"upper", upper},
                                       {"generated", generated},
                                       {"cancelled", cancelled}});
            Decision decision{answer.times("cancel"), answer.times("start"), {}};
            if (auto const& wake = answer.times("wake"); !wake.empty())
                decision.wake = wake.front();
            return decision;
        };
}

OwnOrders asked_orders(Channel& channel, Json const& head)
{
    OwnOrders own;
    for (auto const& label : value_or(head, "own", std::vector<std::string>{}))
        own[label] = {asked_order(channel, label), asked_decisions(channel, label)};
    return own;
}

} // namespace crx::serve
