#include "kernels/base/lane_checks.hh"

#include "kernels/base/lane_moves.hh"

#include <algorithm>
#include <random>

namespace crx {
namespace {

constexpr int turns = 2000;

template <class T>
struct Numbers
{
    static constexpr int count = Lanes<T>::count;
    alignas(64) T of[count];

    explicit Numbers(Lanes<T> from) { store(of, from); }
    /// Of few values, so that many are equal, or of many, up to `most` in size.
    Numbers(std::mt19937_64& rng, std::int64_t most, bool with_sign)
    {
        auto const range = rng() % 2 == 0 ? std::min<std::int64_t>(most, 2) : most;
        for (auto& x : of) {
            auto const size =
                static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(range + 1));
            x = static_cast<T>(with_sign && rng() % 2 == 0 ? -size : size);
        }
    }
    Lanes<T> lanes() const { return Lanes<T>::load(of); }
};

/// Lanes in which `found` is not what f says of the lane.
template <class T, class F>
int wrong(Lanes<T> found, F f)
{
    Numbers<T> const numbers(found);
    int wrong = 0;
    for (int k = 0; k < Lanes<T>::count; ++k) wrong += numbers.of[k] != static_cast<T>(f(k));
    return wrong;
}
template <class T, class F>
int wrong(LaneMask<T> found, F f)
{
    int wrong = 0;
    for (int k = 0; k < Lanes<T>::count; ++k)
        wrong += (bits_of(found) >> k & 1) != (f(k) ? 1u : 0u);
    return wrong + (static_cast<std::uint64_t>(bits_of(found)) >> Lanes<T>::count != 0);
}

template <class T>
int check(std::uint64_t seed, std::int64_t most, bool with_sign)
{
    std::mt19937_64 rng(seed);
    int bad = 0;
    for (int turn = 0; turn < turns; ++turn) {
        Numbers<T> const x(rng, most, with_sign), y(rng, most, with_sign);
        auto const a = x.lanes(), b = y.lanes();
        auto const bits = static_cast<std::uint32_t>(rng());
        auto const mask = LaneMask<T>::of(bits);
        auto const in = [&](int k) { return (bits >> k & 1) != 0; };
        auto const& p = x.of;
        auto const& q = y.of;
        bad += wrong(mask, in);
        auto const first = static_cast<std::int32_t>(rng() % 100);
        bad += wrong(LaneMask<T>::below(first), [&](int k) { return k < first; });
        for (auto const all : {32'768, 65'536, 1 << 20, INT32_MAX}) // past what a lane holds
            bad += wrong(LaneMask<T>::below(all), [](int) { return true; });
        bad += wrong(a + b, [&](int k) { return p[k] + q[k]; });
        bad += wrong(a - b, [&](int k) { return p[k] - q[k]; });
        bad += wrong(a * b, [&](int k) { return p[k] * q[k]; });
        bad += wrong(smaller(a, b), [&](int k) { return std::min(p[k], q[k]); });
        bad += wrong(larger(a, b), [&](int k) { return std::max(p[k], q[k]); });
        bad += wrong(equal(a, b), [&](int k) { return p[k] == q[k]; });
        bad += wrong(less(a, b), [&](int k) { return p[k] < q[k]; });
        bad += wrong(at_most(a, b), [&](int k) { return p[k] <= q[k]; });
        bad += wrong(more(mask, a, b), [&](int k) { return in(k) && p[k] > q[k]; });
        bad += wrong(at_least(mask, a, b), [&](int k) { return in(k) && p[k] >= q[k]; });
        bad += wrong(differ(mask, a, b), [&](int k) { return in(k) && p[k] != q[k]; });
        bad += wrong(not_zero(a), [&](int k) { return p[k] != 0; });
        bad += wrong(without(mask, less(a, b)), [&](int k) { return in(k) && !(p[k] < q[k]); });
        bad += wrong(mask | less(a, b), [&](int k) { return in(k) || p[k] < q[k]; });
        bad += wrong(choose(mask, a, b), [&](int k) { return in(k) ? p[k] : q[k]; });
        bad += wrong(or_zero(mask, a), [&](int k) { return in(k) ? p[k] : T{0}; });
        bad += wrong(add_where(mask, a, b), [&](int k) { return in(k) ? p[k] + q[k] : p[k]; });
        bad += wrong(larger_where(mask, a, b),
                     [&](int k) { return in(k) ? std::max(p[k], q[k]) : p[k]; });
        auto written = y;
        store_where(mask, written.of, a);
        bad += wrong(written.lanes(), [&](int k) { return in(k) ? p[k] : q[k]; });
    }
    return bad;
}

} // namespace

namespace CRX_SIMD_LEVEL {

int wrong_in_16_bits(std::uint64_t seed) { return check<std::int16_t>(seed, 32767, true); }
int wrong_in_32_bits(std::uint64_t seed) { return check<std::int32_t>(seed, 46340, true); }
int wrong_without_sign(std::uint64_t seed) { return check<std::uint32_t>(seed, 0xffffffff, false); }
int wrong_in_floats(std::uint64_t seed) { return check<float>(seed, 4095, true); }
int wrong_in_doubles(std::uint64_t seed) { return check<double>(seed, 1 << 20, true); }

/// Lanes of 16 bits as two registers of 32, quotients, the least, shifts, products, tables.
int wrong_in_parts(std::uint64_t seed)
{
    using Short = Lanes<std::int16_t>;
    std::mt19937_64 rng(seed);
    int bad = 0;
    for (int turn = 0; turn < turns; ++turn) {
        Numbers<std::int16_t> const x(rng, 32767, false);
        Numbers<std::int32_t> const y(rng, INT32_MAX, true), z(rng, INT32_MAX, true);
        Wide parts[2];
        for_each_part<Short>([&](auto p) CRX_LAMBDA_IN_LANES {
            parts[p] = part_of<p()>(x.lanes());
            bad += wrong(parts[p], [&](int k) { return x.of[p() * Wide::count + k]; });
        });
        bad += wrong(joined(parts), [&](int k) { return x.of[k]; });
        auto const bits = static_cast<std::uint32_t>(rng());
        auto const mask = LaneMask<std::int16_t>::of(bits);
        WideMask const masks[2] = {part_of<0>(mask), part_of<1>(mask)};
        bad += wrong(joined(masks), [&](int k) { return (bits >> k & 1) != 0; });
        bad += least_of(x.lanes()) != *std::ranges::min_element(x.of);
        bad += least_of(y.lanes()) != *std::ranges::min_element(y.of);
        auto divisors = x;
        for (auto& d : divisors.of) d = static_cast<std::int16_t>(1 + rng() % 64);
        bad += wrong(quotients(x.lanes(), divisors.lanes()),
                     [&](int k) { return x.of[k] / divisors.of[k]; });
        auto large = z;
        for (auto& d : large.of) d = d == 0 ? 1 : d;
        bad += wrong(quotients(y.lanes(), large.lanes()),
                     [&](int k) { return y.of[k] / large.of[k]; });
        bad += wrong(shifted_in(y.lanes(), z.lanes()),
                     [&](int k) { return k == 0 ? y.of[Wide::count - 1] : z.of[k - 1]; });
        auto const product = products(without_sign(y.lanes()), without_sign(z.lanes()));
        auto const of = [&](int k) {
            return std::uint64_t{static_cast<std::uint32_t>(y.of[k])} *
                   static_cast<std::uint32_t>(z.of[k]);
        };
        bad += wrong(product.high, [&](int k) { return of(k) >> 32; });
        bad += wrong(product.low, of);
        std::uint32_t table[64];
        for (auto& t : table) t = static_cast<std::uint32_t>(rng());
        Numbers<std::int32_t> const at(rng, 63, false);
        bad += wrong(gather(table, at.lanes()), [&](int k) { return table[at.of[k]]; });
    }
    return bad;
}

} // namespace CRX_SIMD_LEVEL
} // namespace crx
