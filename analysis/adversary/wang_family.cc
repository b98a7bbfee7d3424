#include "analysis/adversary/wang_family.hh"

#include <algorithm>
#include <cmath>

namespace crx {
namespace {

RequestGroup group(std::int64_t prompt, std::int64_t output, std::int64_t count)
{
    RequestGroup g;
    g.prompt = static_cast<std::int32_t>(prompt);
    g.output = g.lower = g.upper = static_cast<std::int32_t>(output);
    g.count = count;
    return g;
}

std::int64_t half_root(std::int64_t root)
{
    return std::llround(std::sqrt(static_cast<double>(root)));
}

using Groups = std::vector<RequestGroup>;

Groups theorem_1(std::int64_t q) { return {group(q - 1, 1, q * q), group(1, 2, q * q * q)}; }

/// Y = M^1.25: MC-SF has X Y / sqrt M = M^1.75 of waiting by the second group, which served first
/// costs 3 Y^2 / M = 3 M^1.5; with M^1.5 / 2 for the first group the ratio is about 2/7 M^0.25.
Groups theorem_1_fewer(std::int64_t q)
{
    return {group(q - 1, 1, q * q), group(1, 2, q * q * half_root(q))};
}

/// sqrt M requests that fill memory alone, and M of (1, 2): M^1.5 against 3 M + M / 2.
Groups theorem_1_full(std::int64_t q) { return {group(q * q - 1, 1, q), group(1, 2, q * q)}; }

Groups theorem_ec_1(std::int64_t q) { return {group(1, q - 1, q * q), group(q, 1, q * q * q)}; }

/// Y = M^1.25: M^2.25 of waiting against M^2 / 2 + Y^2 / (2 sqrt M) = M^2.
Groups theorem_ec_1_fewer(std::int64_t q)
{
    return {group(1, q - 1, q * q), group(q, 1, q * q * half_root(q))};
}

/// One request that stays for M rounds before sqrt M that fill memory alone: M^1.5 of waiting
/// against M / 2 + M, the printed 2/3 M^0.5.
Groups theorem_ec_1_full(std::int64_t q)
{
    return {group(1, q * q - 2, 1), group(q * q - 1, 1, q)};
}

/// Against Sorted-F, with requests that vanish against M = r^4. r of (S - 1, 1) fill memory but for
/// less than S, S = floor(M / (r + 1)) + 1, and Y = sqrt(2) L batches of them stand before
/// k = r (L - 2) - 1 long ones (0, L), L = r - 1, which would fit beside them from the start: F of
/// a batch is 1 / r, that with j long ones (r + j L) / (r + j)^2 is more for j <= k, and all long
/// ones have k L < S tokens. So they wait Y rounds: r Y^2 / 2 + k (Y + L) against r Y^2 / 2 + k L,
/// at most 1 + 1 / sqrt 2.
Groups sorted_f_waits(std::int64_t q)
{
    auto const r = half_root(q), length = r - 1;
    auto const size = q * q / (r + 1) + 1;
    auto const batches = std::llround(std::sqrt(2.0) * static_cast<double>(length));
    return {group(size - 1, 1, r * batches), group(0, length, r * (length - 2) - 1)};
}

} // namespace

std::vector<WangFamily> const& wang_families()
{
    static std::vector<WangFamily> const families{
        {"theorem-1", "M of (sqrt M - 1, 1), M^1.5 of (1, 2)", "mc-sf", 1, 2, 2.0 / 13, 0.5, true,
         theorem_1},
        {"theorem-1-fewer", "M of (sqrt M - 1, 1), M^1.25 of (1, 2)", "mc-sf", 2, 4, 2.0 / 7, 0.25,
         false, theorem_1_fewer},
        {"theorem-1-full", "sqrt M of (M - 1, 1), M of (1, 2)", "mc-sf", 1, 2, 2.0 / 7, 0.5, false,
         theorem_1_full},
        {"theorem-ec-1", "M of (1, sqrt M - 1), M^1.5 of (sqrt M, 1)", "mc-sf-total", 1, 2, 2.0 / 3,
         0.5, true, theorem_ec_1},
        {"theorem-ec-1-fewer", "M of (1, sqrt M - 1), M^1.25 of (sqrt M, 1)", "mc-sf-total", 2, 4,
         1, 0.25, false, theorem_ec_1_fewer},
        {"theorem-ec-1-full", "1 of (1, M - 2), sqrt M of (M - 1, 1)", "mc-sf-total", 1, 2, 2.0 / 3,
         0.5, false, theorem_ec_1_full},
        {"sorted-f-waits", "sqrt 2 r^2 of about (r^3, 1), r^2 of (0, r), r = M^0.25", "sorted-f", 2,
         16, 1.7071067811865476, 0, false, sorted_f_waits},
    };
    return families;
}

WangFamily const* find_wang_family(std::string_view id)
{
    auto const found = std::ranges::find(wang_families(), id, &WangFamily::id);
    return found == wang_families().end() ? nullptr : &*found;
}

} // namespace crx
