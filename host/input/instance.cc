#include "host/input/instance.hh"

#include "host/error.hh"
#include "host/input/accepted.hh"
#include "host/input/csv_reader.hh"
#include "host/input/text_file.hh"
#include "host/input/trace.hh"

#include <algorithm>
#include <functional>
#include <limits>

namespace crx {

namespace {

constexpr std::int64_t most_tokens = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t last_arrival = 1'000'000'000'000;
constexpr std::int64_t last_nanosecond = 4'000'000'000'000'000'000; ///< as a trace's
constexpr std::size_t most_requests = 100'000'000;

/// Sorted by hash, so that ten million ids need one pass and no copies.
void check_ids_differ(std::vector<Request> const& requests, std::string const& file)
{
    std::vector<std::pair<std::size_t, std::size_t>> by_hash;
    by_hash.reserve(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i)
        by_hash.emplace_back(std::hash<std::string>{}(requests[i].id), i);
    std::sort(by_hash.begin(), by_hash.end());
    auto earliest = requests.size();
    std::size_t first = 0;
    for (std::size_t start = 0, end = 0; start < by_hash.size(); start = end) {
        for (end = start + 1; end < by_hash.size() && by_hash[end].first == by_hash[start].first;)
            ++end;
        for (auto a = start; a < end; ++a)
            for (auto b = a + 1; b < end && by_hash[b].second < earliest; ++b)
                if (requests[by_hash[a].second].id == requests[by_hash[b].second].id) {
                    first = by_hash[a].second;
                    earliest = by_hash[b].second;
                }
    }
    if (earliest < requests.size())
        throw InputError(file + ":" + std::to_string(requests[earliest].line) + ": id " +
                         requests[earliest].id + " was given before, on line " +
                         std::to_string(requests[first].line));
}

} // namespace

std::vector<std::string> const& prompt_columns()
{
    static std::vector<std::string> const names{"prompt", "num_prefill_tokens", "question_length"};
    return names;
}

std::vector<std::string> const& output_columns()
{
    static std::vector<std::string> const names{"output", "num_decode_tokens", "answer_length"};
    return names;
}

std::vector<Request> read_instance(std::filesystem::path const& file,
                                   std::vector<std::string>* ignored, InstanceTimes times)
{
    CsvReader csv(file);
    bool const timed = times == InstanceTimes::nanoseconds;
    std::vector<std::string> known{"id", "arrival", "lower", "upper", "order"};
    known.insert(known.end(), prompt_columns().begin(), prompt_columns().end());
    known.insert(known.end(), output_columns().begin(), output_columns().end());
    std::vector<std::string> silent{"num_total_tokens", "pd_ratio"};
    (timed ? known : silent).push_back("arrived_at");
    auto const is_in = [](std::vector<std::string> const& names, std::string const& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (auto const& column : csv.columns()) {
        if (is_in(silent, column)) {
            if (ignored != nullptr) ignored->push_back(column);
        } else if (!is_in(known, column)) {
            csv.fail("unknown column \"" + column.substr(0, 40) +
                     "\"; known are: " + listed_with_nearest(column, known));
        }
    }
    auto const prompt = csv.need_column("prompt", prompt_columns());
    auto const output = csv.need_column("output", output_columns());
    auto const id = csv.find_column({"id"});
    auto const arrival = csv.find_column({"arrival"});
    auto const arrived_at = timed ? csv.find_column({"arrived_at"}) : std::nullopt;
    if (arrival && arrived_at) csv.fail("two columns for the arrival: arrival and arrived_at");
    auto const arrival_of = [&]() -> std::int64_t {
        if (arrival) return csv.integer(*arrival, 0, timed ? last_nanosecond : last_arrival);
        if (!arrived_at) return 0;
        auto const time = decimal_nanoseconds(csv.field(*arrived_at));
        if (!time)
            csv.fail("arrived_at = " + std::string(csv.field(*arrived_at)) +
                     "\n  not accepted: must be seconds as a plain decimal from 0 to 4000000000");
        return *time;
    };
    auto const lower = csv.find_column({"lower"});
    auto const upper = csv.find_column({"upper"});
    auto const order = csv.find_column({"order"});

    std::vector<Request> requests;
    while (csv.next()) {
        if (requests.size() == most_requests)
            csv.fail("more than " + std::to_string(most_requests) + " requests");
        Request request;
        request.line = csv.line_number();
        request.id = id ? std::string(csv.field(*id)) : std::to_string(requests.size());
        if (request.id.empty()) csv.fail("the id is empty");
        if (!is_utf8(request.id)) csv.fail("the id is not UTF-8");
        request.arrival = arrival_of();
        request.prompt = static_cast<std::int32_t>(csv.integer(prompt, 0, most_tokens));
        request.output = static_cast<std::int32_t>(csv.integer(output, 1, most_tokens));
        request.lower = lower ? static_cast<std::int32_t>(csv.integer(*lower, 1, request.output))
                              : request.output;
        request.upper =
            upper ? static_cast<std::int32_t>(csv.integer(*upper, request.output, most_tokens))
                  : request.output;
        if (order) request.order = csv.integer(*order, 0, last_nanosecond);
        requests.push_back(std::move(request));
    }
    if (requests.empty()) throw InputError(file.string() + ": no request after the header");
    if (id) check_ids_differ(requests, file.string());
    return requests;
}

std::string not_used_text(std::filesystem::path const& file, std::string const& column)
{
    return file.string() + ": column " + column +
           (column == "arrived_at"
                ? " is in seconds and not used here, where time is in rounds; crx simulate --clock "
                  "uses it"
                : " is not used");
}

void check_fits(std::vector<Request> const& requests, std::filesystem::path const& file,
                Tokens memory, bool plans_with_upper)
{
    for (auto const& request : requests) {
        auto const check = [&](char const* sum, std::int64_t length) {
            if (request.prompt + length > memory)
                throw InputError(file.string() + ":" + std::to_string(request.line) + ": request " +
                                 request.id + ": " + sum + " = " + std::to_string(request.prompt) +
                                 " + " + std::to_string(length) + " = " +
                                 std::to_string(request.prompt + length) +
                                 " exceeds M = " + std::to_string(memory));
        };
        check("s + o", request.output);
        if (plans_with_upper) check("s + u", request.upper);
    }
}

} // namespace crx
