#include "analysis/spectrum/scan.hh"

#include "analysis/spectrum/compensated_sum.hh"
#include "kernels/base/parallel.hh"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace crx::spectrum {

namespace {

constexpr std::int64_t block = 256;
using Range = tbb::blocked_range<std::int64_t>;

// Inclusive scan of `at(0), at(1), ..`; `at` gives the i-th value to be summed by reference.
template <class At>
void scan(std::int64_t n, At at)
{
    auto const blocks = (n + block - 1) / block;
    std::vector<double> offset(static_cast<std::size_t>(blocks));
    auto const each_block = [&](auto body) {
        crx::parallel_for(Range(0, blocks, 64), [&](Range const& range) {
            for (auto b = range.begin(); b < range.end(); ++b)
                body(b, b * block, std::min(n, (b + 1) * block));
        });
    };
    each_block([&](std::int64_t b, std::int64_t from, std::int64_t to) {
        double sum = 0;
        for (auto i = from; i < to; ++i) sum += at(i);
        offset[b] = sum;
    });
    CompensatedSum before;
    for (auto& entry : offset) {
        double const own = entry;
        entry = before.value();
        before.add(own);
    }
    each_block([&](std::int64_t b, std::int64_t from, std::int64_t to) {
        double sum = 0;
        for (auto i = from; i < to; ++i) {
            sum += at(i);
            at(i) = offset[b] + sum;
        }
    });
}

} // namespace

void prefix_sum(std::span<double> values)
{
    scan(static_cast<std::int64_t>(values.size()),
         [&](std::int64_t i) -> double& { return values[i]; });
}

void suffix_sum(std::span<double> values)
{
    auto const n = static_cast<std::int64_t>(values.size());
    scan(n, [&](std::int64_t i) -> double& { return values[n - 1 - i]; });
}

} // namespace crx::spectrum
