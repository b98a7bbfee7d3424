#include "host/simulate/run_report.hh"

#include "analysis/fluid/heavy_traffic.hh"
#include "host/error.hh"
#include "host/input/accepted.hh"
#include "host/json_number.hh"
#include "host/say.hh"
#include "host/simulate/simulate.hh"
#include "kernels/base/counted.hh"

#include <fmt/format.h>

namespace crx {

std::string reason_text(Unfinished reason)
{
    switch (reason) {
    case Unfinished::none: break;
    case Unfinished::cycle: return "cycles for ever";
    case Unfinished::round_cap: return "too many rounds without a completion";
    case Unfinished::blocked: return "the next request can never be admitted";
    case Unfinished::out_of_range: return "times beyond 2^62";
    }
    return "";
}

namespace {

using OrderedJson = nlohmann::ordered_json;

/// A number that a run has only where it came to its end.
OrderedJson if_there(bool there, std::int64_t value)
{
    return there ? OrderedJson(value) : OrderedJson();
}

std::string dash_or(bool there, std::int64_t value) { return there ? std::to_string(value) : "-"; }

/// Whether request i completed. A completion is a round's end, so never at 0.
bool completed(SingleRun const& run, std::size_t i) { return run.completion[i] > 0; }

/// A time in its unit: rounds, or seconds under the affine clock, as its nanoseconds are
/// unreadable.
std::string time_text(RunSubject const& subject, std::int64_t time)
{
    if (!subject.clock.affine()) return std::to_string(time);
    return fmt::format("{:.6g} s", static_cast<double>(time) * 1e-9);
}

/// A sum over requests, under the affine clock beside its share of one.
std::string shared_time(RunSubject const& subject, std::int64_t time)
{
    auto const text = time_text(subject, time);
    if (!subject.clock.affine() || subject.requests < 1) return text;
    return fmt::format("{} ({:.6g} s a request)", text,
                       static_cast<double>(time) * 1e-9 / static_cast<double>(subject.requests));
}

/// What was there when the run was given up; peak memory and cancellations are those until then.
std::string unfinished_as_text(RunSubject const& subject, SingleRun const& run)
{
    auto const& o = run.outcome;
    auto text = fmt::format("  not finished: {}\n", reason_text(o.reason));
    text += "until the run was given up\n";
    if (!run.completion.empty()) {
        std::size_t done = 0;
        for (std::size_t i = 0; i < run.completion.size(); ++i) done += completed(run, i) ? 1 : 0;
        text += fmt::format("  completed           {} of {}\n", done, run.completion.size());
    }
    return text + fmt::format("  peak memory         {} of {}\n"
                              "  cancellations       {}, {} tokens wasted\n",
                              o.peak_memory, subject.memory, o.cancellations, o.wasted_tokens);
}

} // namespace

namespace {

/// Every run of each request in the order of time, as [start, end, "cancelled"] and at the end
/// [start, completion, "completed"].
std::vector<OrderedJson> attempts_of(SingleRun const& run)
{
    std::vector<OrderedJson> attempts(run.start.size(), OrderedJson::array());
    for (auto const& c : run.cancelled)
        attempts[c.request].push_back({c.start, c.end, "cancelled"});
    for (std::size_t i = 0; i < attempts.size(); ++i)
        if (completed(run, i))
            attempts[i].push_back({run.start[i], run.completion[i], "completed"});
    return attempts;
}

OrderedJson requests_as_json(RunSubject const& subject, SingleRun const& run,
                             OwnedInstance const* instance)
{
    auto requests = OrderedJson::array();
    auto attempts = attempts_of(run);
    for (std::size_t i = 0; i < run.start.size(); ++i) {
        bool const done = completed(run, i);
        OrderedJson request{{"id", subject.request_ids[i]},
                            {"start", if_there(done, run.start[i])},
                            {"completion", if_there(done, run.completion[i])},
                            {"cancellations", run.cancellations[i]}};
        request["first_token"] = if_there(done, run.first_token[i]);
        if (instance != nullptr) {
            request["arrival"] = instance->arrival[i];
            request["prompt"] = instance->prompt[i];
            request["output"] = instance->output[i];
        }
        request["attempts"] = std::move(attempts[i]);
        requests.push_back(std::move(request));
    }
    return requests;
}

} // namespace

OrderedJson timeline_as_json(std::vector<TimelinePoint> const& timeline)
{
    std::vector<std::int64_t> time, held, active, waiting;
    for (auto const& point : timeline) {
        time.push_back(point.time);
        held.push_back(point.held);
        active.push_back(point.active);
        waiting.push_back(point.waiting);
    }
    return {{"time", time}, {"held", held}, {"active", active}, {"waiting", waiting}};
}

OrderedJson totals_as_json(RunSubject const& subject, SingleRun const& run)
{
    auto const& o = run.outcome;
    bool const finished = o.finished != 0;
    nlohmann::ordered_json object{
        {"policy", subject.policy},
        {"memory", subject.memory},
        {"n", subject.requests},
        {"seed", subject.seed},
        {"total_latency", if_there(finished, o.total_latency)},
        {"makespan", if_there(finished, o.makespan)},
        {"peak_memory", o.peak_memory},
        {"cancellations", o.cancellations},
        {"wasted_tokens", o.wasted_tokens},
        {"first_token_latency", if_there(finished, o.first_token_latency)},
        {"finished", finished},
        {"reason", reason_text(o.reason)}};
    if (auto const& c = subject.clock; c.affine()) {
        constexpr double unit = 1 << Clock::fraction_bits;
        object["clock"] = {{"unit", "ns"},
                           {"d0", c.d0},
                           {"d1", static_cast<double>(c.d1) / unit},
                           {"d2", static_cast<double>(c.d2) / unit},
                           {"d3", c.d3}};
    }
    return object;
}

OrderedJson run_as_json(RunSubject const& subject, SingleRun const& run,
                        OwnedInstance const* instance)
{
    auto const& o = run.outcome;
    auto object = totals_as_json(subject, run);
    if (subject.request_ids.empty() && subject.requests > 0)
        object["engine"] = "cohort";
    else
        object["requests"] = requests_as_json(subject, run, instance);
    if (auto const left = o.cancellations - static_cast<std::int64_t>(run.cancelled.size());
        left > 0 && !run.start.empty())
        object["attempts_left_out"] = left;
    return object;
}

std::string totals_as_text(RunSubject const& subject, SingleRun const& run)
{
    auto const& o = run.outcome;
    auto const head =
        fmt::format("{}: {}, M = {}, seed {}\n", subject.policy,
                    counted(subject.requests, "request"), subject.memory, subject.seed);
    auto const clock =
        subject.clock.affine() ? "  times in ns, clock  " + clock_text(subject.clock) + "\n" : "";
    if (o.finished == 0) return head + unfinished_as_text(subject, run) + clock;
    return head +
           fmt::format("  total latency (TEL) {}\n"
                       "  makespan            {}\n"
                       "  peak memory         {} of {}\n"
                       "  cancellations       {}, {} tokens wasted\n"
                       "  to first tokens     {}\n",
                       shared_time(subject, o.total_latency), time_text(subject, o.makespan),
                       o.peak_memory, subject.memory, o.cancellations, o.wasted_tokens,
                       shared_time(subject, o.first_token_latency)) +
           clock;
}

std::string run_as_text(RunSubject const& subject, SingleRun const& run)
{
    auto text = totals_as_text(subject, run);
    int const width = subject.clock.affine() ? 18 : 10;
    text += fmt::format("{:>12} {:>{}} {:>{}} {:>13}\n", "request", "start", width, "completion",
                        width, "cancellations");
    for (std::size_t i = 0; i < run.start.size(); ++i)
        text +=
            fmt::format("{:>12} {:>{}} {:>{}} {:>13}\n", printable_line(subject.request_ids[i]),
                        dash_or(completed(run, i), run.start[i]), width,
                        dash_or(completed(run, i), run.completion[i]), width, run.cancellations[i]);
    return text;
}

std::string timeline_as_csv(std::vector<TimelinePoint> const& timeline)
{
    std::string text = "time,held,active,waiting\n";
    for (auto const& point : timeline)
        text += fmt::format("{},{},{},{}\n", point.time, point.held, point.active, point.waiting);
    return text;
}

std::string instance_as_csv(OwnedInstance const& instance)
{
    std::string text = "id,arrival,prompt,output,lower,upper\n";
    for (std::size_t i = 0; i < instance.output.size(); ++i)
        text += fmt::format("{},{},{},{},{},{}\n", i, instance.arrival[i], instance.prompt[i],
                            instance.output[i], instance.lower[i], instance.upper[i]);
    return text;
}

std::vector<std::size_t> replayed_policies(Experiment const& experiment, std::string const& label)
{
    std::vector<std::size_t> all;
    std::vector<std::string> labels;
    for (std::size_t k = 0; k < experiment.policies.size(); ++k) {
        if (experiment.policies[k].label == label) return {k};
        all.push_back(k);
        labels.push_back(experiment.policies[k].label);
    }
    if (label.empty()) return all;
    throw ConfigError("command line", "--policy", label,
                      "one of this store's: " + listed_with_nearest(label, labels));
}

RunSubject subject_of(Cell const& cell, CellReplay const& replay, SingleRun const& run,
                      std::string const& label)
{
    auto const drawn = cell.source != nullptr;
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < run.start.size(); ++i) ids.push_back(std::to_string(i));
    return {label,
            drawn ? replay.instance().memory : cell.workload.memory,
            cell.workload.seed,
            std::move(ids),
            drawn ? replay.instance().requests() : cell.workload.requests,
            cell.workload.clock};
}

nlohmann::ordered_json path_as_json(std::string const& label, std::int64_t path,
                                    PathReplay const& run)
{
    nlohmann::ordered_json out{
        {"policy", label}, {"path", path}, {"horizons", nlohmann::ordered_json::array()}};
    for (auto const& t : run.tallies)
        out["horizons"].push_back({{"horizon", static_cast<double>(t.until) * 1e-9},
                                   {"arrivals", t.arrivals},
                                   {"completed", t.completed},
                                   {"completed_tokens", t.completed_tokens},
                                   {"mean_latency", number_or_null(fluid::latency(t))},
                                   {"mean_first_token", number_or_null(fluid::first_token(t))},
                                   {"iterations", t.iterations},
                                   {"cancelled", t.cancelled},
                                   {"overflows", t.overflows},
                                   {"peak_memory", t.peak_memory}});
    return out;
}

} // namespace crx
