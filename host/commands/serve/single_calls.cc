#include "analysis/baseline/hindsight.hh"
#include "host/commands/serve/calls.hh"
#include "host/experiment/own_order.hh"
#include "host/simulate/schedule_file.hh"
#include "host/simulate/simulate.hh"
#include "kernels/cpu/single.hh"

#include <fmt/core.h>
#include <numeric>
#include <tbb/parallel_for.h>

namespace crx::serve {

namespace {

/// The instances of a request, whose arrays have them one after the other.
class Instances
{
  public:
    explicit Instances(Message& request) : request_(request)
    {
        auto const& outputs = request.lengths("outputs");
        sizes_ = value_or(request.head, "sizes", std::vector<std::size_t>{outputs.size()});
        for (auto const n : sizes_) {
            begins_.push_back(total_);
            total_ += n;
        }
        for (char const* name : {"prompts", "outputs", "lower", "upper"})
            if (request.has(name)) require_length(name, request.lengths(name).size());
        if (request.has("arrivals"))
            require_length("arrivals", request.times("arrivals").size());
        else
            zeros_.resize(total_);
        memory_ = numbers("memory", 0);
        if (std::ranges::any_of(memory_, [](auto m) { return m < 1; }))
            throw InputError("serve: memory\n  not accepted: must be whole numbers above 0");
    }

    std::size_t count() const { return sizes_.size(); }
    std::size_t begin_of(std::size_t k) const { return begins_[k]; }
    std::size_t size_of(std::size_t k) const { return sizes_[k]; }
    std::string place(std::size_t k) const
    {
        return count() == 1 ? "the instance" : fmt::format("instance {}", k);
    }

    /// Engines only read the arrays.
    Requests requests(std::size_t k, Clock const& clock)
    {
        auto const at = begins_[k];
        auto* const outputs = request_.lengths("outputs").data() + at;
        auto const other = [&](char const* name) {
            return request_.has(name) ? request_.lengths(name).data() + at : outputs;
        };
        auto* const arrivals =
            request_.has("arrivals") ? request_.times("arrivals").data() + at : zeros_.data() + at;
        return {static_cast<std::int64_t>(sizes_[k]),
                memory_[k],
                arrivals,
                request_.lengths("prompts").data() + at,
                outputs,
                other("lower"),
                other("upper"),
                clock};
    }

    /// A key that is a number for all, or a list of one for each.
    std::vector<std::int64_t> numbers(char const* key, std::int64_t otherwise) const
    {
        auto const& head = request_.head;
        if (head.contains(key) && head[key].is_array()) {
            auto list = value_or(head, key, std::vector<std::int64_t>{});
            if (list.size() != count())
                throw InputError(fmt::format("serve: {} has {} values for {} instances", key,
                                             list.size(), count()));
            return list;
        }
        return std::vector<std::int64_t>(count(), value_or(head, key, otherwise));
    }

    /// An order of an instance's requests in an array that has those of all.
    std::vector<std::size_t> order(std::string const& array, std::size_t k)
    {
        auto const& all = request_.times(array);
        require_length(array, all.size());
        auto const from = all.begin() + static_cast<std::ptrdiff_t>(begins_[k]);
        return {from, from + static_cast<std::ptrdiff_t>(sizes_[k])};
    }

  private:
    void require_length(std::string const& name, std::size_t length) const
    {
        if (length != total_)
            throw InputError(fmt::format("serve: {} has {} values, and the instances have {}", name,
                                         length, total_));
    }

    Message& request_;
    std::vector<std::size_t> sizes_, begins_;
    std::size_t total_ = 0;
    std::vector<std::int64_t> memory_;
    Times zeros_;
};

OwnedInstance copy_of(Requests const& r)
{
    auto const n = static_cast<std::size_t>(r.n);
    OwnedInstance instance;
    instance.memory = r.memory;
    instance.clock = r.clock;
    instance.arrival.assign(r.arrival, r.arrival + n);
    instance.prompt.assign(r.prompt, r.prompt + n);
    instance.output.assign(r.output, r.output + n);
    instance.lower.assign(r.lower, r.lower + n);
    instance.upper.assign(r.upper, r.upper + n);
    return instance;
}

void check_fits(Requests const& r, bool plans_with_upper, std::string const& place)
{
    auto const check = [&](std::int64_t i, char const* sum, std::int32_t length) {
        if (Tokens{r.prompt[i]} + length > r.memory)
            throw InputError(fmt::format("{}: request {}: {} = {} + {} = {} exceeds M = {}", place,
                                         i, sum, r.prompt[i], length, Tokens{r.prompt[i]} + length,
                                         r.memory));
    };
    for (std::int64_t i = 0; i < r.n; ++i) {
        if (r.prompt[i] < 0 || r.output[i] < 1 || r.arrival[i] < 0 || r.lower[i] > r.output[i] ||
            r.lower[i] < 1 || r.upper[i] < r.output[i])
            throw InputError(fmt::format("{}: request {}: prompt >= 0, output >= 1, arrival >= 0 "
                                         "and 1 <= lower <= output <= upper are needed",
                                         place, i));
        check(i, "s + o", r.output[i]);
        if (plans_with_upper) check(i, "s + u", r.upper[i]);
    }
}

ClockArguments clock_of(Json const& head)
{
    ClockArguments out;
    if (!head.contains("clock") || head["clock"].is_null()) return out;
    auto const& clock = head["clock"];
    if (clock.is_string()) {
        out.profile = clock.get<std::string>();
        return out;
    }
    static constexpr char const* names[] = {"d0", "d1", "d2", "d3"};
    for (int k = 0; k < 4; ++k)
        if (clock.contains(names[k])) out.cost[k] = value_or(clock, names[k], 0.0);
    return out;
}

} // namespace

Answer simulate(Message& request)
{
    auto const& head = request.head;
    Instances instances(request);
    auto const numbers = instances.numbers("number", 0);
    auto const memory = instances.numbers("memory", 0);
    auto const parameters = value_or(head, "parameters", Json::object());
    SimulateRequest asked{value_or(head, "policy", std::string()),
                          value_or(parameters, "selector", std::string()),
                          parameters_in(parameters),
                          {},
                          value_or(head, "seed", std::uint64_t{0}),
                          0};
    auto const clocks = clock_of(head);
    bool const registered = find_policy(asked.policy) != nullptr;
    auto const function = value_or(head, "function", std::string()); // that made the order
    RunArrays arrays(head);
    std::vector<SingleRun> runs(instances.count());
    std::vector<RunSubject> subjects(runs.size());
    auto const run_one = [&](std::size_t k) {
        auto one = asked;
        one.number = numbers[k];
        one.clock = clock_argument(clocks, memory[k]);
        auto const spec = check_simulation(one);
        auto const requests = instances.requests(k, one.clock);
        check_fits(requests, plans_with_upper(one), instances.place(k));
        subjects[k] = {one.policy, requests.memory, one.seed, {}, requests.n, one.clock};
        if (registered)
            runs[k] = execute_single(spec, requests, one.seed, one.number);
        else
            runs[k] = crx::simulate(one, copy_of(requests),
                                    one.policy == own_order_id ? instances.order("order", k)
                                                               : std::vector<std::size_t>{},
                                    instances.place(k) +
                                        (function.empty() ? "" : ": policy " + function));
    };
    if (runs.size() == 1)
        run_one(0);
    else
        tbb::parallel_for(std::size_t{0}, runs.size(), run_one);
    auto list = Json::array();
    for (std::size_t k = 0; k < runs.size(); ++k)
        list.push_back(arrays.add(subjects[k], asked.policy, !request.has("arrivals"), runs[k]));
    return arrays.answer(std::move(list));
}

Answer baseline(Message& request)
{
    auto const& head = request.head;
    Instances instances(request);
    auto const evaluations = value_or(head, "evaluations", std::int64_t{0});
    auto const nodes = value_or(head, "nodes", std::int64_t{0});
    bool const counted = evaluations > 0 || nodes > 0;
    baseline::HindsightLimits limits;
    limits.seconds = value_or(head, "seconds", counted ? 1e9 : 10.0);
    if (!(limits.seconds > 0 && limits.seconds <= 1e9))
        throw ConfigError("command line", "--time-limit", fmt::format("{}", limits.seconds),
                          "a number of seconds above 0, at most 10000000");
    limits.seed = value_or(head, "seed", std::uint64_t{1});
    limits.evaluations_a_request = evaluations;
    limits.steps = value_or(head, "steps", std::int64_t{0});
    if (nodes > 0) limits.nodes = nodes;
    limits.stop = stop_asked;
    Answer answer{{{"found", Json::array()}}};
    Times starts;
    for (std::size_t k = 0; k < instances.count(); ++k) {
        auto const requests = instances.requests(k, {});
        check_fits(requests, false, instances.place(k));
        auto const instance = copy_of(requests);
        auto result = baseline::hindsight(instance, limits);
        for (auto const& name : value_or(head, "orders", std::vector<std::string>{}))
            add_own_schedule(result, instance, name, instances.order("order:" + name, k),
                             instances.place(k));
        if (result.schedules.empty())
            throw InputError(instances.place(k) +
                             ": no schedule was found whose total latency is below 2^62");
        Json found{{"lower", result.lower},
                   {"upper", result.upper},
                   {"bounds", Json::array()},
                   {"schedules", Json::array()}};
        for (auto const& bound : result.bounds)
            found["bounds"].push_back(
                {bound.id, bound.value ? Json(*bound.value) : Json(), bound.remark});
        for (auto const& schedule : result.schedules) {
            found["schedules"].push_back({schedule.id, schedule.total_latency});
            starts.insert(starts.end(), schedule.starts.begin(), schedule.starts.end());
        }
        answer.result["found"].push_back(std::move(found));
    }
    answer.arrays.push_back({"starts", std::move(starts)});
    return answer;
}

} // namespace crx::serve
