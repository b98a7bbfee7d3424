#include "analysis/worst/search/instance_class.hh"

#include <algorithm>
#include <bit>

namespace crx::worst {
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
