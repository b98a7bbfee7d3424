#include "host/simulate/schedule_file.hh"

#include "host/error.hh"
#include "host/experiment/own_order.hh"
#include "host/input/table_reader.hh"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace crx {

namespace {

constexpr std::int64_t latest_start = std::int64_t{1} << 52;

} // namespace

std::string schedule_as_csv(std::vector<Request> const& requests, OwnedInstance const& instance,
                            baseline::Starts const& starts)
{
    auto const quoted = [](std::string const& id) {
        if (id.find_first_of(",\" ") == std::string::npos) return id;
        std::string text = "\"";
        for (char const c : id) text += c == '"' ? "\"\"" : std::string(1, c);
        return text + "\"";
    };
    std::string text = "id,start,completion\n";
    for (std::size_t i = 0; i < starts.size(); ++i)
        text += fmt::format("{},{},{}\n", quoted(requests[i].id), starts[i],
                            starts[i] + instance.output[i]);
    return text;
}

baseline::Starts read_schedule(std::filesystem::path const& file,
                               std::vector<Request> const& requests)
{
    TableReader csv(file);
    auto const id = csv.need_column("id", {"id"});
    auto const start = csv.need_column("start", {"start"});
    auto const completion = csv.find_column({"completion"});
    std::unordered_map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < requests.size(); ++i) place.emplace(requests[i].id, i);
    baseline::Starts starts(requests.size(), -1);
    while (csv.next()) {
        auto const found = place.find(std::string(csv.field(id)));
        if (found == place.end())
            csv.fail("no request of the instance has the id \"" + std::string(csv.field(id)) +
                     "\"");
        auto& given = starts[found->second];
        if (given >= 0) csv.fail("request " + found->first + " is named twice");
        given = csv.integer(start, 0, latest_start);
        auto const end = given + requests[found->second].output;
        if (completion && csv.integer(*completion, 0, 2 * latest_start) != end)
            csv.fail("request " + found->first + " starts at " + std::to_string(given) +
                     " and completes at " + std::to_string(end) + ", start + output");
    }
    for (std::size_t i = 0; i < requests.size(); ++i)
        if (starts[i] < 0)
            throw InputError(file.string() + ": request " + requests[i].id + " has no row");
    return starts;
}

void add_own_schedule(baseline::Hindsight& result, OwnedInstance const& instance,
                      std::string const& id, std::vector<std::size_t> const& order,
                      std::string const& place)
{
    auto const run = execute_own_order(instance, order, place);
    if (run.outcome.finished == 0)
        throw InputError(place + ": " + id + " does not finish before 2^62 rounds");
    if (auto const fault = baseline::schedule_fault(instance, run.start))
        throw std::logic_error(id + ": no schedule: " + *fault);
    auto const latency = run.outcome.total_latency;
    result.upper = result.schedules.empty() ? latency : std::min(result.upper, latency);
    result.schedules.push_back({id, run.start, latency});
}

} // namespace crx
