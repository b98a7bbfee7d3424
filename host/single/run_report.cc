#include "host/single/run_report.hh"

#include "host/single/clock_argument.hh"

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

nlohmann::ordered_json run_as_json(RunSubject const& subject, SingleRun const& run)
{
    auto requests = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < run.start.size(); ++i)
        requests.push_back({{"id", subject.request_ids[i]},
                            {"start", run.start[i]},
                            {"completion", run.completion[i]},
                            {"cancellations", run.cancellations[i]}});
    nlohmann::ordered_json object{{"policy", subject.policy},
                                  {"memory", subject.memory},
                                  {"n", subject.requests},
                                  {"seed", subject.seed},
                                  {"total_latency", run.outcome.total_latency},
                                  {"makespan", run.outcome.makespan},
                                  {"peak_memory", run.outcome.peak_memory},
                                  {"cancellations", run.outcome.cancellations},
                                  {"wasted_tokens", run.outcome.wasted_tokens},
                                  {"first_token_latency", run.outcome.first_token_latency},
                                  {"finished", run.outcome.finished != 0},
                                  {"reason", reason_text(run.outcome.reason)}};
    if (auto const& c = subject.clock; c.affine()) {
        constexpr double unit = 1 << Clock::fraction_bits;
        object["clock"] = {{"unit", "ns"},
                           {"d0", c.d0},
                           {"d1", static_cast<double>(c.d1) / unit},
                           {"d2", static_cast<double>(c.d2) / unit},
                           {"d3", c.d3}};
    }
    if (subject.request_ids.empty() && subject.requests > 0)
        object["engine"] = "cohort";
    else
        object["requests"] = std::move(requests);
    return object;
}

std::string totals_as_text(RunSubject const& subject, SingleRun const& run)
{
    auto const& o = run.outcome;
    if (o.finished == 0)
        return fmt::format("{}: {} requests, M = {}, seed {}\n  not finished: {}\n", subject.policy,
                           subject.requests, subject.memory, subject.seed, reason_text(o.reason));
    return fmt::format(
        "{}: {} requests, M = {}, seed {}\n"
        "  total latency (TEL) {}\n"
        "  makespan            {}\n"
        "  peak memory         {} of {}\n"
        "  cancellations       {}, {} tokens wasted\n"
        "  to first tokens     {}\n{}",
        subject.policy, subject.requests, subject.memory, subject.seed, o.total_latency, o.makespan,
        o.peak_memory, subject.memory, o.cancellations, o.wasted_tokens, o.first_token_latency,
        subject.clock.affine() ? "  times in ns, clock  " + clock_text(subject.clock) + "\n" : "");
}

std::string run_as_text(RunSubject const& subject, SingleRun const& run)
{
    auto text = totals_as_text(subject, run);
    if (run.outcome.finished == 0) return text;
    int const width = subject.clock.affine() ? 18 : 10;
    text += fmt::format("{:>12} {:>{}} {:>{}} {:>13}\n", "request", "start", width, "completion",
                        width, "cancellations");
    for (std::size_t i = 0; i < run.start.size(); ++i)
        text += fmt::format("{:>12} {:>{}} {:>{}} {:>13}\n", subject.request_ids[i], run.start[i],
                            width, run.completion[i], width, run.cancellations[i]);
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

} // namespace crx
