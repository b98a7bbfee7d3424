#include "analysis/worst/exhaustive.hh"

#include "analysis/worst/small_optimum.hh"
#include "kernels/base/parallel.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <charconv>

namespace crx::worst {
namespace {

constexpr std::int64_t block_size = 64;

void fill(OwnedInstance& instance, std::vector<RequestKind> const& requests)
{
    instance.resize(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        instance.arrival[i] = requests[i].arrival;
        instance.prompt[i] = requests[i].prompt;
        instance.output[i] = requests[i].output;
        instance.lower[i] = requests[i].lower;
        instance.upper[i] = requests[i].upper;
    }
}

void append(std::string& text, std::int64_t value)
{
    char digits[24];
    auto const end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    text.append(digits, end);
}

/// What a side of the ratio is on one instance.
struct ExactSide
{
    std::optional<ExactFraction> value;
    bool endless = false;

    static ExactSide of(ExactCost const& cost, OwnedInstance const& instance)
    {
        try {
            return {cost.latency(instance)};
        } catch (EndlessChoices const&) {
            return {std::nullopt, true};
        }
    }
};

void append(std::string& text, ExactSide const& side)
{
    auto const& value = side.value;
    if (!value)
        text += side.endless ? '~' : '-';
    else if (value->below == 1 && value->above <= INT64_MAX)
        append(text, static_cast<std::int64_t>(value->above));
    else
        text += value->text();
}

std::uint64_t hash_of(std::vector<RequestKind> const& requests, ExactSide const& above,
                      ExactSide const& below)
{
    thread_local std::string line;
    line.clear();
    for (auto const& r : requests) {
        if (!line.empty()) line += ';';
        std::int64_t const fields[] = {r.arrival, r.prompt, r.output, r.lower, r.upper};
        for (std::size_t k = 0; k < std::size(fields); ++k) {
            if (k > 0) line += ' ';
            append(line, fields[k]);
        }
    }
    line += '|';
    append(line, above);
    line += '|';
    append(line, below);
    line += '\n';
    std::uint64_t hash = 14695981039346656037u; // FNV-1a
    for (auto const c : line) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return hash;
}

} // namespace

void Exhausted::add(Exhausted const& later)
{
    multisets += later.multisets;
    instances += later.instances;
    unfinished += later.unfinished;
    endless += later.endless;
    hash += later.hash;
    if (!later.maximum) return;
    if (!maximum || *maximum < *later.maximum) {
        maximum = later.maximum;
        at_maximum = 0;
        worst = later.worst;
    } else if (!(*maximum == *later.maximum)) {
        return;
    }
    at_maximum += later.at_maximum;
}

ExhaustiveSearch::ExhaustiveSearch(InstanceClass const& of, ExactCost numerator,
                                   ExactDenominator denominator)
    : class_(of), numerator_(std::move(numerator)), denominator_(std::move(denominator)), lists_(of)
{
}

Exhausted ExhaustiveSearch::run(std::int64_t first, std::int64_t end) const
{
    auto const blocks = (end - first + block_size - 1) / block_size;
    std::vector<Exhausted> parts(static_cast<std::size_t>(blocks));
    crx::parallel_for(std::int64_t{0}, blocks, [&](std::int64_t k) {
        auto const from = first + k * block_size;
        parts[static_cast<std::size_t>(k)] = run_block(from, std::min(end, from + block_size));
    });
    Exhausted all;
    for (auto const& part : parts) all.add(part);
    return all;
}

std::int64_t ExhaustiveSearch::common_denominator(std::vector<RequestKind> const& multiset,
                                                  OwnedInstance const& instance) const
{
    auto const bound = class_.last_arrival == 0 ? volume_bound(instance) : release_bound(instance);
    if (denominator_.volume) return bound;
    static auto const shortest_first = exact_policy_cost({ShortestFirst::kind, {}});
    auto const known = static_cast<std::int64_t>(shortest_first.latency(instance)->above);
    return known == bound ? known : small_optimum(multiset, instance.memory, known);
}

Exhausted ExhaustiveSearch::run_block(std::int64_t first, std::int64_t end) const
{
    Exhausted result;
    OwnedInstance instance;
    instance.memory = class_.memory;
    auto const matters = [this](RequestKind const& a, RequestKind const& b) {
        return numerator_.place_matters(a, b) ||
               (denominator_.cost && denominator_.cost->place_matters(a, b));
    };
    lists_.for_each(first, end, [&](std::vector<RequestKind> const& multiset) {
        ++result.multisets;
        fill(instance, multiset);
        ExactSide below;
        if (!denominator_.cost)
            below.value = ExactFraction{common_denominator(multiset, instance), 1};
        for_each_order(multiset, matters, [&](std::vector<RequestKind> const& requests) {
            ++result.instances;
            fill(instance, requests);
            auto const above = ExactSide::of(numerator_, instance);
            if (denominator_.cost) below = ExactSide::of(*denominator_.cost, instance);
            result.hash += hash_of(requests, above, below);
            if (!above.value || !below.value) {
                ++(above.endless || below.endless ? result.endless : result.unfinished);
                return;
            }
            auto const ratio = *above.value / *below.value;
            if (result.maximum && ratio < *result.maximum) return;
            if (!result.maximum || *result.maximum < ratio) {
                result.maximum = ratio.reduced();
                result.at_maximum = 0;
                result.worst = instance;
            }
            ++result.at_maximum;
        });
    });
    return result;
}

} // namespace crx::worst
