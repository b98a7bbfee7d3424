#include "host/input/instance.hh"

#include "host/error.hh"

#include <algorithm>
#include <functional>

namespace crx {

// Sorted by hash, so that ten million ids need one pass and no copies.
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
