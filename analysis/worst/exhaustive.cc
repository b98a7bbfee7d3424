#include "analysis/worst/exhaustive.hh"

#include "kernels/base/parallel.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <bit>
#include <charconv>
#include <numeric>

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

namespace {

constexpr std::size_t most_requests = 32;

class DepthFirst
{
  public:
    DepthFirst(std::vector<RequestKind> const& requests, Tokens memory, std::int64_t known)
        : requests_(requests), memory_(memory), best_(known)
    {
        auto const n = requests.size();
        CRX_EXPECT(n >= 1 && n <= most_requests);
        std::int64_t last = 0;
        for (auto const& r : requests) {
            auto const o = std::int64_t{r.output};
            volume_.push_back(r.prompt * o + o * (o + 1) / 2);
            last = std::max(last, r.arrival);
        }
        by_volume_.resize(n);
        std::iota(by_volume_.begin(), by_volume_.end(), 0u);
        by_output_ = by_volume_;
        std::ranges::sort(by_volume_, {}, [&](unsigned i) { return volume_[i]; });
        std::ranges::sort(by_output_, {}, [&](unsigned i) { return requests[i].output; });
        last_arrival_ = last;
        // No latency exceeds best_.
        held_.assign(static_cast<std::size_t>(last + known + 2), 0);
    }

    std::int64_t least()
    {
        auto const n = requests_.size();
        descend(0, 0, n == 32 ? ~0u : (1u << n) - 1, 0);
        return best_;
    }

  private:
    /// Lower bound on the TEL of the waiting requests, none of which starts before round t.
    std::int64_t rest(std::int64_t t, std::uint32_t waiting) const
    {
        std::int64_t sum = 0, volume = 0, free = 0, time = t;
        std::size_t longer = 0; // place in by_output_
        for (auto const i : by_volume_) {
            if ((waiting >> i & 1) == 0) continue;
            if (requests_[i].arrival > t) {
                sum += requests_[i].output;
                continue;
            }
            volume += volume_[i];
            while (free < volume) {
                ++time;
                auto const at = static_cast<std::size_t>(time);
                free += memory_ - (at < held_.size() ? held_[at] : 0);
            }
            unsigned j = by_output_[longer];
            while ((waiting >> j & 1) == 0 || requests_[j].arrival > t) j = by_output_[++longer];
            ++longer;
            sum += std::max(time, t + requests_[j].output) - requests_[i].arrival;
        }
        return sum;
    }

    bool fits(RequestKind const& r, std::int64_t t) const
    {
        for (auto j = std::int64_t{r.output}; j >= 1; --j) {
            auto const at = static_cast<std::size_t>(t + j);
            if (at >= held_.size() || held_[at] + r.prompt + j > memory_) return false;
        }
        return true;
    }

    void hold(RequestKind const& r, std::int64_t t, Tokens sign)
    {
        for (Tokens j = 1; j <= r.output; ++j)
            held_[static_cast<std::size_t>(t + j)] += sign * (r.prompt + j);
    }

    /// Round t is being decided: of those that start in it, later ones have no lower number.
    void descend(std::int64_t t, std::size_t from, std::uint32_t waiting, std::int64_t cost)
    {
        if (waiting == 0) {
            best_ = std::min(best_, cost);
            return;
        }
        for (;;) {
            if (cost + rest(t, waiting) >= best_) return;
            for (auto i = from; i < requests_.size(); ++i) {
                auto const& r = requests_[i];
                if ((waiting >> i & 1) == 0 || r.arrival > t) continue;
                // Equal requests start in their order.
                if (i > 0 && (waiting >> (i - 1) & 1) != 0 && r == requests_[i - 1]) continue;
                if (!fits(r, t)) continue;
                hold(r, t, 1);
                descend(t, i, waiting & ~(1u << i), cost + t + r.output - r.arrival);
                hold(r, t, -1);
            }
            auto const next = static_cast<std::size_t>(t + 1);
            auto const idle = next >= held_.size() || held_[next] == 0;
            if (idle && t >= last_arrival_) return; // a later round would be the same
            ++t;
            from = 0;
        }
    }

    std::vector<RequestKind> const& requests_;
    Tokens memory_;
    std::int64_t best_, last_arrival_ = 0;
    std::vector<std::int64_t> volume_;
    std::vector<unsigned> by_volume_, by_output_;
    std::vector<Tokens> held_; // at each time, by those that started
};

} // namespace

std::int64_t small_optimum(std::vector<RequestKind> const& multiset, Tokens memory,
                           std::int64_t known)
{
    return DepthFirst(multiset, memory, known).least();
}

} // namespace crx::worst
