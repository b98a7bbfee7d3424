#include "host/single/run_report.hh"

#include <fmt/format.h>

namespace crx {

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
                                  {"finished", run.outcome.finished != 0}};
    if (subject.request_ids.empty() && subject.requests > 0)
        object["engine"] = "cohort";
    else
        object["requests"] = std::move(requests);
    return object;
}

std::string totals_as_text(RunSubject const& subject, SingleRun const& run)
{
    auto const& o = run.outcome;
    return fmt::format("{}: {} requests, M = {}, seed {}\n"
                       "  total latency (TEL) {}\n"
                       "  makespan            {}\n"
                       "  peak memory         {} of {}\n"
                       "  cancellations       {}, {} tokens wasted\n",
                       subject.policy, subject.requests, subject.memory, subject.seed,
                       o.total_latency, o.makespan, o.peak_memory, subject.memory, o.cancellations,
                       o.wasted_tokens);
}

std::string run_as_text(RunSubject const& subject, SingleRun const& run)
{
    auto text = totals_as_text(subject, run);
    text += fmt::format("{:>12} {:>10} {:>10} {:>13}\n", "request", "start", "completion",
                        "cancellations");
    for (std::size_t i = 0; i < run.start.size(); ++i)
        text += fmt::format("{:>12} {:>10} {:>10} {:>13}\n", subject.request_ids[i], run.start[i],
                            run.completion[i], run.cancellations[i]);
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
