#include "oracle/rules.hh"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace oracle {

Rule rule_of(Policy const& policy)
{
    for (std::uint32_t k = 0; k < std::size(rule_ids); ++k)
        if (policy.id == rule_ids[k]) return static_cast<Rule>(k);
    throw std::invalid_argument("oracle: no policy " + policy.id);
}

static bool reads_lower(Rule rule)
{
    return rule == Rule::a_min || rule == Rule::a_min_evict || rule == Rule::a_ell ||
           rule == Rule::a_ladder;
}

static bool reads_upper(Rule rule)
{
    return rule == Rule::a_max || rule == Rule::a_ell || rule == Rule::a_ladder;
}

void check_requests(Rule rule, std::vector<Request> const& requests, std::int64_t memory)
{
    for (std::size_t i = 0; i < requests.size(); ++i) {
        Request const& r = requests[i];
        auto refuse = [i](char const* why) {
            throw std::invalid_argument("request " + std::to_string(i) + ": " + why);
        };
        if (r.arrival < 0 || r.prompt < 0 || r.output < 1)
            refuse("arrival and prompt must be at least 0, output at least 1");
        if (reads_lower(rule) && (r.lower < 1 || r.lower > r.output))
            refuse("lower must be in 1 .. output");
        if (reads_upper(rule) && r.upper < r.output) refuse("upper must be at least output");
        if (r.prompt + r.output > memory) refuse("prompt + output exceeds the memory");
        if (reads_upper(rule) && r.prompt + r.upper > memory)
            refuse("prompt + upper exceeds the memory");
    }
}

std::int64_t ladder_level(Policy const& policy, Request const& request, std::int64_t floor)
{
    for (std::int64_t level : policy.levels)
        if (level >= floor) return std::min(level, request.upper);
    return request.upper;
}

namespace {

/// What the check sees of a job: prompt, start p, length e.
struct Planned
{
    std::int64_t prompt, start, expected;
};

} // namespace

bool feasible(std::vector<Job> const& jobs, Job const& candidate, std::int64_t now,
              std::int64_t memory, bool weightless_outlived)
{
    std::vector<Planned> together{{candidate.request.prompt, now, candidate.expected}};
    for (Job const& j : jobs) {
        if (j.state != State::active) continue;
        std::int64_t const tokens = now - j.start;
        if (weightless_outlived && tokens >= j.expected) continue;
        together.push_back({j.request.prompt, j.start, std::max(j.expected, tokens + 1)});
    }
    for (Planned const& one : together) {
        std::int64_t const time = one.start + one.expected;
        std::int64_t sum = 0;
        for (Planned const& j : together)
            if (1 <= time - j.start && time - j.start <= j.expected)
                sum += j.prompt + time - j.start;
        if (sum > memory) return false;
    }
    return true;
}

} // namespace oracle
