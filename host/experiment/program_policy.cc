#include "host/experiment/program_policy.hh"

#include "host/error.hh"
#include "kernels/engines/requests/by_key.hh"
#include "kernels/engines/requests/decided.hh"

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

namespace crx {
namespace {

using Json = nlohmann::json;

constexpr std::size_t longest_line = 1 << 20;
constexpr std::size_t most_numbers = 1'000'000; ///< of a list in an answer
constexpr double most_seconds = 86'400;

bool flag(Json const& hello, char const* key, bool otherwise)
{
    if (!hello.contains(key)) return otherwise;
    if (!hello[key].is_boolean())
        throw std::invalid_argument(
            fmt::format("{} is {}, not true or false", key, hello[key].dump()));
    return hello[key].get<bool>();
}

void accept_keys(Json const& object, std::initializer_list<char const*> known)
{
    for (auto const& [key, value] : object.items())
        if (std::ranges::none_of(known, [&](char const* name) { return key == name; }))
            throw std::invalid_argument(
                fmt::format("it has a key \"{}\"; known are {}", key, fmt::join(known, ", ")));
}

ProgramHello hello_in(std::string const& line)
{
    auto const json = Json::parse(line);
    if (!json.is_object()) throw std::invalid_argument("it is no object");
    accept_keys(json, {"asks", "version", "lists", "lengths"});
    ProgramHello hello;
    auto const asks = json.value("asks", "");
    if (asks != "order" && asks != "decisions")
        throw std::invalid_argument("\"asks\" must be \"order\" or \"decisions\"");
    hello.orders = asks == "order";
    hello.wants_lists = flag(json, "lists", true);
    hello.wants_lengths = flag(json, "lengths", true);
    if (!json.contains("version") || !json["version"].is_string())
        throw std::invalid_argument("\"version\" must be a text, another one for each change of "
                                    "what the policy does");
    hello.version = json["version"];
    return hello;
}

std::vector<std::int64_t> indices_in(Json const& answer, char const* key)
{
    std::vector<std::int64_t> numbers;
    if (!answer.contains(key)) return numbers;
    auto const& list = answer[key];
    if (!list.is_array() || list.size() > most_numbers)
        throw std::invalid_argument(fmt::format("\"{}\" is no list of requests", key));
    for (auto const& number : list) {
        if (!number.is_number_integer())
            throw std::invalid_argument(
                fmt::format("\"{}\" has {}, which is no whole number", key, number.dump()));
        numbers.push_back(number.get<std::int64_t>());
    }
    return numbers;
}

Decision decision_in(std::string const& line)
{
    auto const json = Json::parse(line);
    if (!json.is_object()) throw std::invalid_argument("it is no object");
    accept_keys(json, {"start", "cancel", "wake"});
    Decision decision{indices_in(json, "cancel"), indices_in(json, "start"), {}};
    if (json.contains("wake") && !json["wake"].is_null()) {
        if (!json["wake"].is_number_integer())
            throw std::invalid_argument("\"wake\" is " + json["wake"].dump() + ", not a round");
        decision.wake = json["wake"].get<std::int64_t>();
    }
    return decision;
}

char const* clock_name(Clock const& clock) { return clock.affine() ? "nanoseconds" : "rounds"; }

template <class Value>
void append_bytes(std::string& to, Value const* from, std::int64_t n)
{
    to.append(reinterpret_cast<char const*>(from), static_cast<std::size_t>(n) * sizeof(Value));
}

} // namespace

struct ProgramPolicy::Running
{
    explicit Running(ProgramCommand const& command) : process(command) {}
    PolicyProcess process;
    ProgramHello hello;
};

/// A program that one thread has for an instance; where that fails it is not used again.
class ProgramPolicy::Loan
{
  public:
    explicit Loan(ProgramPolicy const& policy) : policy_(policy)
    {
        {
            std::lock_guard const lock(policy.mutex_);
            if (!policy.idle_.empty()) {
                running_ = std::move(policy.idle_.back());
                policy.idle_.pop_back();
            }
        }
        if (running_ == nullptr) running_ = policy.begin();
    }
    Running& operator*() { return *running_; }
    void give_back()
    {
        std::lock_guard const lock(policy_.mutex_);
        policy_.idle_.push_back(std::move(running_));
    }

  private:
    ProgramPolicy const& policy_;
    std::unique_ptr<Running> running_;
};

namespace {

/// Asks a program for the decisions of one instance.
class AskedDecider final : public Decider
{
  public:
    AskedDecider(PolicyProcess& process, bool lists, bool lengths, Requests const& requests,
                 PolicyProcess::StopAsked stop_asked)
        : process_(process), lists_(lists), lengths_(lengths), r_(requests),
          stop_asked_(std::move(stop_asked))
    {
    }

    void begin(std::uint64_t seed, std::int64_t instance)
    {
        line_ = fmt::format(
            "{{\"begin\":{{\"instance\":{},\"seed\":{},\"memory\":{},\"clock\":\"{}\"}}}}\n",
            instance, seed, r_.memory, clock_name(r_.clock));
    }
    bool reads_lists() const override { return lists_; }

    Decision decide(Situation const& s) override
    {
        round_ = s.round;
        auto const to = std::back_inserter(line_);
        fmt::format_to(to, "{{\"round\":{},\"time\":{},\"memory\":{},\"free\":{},\"overflow\":{},",
                       s.round, s.now, s.memory, s.free, s.free < 0);
        fmt::format_to(to, "\"completed\":[{}],\"arrived\":[", fmt::join(s.completed, ","));
        for (std::size_t k = 0; k < s.arrived.size(); ++k) {
            if (k > 0) line_ += ',';
            add_request(s.arrived[k]);
            line_ += '}';
        }
        line_ += ']';
        if (lists_) {
            add_list("waiting", s.waiting);
            add_list("active", s.active);
        }
        line_ += "}\n";
        auto const answer = process_.ask_line(line_, longest_line, stop_asked_);
        line_.clear();
        try {
            return decision_in(answer);
        } catch (std::exception const& error) {
            process_.fail(fmt::format("answers in round {} with no decision: {}\n  {}", s.round,
                                      reason_of(error), answer.substr(0, 200)));
        }
    }

  private:
    void add_request(std::int64_t i)
    {
        fmt::format_to(std::back_inserter(line_),
                       "{{\"id\":{},\"arrival\":{},\"prompt\":{},\"lower\":{},\"upper\":{}", i,
                       r_.arrival[i], r_.prompt[i], r_.lower[i], r_.upper[i]);
        if (lengths_) fmt::format_to(std::back_inserter(line_), ",\"output\":{}", r_.output[i]);
    }
    void add_list(char const* name, std::span<RequestState const> list)
    {
        fmt::format_to(std::back_inserter(line_), ",\"{}\":[", name);
        for (std::size_t k = 0; k < list.size(); ++k) {
            if (k > 0) line_ += ',';
            add_request(list[k].id);
            fmt::format_to(std::back_inserter(line_), ",\"generated\":{},\"cancelled\":{}}}",
                           list[k].generated, list[k].cancelled);
        }
        line_ += ']';
    }

    PolicyProcess& process_;
    bool lists_, lengths_;
    Requests const& r_;
    PolicyProcess::StopAsked stop_asked_;
    std::string line_;
    Rounds round_ = 0;
};

Outcome run_in_order(PolicyProcess& process, Requests const& r, std::uint64_t seed,
                     std::int64_t instance, bool lengths, ScheduleLog const& log,
                     PolicyProcess::StopAsked const& stop_asked)
{
    auto bytes = fmt::format(
        "{{\"order\":{{\"instance\":{},\"seed\":{},\"memory\":{},\"clock\":\"{}\","
        "\"requests\":{},\"arrays\":[\"arrival:int64\",\"prompt:int32\",\"lower:int32\","
        "\"upper:int32\"{}]}}}}\n",
        instance, seed, r.memory, clock_name(r.clock), r.n, lengths ? ",\"output:int32\"" : "");
    append_bytes(bytes, r.arrival, r.n);
    append_bytes(bytes, r.prompt, r.n);
    append_bytes(bytes, r.lower, r.n);
    append_bytes(bytes, r.upper, r.n);
    if (lengths) append_bytes(bytes, r.output, r.n);
    auto const n = static_cast<std::size_t>(r.n);
    auto const answer = process.ask_bytes(bytes, n * sizeof(std::int32_t), stop_asked);
    std::vector<std::int32_t> order(n), rank(n, -1);
    std::memcpy(order.data(), answer.data(), answer.size());
    for (std::size_t k = 0; k < n; ++k) {
        auto const i = order[k];
        if (i < 0 || i >= r.n || rank[static_cast<std::size_t>(i)] >= 0)
            process.fail(fmt::format("answers with no order of {} requests: {} {}", n,
                                     i < 0 || i >= r.n ? "it has" : "it has twice", i));
        rank[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(k);
    }
    std::vector<std::int32_t> length(lengths ? r.output : r.upper,
                                     (lengths ? r.output : r.upper) + n);
    return execute_by_ranks(r, rank, length, OnOverflow::none, log);
}

} // namespace

ProgramPolicy::ProgramPolicy(ProgramPlan const& plan) : plan_(plan) {}
ProgramPolicy::~ProgramPolicy() = default;

std::unique_ptr<ProgramPolicy::Running> ProgramPolicy::begin() const
{
    auto running = std::make_unique<Running>(plan_.command);
    auto const greeting = fmt::format("{{\"crx\":1,\"knows_lengths\":{}}}\n", plan_.knows_lengths);
    auto const line = running->process.ask_line(greeting, longest_line, {});
    try {
        running->hello = hello_in(line);
    } catch (std::exception const& error) {
        running->process.fail(fmt::format("does not say what it asks for: {}\n  {}",
                                          reason_of(error), line.substr(0, 200)));
    }
    return running;
}

Outcome ProgramPolicy::run(Requests const& requests, std::uint64_t seed, std::int64_t instance,
                           ScheduleLog const& log) const
{
    Loan loan(*this);
    auto& [process, hello] = *loan;
    bool const lengths = plan_.knows_lengths && hello.wants_lengths;
    auto const stop_asked = [&log] { return log.should_abort(); };
    Outcome outcome;
    try {
        if (hello.orders) {
            outcome = run_in_order(process, requests, seed, instance, lengths, log, stop_asked);
        } else {
            AskedDecider decider(process, hello.wants_lists, lengths, requests, stop_asked);
            decider.begin(seed, instance);
            outcome = execute_decisions(requests, decider, log);
        }
    } catch (PolicyProcess::Aborted const&) {
        return {}; // it means nothing, as log.abort_asked said
    } catch (DecisionError const& error) {
        process.fail(fmt::format("breaks the rules: {}", error.what()));
    }
    loan.give_back();
    return outcome;
}

std::vector<std::pair<std::string, std::string>> ProgramPolicy::identity() const
{
    Loan loan(*this);
    auto const version = (*loan).hello.version;
    loan.give_back();
    std::vector<std::pair<std::string, std::string>> all{
        {"id", program_id},
        {"command", Json(plan_.command.words).dump()},
        {"knows_lengths", plan_.knows_lengths ? "true" : "false"},
        {"version", version}};
    for (auto const& word : resolved_words(plan_.command)) {
        std::error_code error;
        if (!std::filesystem::is_regular_file(word, error)) continue;
        std::ifstream file(word, std::ios::binary);
        std::ostringstream bytes;
        bytes << file.rdbuf();
        boost::uuids::name_generator_sha1 const hash(boost::uuids::ns::oid());
        all.emplace_back("hash of " + std::filesystem::path(word).filename().string(),
                         boost::uuids::to_string(hash(bytes.str())));
    }
    return all;
}

ProgramPlan read_program(ConfigReader& reader, std::filesystem::path const& folder)
{
    ProgramPlan plan;
    constexpr char const* accepted =
        "a list of texts, the program and its arguments: [\"python3\", \"my_policy.py\"]";
    auto const& value = reader.need("command", accepted);
    if (value.kind != ConfigValue::Kind::list || value.list.empty())
        reader.reject("command", value, accepted);
    for (auto const& word : value.list) {
        if (word.kind != ConfigValue::Kind::text || word.text.empty())
            reader.reject("command", value, accepted);
        plan.command.words.push_back(word.text);
    }
    plan.command.folder = folder;
    plan.command.timeout =
        reader.number("timeout", {0, most_seconds, false, true, false}, plan.command.timeout);
    plan.knows_lengths = reader.flag("knows_lengths", false);
    return plan;
}

ProgramPlan program_argument(PolicyParameters const& given)
{
    auto const text = [&](char const* name) {
        auto const found = given.find(name);
        return found == given.end() ? std::string() : found->second;
    };
    ProgramPlan plan;
    auto const command = text("command");
    if (command.starts_with('[')) {
        try {
            plan.command.words = Json::parse(command).get<std::vector<std::string>>();
        } catch (Json::exception const& error) {
            throw ConfigError("command line", "--command", command,
                              std::string("words, or a list of texts (") + reason_of(error) + ")");
        }
    } else {
        std::istringstream words(command);
        plan.command.words.assign(std::istream_iterator<std::string>(words), {});
    }
    if (plan.command.words.empty())
        throw ConfigError("command line", "--command", command,
                          "given: program and arguments, as \"python3 my_policy.py\"");
    plan.command.folder = ".";
    auto const knows = text("knows_lengths");
    if (!knows.empty() && knows != "true" && knows != "false")
        throw ConfigError("command line", "--knows-lengths", knows, "true or false");
    plan.knows_lengths = knows == "true";
    if (auto const seconds = text("timeout"); !seconds.empty()) {
        char* end = nullptr;
        plan.command.timeout = std::strtod(seconds.c_str(), &end);
        if (*end != '\0' || !(plan.command.timeout > 0 && plan.command.timeout <= most_seconds))
            throw ConfigError("command line", "--timeout", seconds,
                              "a number of seconds above 0, at most 86400");
    }
    return plan;
}

} // namespace crx
