#include "analysis/worst/search/instance_class.hh"

#include <algorithm>
#include <numeric>

namespace crx::worst {
namespace {

/// s + u at most.
Tokens most_size(InstanceClass const& of, Tokens memory)
{
    return of.restriction == Restriction::small ? memory / 4 : memory;
}

bool prompts_equal(InstanceClass const& of)
{
    return of.restriction == Restriction::equal_prompts || of.restriction == Restriction::identical;
}

template <class Value>
bool all_equal(std::vector<Value> const& values)
{
    return std::ranges::all_of(values, [&](Value v) { return v == values.front(); });
}

} // namespace

Tokens InstanceClass::least_memory() const
{
    auto const longest = told == Told::common ? Tokens{alpha_denominator} : 1;
    return restriction == Restriction::small ? 4 * longest : longest;
}

void make_member(InstanceClass const& of, OwnedInstance& instance)
{
    CRX_EXPECT(of.memory >= of.least_memory() && instance.requests() >= 1);
    while (instance.requests() > of.requests) erase_request(instance, instance.output.size() - 1);
    instance.memory = std::clamp(instance.memory, of.least_memory(), of.memory);
    auto const most = static_cast<std::int32_t>(most_size(of, instance.memory));
    auto const n = instance.output.size();
    if (of.restriction == Restriction::identical)
        std::ranges::fill(instance.output, instance.output.front());
    auto const unit = of.alpha_denominator;
    auto const common_upper = std::clamp(instance.upper.front() / unit, 1, most / unit) * unit;
    for (std::size_t i = 0; i < n; ++i) {
        auto &o = instance.output[i], &l = instance.lower[i], &u = instance.upper[i];
        instance.arrival[i] = std::clamp<Instant>(instance.arrival[i], 0, of.last_arrival);
        o = std::clamp(o, 1, most);
        if (of.told == Told::outputs) l = u = o;
        if (of.told == Told::intervals) {
            u = std::clamp(u, o, most);
            l = std::clamp(l, 1, o);
        }
        if (of.told == Told::common) {
            u = common_upper;
            l = u / unit * of.alpha_numerator;
            o = std::clamp(o, l, u);
        }
        instance.prompt[i] = std::clamp(instance.prompt[i], 0, most - u);
    }
    if (of.restriction == Restriction::identical) {
        std::ranges::fill(instance.lower, instance.lower.front());
        std::ranges::fill(instance.upper, instance.upper.front());
    }
    if (prompts_equal(of)) {
        auto const longest = *std::ranges::max_element(instance.upper);
        std::ranges::fill(instance.prompt, std::min(instance.prompt.front(), most - longest));
    }
}

bool is_member(InstanceClass const& of, OwnedInstance const& instance)
{
    auto const n = instance.output.size();
    if (n < 1 || instance.requests() > of.requests || instance.memory > of.memory ||
        instance.memory < of.least_memory())
        return false;
    for (std::size_t i = 0; i < n; ++i) {
        auto const o = instance.output[i], l = instance.lower[i], u = instance.upper[i];
        if (instance.arrival[i] < 0 || instance.arrival[i] > of.last_arrival) return false;
        if (l < 1 || l > o || o > u || instance.prompt[i] < 0) return false;
        if (Tokens{instance.prompt[i]} + u > most_size(of, instance.memory)) return false;
        if (of.told == Told::outputs && l != u) return false;
        if (of.told == Told::common &&
            (u != instance.upper.front() ||
             std::int64_t{l} * of.alpha_denominator != std::int64_t{u} * of.alpha_numerator))
            return false;
    }
    if (prompts_equal(of) && !all_equal(instance.prompt)) return false;
    return of.restriction != Restriction::identical ||
           (all_equal(instance.output) && all_equal(instance.lower) && all_equal(instance.upper));
}

void erase_request(OwnedInstance& instance, std::size_t i)
{
    auto const at = static_cast<std::ptrdiff_t>(i);
    instance.arrival.erase(instance.arrival.begin() + at);
    for (auto* lengths : {&instance.prompt, &instance.output, &instance.lower, &instance.upper})
        lengths->erase(lengths->begin() + at);
}

void insert_copy(OwnedInstance& instance, std::size_t at, std::size_t from)
{
    auto const place = static_cast<std::ptrdiff_t>(at);
    auto const arrival = instance.arrival[from];
    instance.arrival.insert(instance.arrival.begin() + place, arrival);
    for (auto* lengths : {&instance.prompt, &instance.output, &instance.lower, &instance.upper}) {
        auto const length = (*lengths)[from];
        lengths->insert(lengths->begin() + place, length);
    }
}

void copy_request(OwnedInstance& instance, std::size_t to, std::size_t from)
{
    instance.arrival[to] = instance.arrival[from];
    for (auto* lengths : {&instance.prompt, &instance.output, &instance.lower, &instance.upper})
        (*lengths)[to] = (*lengths)[from];
}

void swap_requests(OwnedInstance& instance, std::size_t i, std::size_t j)
{
    std::swap(instance.arrival[i], instance.arrival[j]);
    for (auto* lengths : {&instance.prompt, &instance.output, &instance.lower, &instance.upper})
        std::swap((*lengths)[i], (*lengths)[j]);
}

} // namespace crx::worst
