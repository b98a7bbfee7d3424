#include "analysis/worst/instance_class.hh"

#include <algorithm>
#include <bit>
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

namespace {

/// A number in [low, high], small ones more often: its number of bits is uniform.
std::int64_t log_uniform(WordStream& words, std::int64_t low, std::int64_t high)
{
    auto const range = static_cast<std::uint64_t>(high - low) + 1;
    auto const bits = words.bounded(static_cast<std::uint64_t>(std::bit_width(range))) + 1;
    auto const within = bits >= 63 ? range : std::min(range, std::uint64_t{1} << bits);
    return low + static_cast<std::int64_t>(words.bounded(within));
}

/// Another value of one of the numbers in `values`.
template <class Value>
void change_value(std::vector<Value>& values, std::size_t i, std::int64_t low, std::int64_t high,
                  WordStream& words)
{
    auto& value = values[i];
    switch (words.bounded(6)) {
    case 0: value += 1; break;
    case 1: value -= 1; break;
    case 2: value = values[words.bounded(values.size())]; break;
    case 3: value = static_cast<Value>(words.bounded(2) == 0 ? low : high); break;
    case 4: value = static_cast<Value>(log_uniform(words, low, high)); break;
    default:
        value = static_cast<Value>(low + static_cast<std::int64_t>(words.bounded(
                                             static_cast<std::uint64_t>(high - low) + 1)));
    }
    value = static_cast<Value>(std::clamp<std::int64_t>(value, low, high));
}

/// A request goes to another place; those between move up.
void move_request(OwnedInstance& instance, std::size_t from, std::size_t to)
{
    for (; from < to; ++from) swap_requests(instance, from, from + 1);
    for (; from > to; --from) swap_requests(instance, from, from - 1);
}

void change_length(InstanceClass const& of, OwnedInstance& instance, std::size_t i,
                   WordStream& words)
{
    auto const memory = instance.memory;
    switch (words.bounded(of.told == Told::outputs ? 3 : 5)) {
    case 0: return change_value(instance.prompt, i, 0, memory - 1, words);
    case 1: {
        change_value(instance.output, i, 1, memory, words);
        if (of.restriction == Restriction::identical)
            std::ranges::fill(instance.output, instance.output[i]);
        return;
    }
    case 2: // as large as memory allows
        instance.prompt[i] = static_cast<std::int32_t>(memory) - instance.output[i];
        return;
    case 3: return change_value(instance.lower, i, 1, memory, words);
    default:
        if (of.told == Told::common) i = 0; // the one that make_member reads
        return change_value(instance.upper, i, 1, memory, words);
    }
}

void move_once(InstanceClass const& of, OwnedInstance& instance, WordStream& words)
{
    auto const n = instance.output.size();
    auto const i = words.bounded(n), j = words.bounded(n);
    switch (words.bounded(10)) {
    case 0: return swap_requests(instance, i, j);
    case 1: return move_request(instance, i, j);
    case 2: return copy_request(instance, i, j);
    case 3:
        if (n > 1) erase_request(instance, i);
        return;
    case 4:
        if (instance.requests() < of.requests) insert_copy(instance, i, j);
        return;
    case 5: {
        std::vector<Tokens> memory{instance.memory};
        change_value(memory, 0, of.least_memory(), of.memory, words);
        instance.memory = memory[0];
        return;
    }
    case 6:
        if (of.last_arrival > 0)
            return change_value(instance.arrival, i, 0, of.last_arrival, words);
        [[fallthrough]];
    default: return change_length(of, instance, i, words);
    }
}

} // namespace

OwnedInstance random_member(InstanceClass const& of, WordStream& words)
{
    OwnedInstance instance;
    auto const least = of.least_memory();
    instance.memory = least + static_cast<Tokens>(
                                  words.bounded(static_cast<std::uint64_t>(of.memory - least) + 1));
    auto const half = std::max<std::int64_t>(1, of.requests / 2);
    auto const n = half + static_cast<std::int64_t>(
                              words.bounded(static_cast<std::uint64_t>(of.requests - half) + 1));
    instance.resize(static_cast<std::size_t>(n));
    auto const two_kinds = words.bounded(2) == 0;
    auto const draw = [&](std::int64_t low) {
        return static_cast<std::int32_t>(log_uniform(words, low, instance.memory));
    };
    std::int32_t const outputs[] = {draw(1), draw(1)}, prompts[] = {draw(0), draw(0)};
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
        instance.output[i] = two_kinds ? outputs[words.bounded(2)] : draw(1);
        instance.prompt[i] = two_kinds ? prompts[words.bounded(2)] : draw(0);
        instance.lower[i] = draw(1);
        instance.upper[i] = draw(1);
        instance.arrival[i] =
            of.last_arrival > 0 ? log_uniform(words, 0, of.last_arrival) : Instant{0};
    }
    make_member(of, instance);
    return instance;
}

OwnedInstance neighbour(InstanceClass const& of, OwnedInstance const& instance, WordStream& words)
{
    auto near = instance;
    auto const moves = 1 + words.bounded(3) * words.bounded(2);
    for (std::uint64_t k = 0; k < moves; ++k) move_once(of, near, words);
    make_member(of, near);
    return near;
}

} // namespace crx::worst
