#pragma once

#include "support/random_composition.hh"

/// Workloads with about as much memory as lanes count one by one.
namespace crx_test {

/// Any whole number up to 2^bits, small ones as often as large ones.
inline std::int64_t pick_of_any_size(std::mt19937_64& rng, std::int64_t bits)
{
    return pick_between(rng, 0, std::int64_t{1} << pick_between(rng, 0, bits));
}

/// What is large in large_composition(): numbers up to 2^bits.
struct LargeBits
{
    std::int64_t memory, prompt, length;
};

/// About as much memory as floats count, lengths and prompts up to 500, of every twentieth workload
/// up to 2,000.
inline LargeBits large_floats(int workload)
{
    auto const length = workload % 20 == 0 ? 11 : 9;
    return {24, length, length};
}

/// As much as doubles count with long prompts, or as products of doubles are no longer exact.
inline LargeBits large_doubles(int workload)
{
    return workload % 2 == 0 ? LargeBits{51, 30, 9} : LargeBits{43, 11, 11};
}

/// Up to `most_classes` lengths; memory just below and above 2^bits and half of that, or anything
/// down to a sixteenth, filled up to twelve times.
inline crx::Workload large_composition(std::mt19937_64& rng, std::int64_t most_classes,
                                       LargeBits const& bits)
{
    crx::Workload w;
    w.seed = rng();
    w.output_kind = crx::OutputKind::composition;
    w.prompt_constant =
        static_cast<std::int32_t>(rng() % 2 == 0 ? 0 : pick_of_any_size(rng, bits.prompt));
    auto const u = static_cast<std::int32_t>(1 + pick_of_any_size(rng, bits.length));
    auto const l = static_cast<std::int32_t>(pick_between(rng, 1, u));
    w.interval = {crx::IntervalKind::common, l, u, 100, 0, 1};
    w.output_value = {l, u};
    for (auto k = pick_between(rng, 0, most_classes - 2); k > 0; --k)
        w.output_value.push_back(static_cast<std::int32_t>(pick_between(rng, l, u)));
    std::ranges::sort(w.output_value);
    auto const rest = std::ranges::unique(w.output_value);
    w.output_value.erase(rest.begin(), rest.end());
    auto const limit = std::int64_t{1} << bits.memory;
    std::int64_t const by_kind[] = {
        limit / 2 - pick_of_any_size(rng, 8), limit / 2 + pick_of_any_size(rng, 8),
        limit - 1 - pick_of_any_size(rng, 8), limit + pick_of_any_size(rng, 8),
        pick_between(rng, limit / 16, limit)};
    w.memory = by_kind[pick_between(rng, 0, 4)];
    auto const together = w.memory / (w.prompt_constant + u);
    auto const classes = static_cast<std::int64_t>(w.output_value.size());
    auto const most_requests = std::min(limit, (std::int64_t{1} << 32) - 1) - 1;
    auto const most_each = std::min(12 * together, most_requests) / classes;
    for (std::int64_t k = 0; k < classes; ++k) {
        w.output_count.push_back(pick_between(rng, 1, std::max<std::int64_t>(1, most_each)));
        w.requests += w.output_count.back();
    }
    return w;
}

/// Numbers below 2^24 of which products of floats do not say that the quotient r / s is below f,
/// and that of room and size is not: r size and s room are rounded alike, while r = s f - 1 and
/// f <= room / size.
struct HiddenQuotient
{
    std::int64_t r, s, room, size, f;

    bool holds() const
    {
        auto const product = [](std::int64_t a, std::int64_t b) {
            return static_cast<float>(a) * static_cast<float>(b);
        };
        return 0 < r && r == s * f - 1 && f * size <= room && room < 1 << 24 &&
               !(product(r, size) < product(room, s));
    }
};

/// a-max, two-point: if among the first that start as many as expected are long, or by chance as
/// many, memory holds f minus one more at their end and f at that of those that start when the
/// others leave, by a HiddenQuotient.
inline crx::Workload hidden_quotient_of_a_max(std::mt19937_64& rng)
{
    for (;;) {
        crx::Workload w;
        w.seed = rng();
        w.prompt_constant = static_cast<std::int32_t>(pick_between(rng, 0, 3));
        auto const u = static_cast<std::int32_t>(100 + pick_of_any_size(rng, 11));
        auto const l = static_cast<std::int32_t>(pick_between(rng, 1, 1 + u / 50));
        auto const reach = std::int64_t{w.prompt_constant} + u;
        auto const f = pick_between(rng, (1 << 23) / reach, ((1 << 24) - 1) / reach - 1);
        // The first are floor(M / reach) = f, `longer` of them remain.
        auto const longer = (f * l + reach) / reach;
        w.memory = f * reach + longer * reach - f * l - 1;
        if (!HiddenQuotient{w.memory - longer * reach, reach - l, w.memory, reach, f}.holds())
            continue;
        w.output_kind = crx::OutputKind::composition;
        w.interval = {crx::IntervalKind::common, l, u, 100, 0, 1};
        w.output_value = {l, u};
        w.output_count = {2 * (f - longer), 2 * longer};
        w.requests = 2 * f;
        return w;
    }
}

/// mc-sf and a-ell, two-point: `first` requests that start with the shorter working length leave
/// memory for f minus one more at their end, and for f of the longer one at theirs, by a
/// HiddenQuotient. Under mc-sf they are the short ones; under a-ell those that start when the very
/// first leave, of which `before` fill the memory and are long as a rule.
inline crx::Workload hidden_quotient_of_ends(std::mt19937_64& rng, bool a_ell)
{
    for (;;) {
        crx::Workload w;
        w.seed = rng();
        w.prompt_constant = static_cast<std::int32_t>(pick_of_any_size(rng, 12));
        auto const u = static_cast<std::int32_t>(10 + pick_of_any_size(rng, 11));
        auto const l = static_cast<std::int32_t>(pick_between(rng, (3 * u + 4) / 5, u - 1));
        auto const size = std::int64_t{w.prompt_constant} + u, s = size - u + l;
        auto const f = pick_between(rng, (1 << 23) / s, ((1 << 24) - 1) / size - 1);
        auto const first = (f * size + s) / s - f; // at least (f size + 1) / s - f
        w.memory = s * (f + first) - 1;
        if (first < 1 || !HiddenQuotient{w.memory - first * s, s, w.memory, size, f}.holds())
            continue;
        auto const before = a_ell ? w.memory / s : 0, rest = a_ell ? 0 : 2 * f;
        w.output_kind = crx::OutputKind::composition;
        w.interval = {crx::IntervalKind::common, l, u, 100, 0, 1};
        w.output_value = {l, u};
        w.requests = before + first + rest;
        auto const shorter = a_ell ? pick_between(rng, 1, 1 + (before - f) / 2) : first;
        w.output_count = {shorter, w.requests - shorter};
        return w;
    }
}

/// mc-sf, the same with prompts so long that there are but a few hundred requests, of which one is
/// short.
inline crx::Workload hidden_quotient_of_few(std::mt19937_64& rng)
{
    for (;;) {
        crx::Workload w;
        auto const f = pick_between(rng, 100, 300);
        auto const longer = pick_between(rng, (1 << 23) / (f * f), (1 << 24) / (f * f));
        auto const s = f * longer + 1, size = s + longer;
        w.memory = f * size;
        if (!HiddenQuotient{w.memory - s, s, w.memory, size, f}.holds()) continue;
        auto const l = static_cast<std::int32_t>(pick_between(rng, 1, 50));
        auto const u = static_cast<std::int32_t>(l + longer);
        w.prompt_constant = static_cast<std::int32_t>(s - l);
        w.output_kind = crx::OutputKind::composition;
        w.interval = {crx::IntervalKind::common, l, u, 100, 0, 1};
        w.output_value = {l, u};
        w.output_count = {1, 2 * f};
        w.requests = 1 + 2 * f;
        return w;
    }
}

} // namespace crx_test
