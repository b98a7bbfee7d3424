#include "analysis/spectrum/tail_operator.hh"

#include "analysis/spectrum/double_double.hh"
#include "kernels/base/parallel.hh"

#include <algorithm>
#include <limits>

namespace crx::spectrum {

namespace {

constexpr std::int64_t blocks_a_task = 64; // fixed: reductions are deterministic
using Range = tbb::blocked_range<std::int64_t>;

// What a sweep does with its entries: a value that tasks fill and join in index order.
struct Writer
{
    double* output;

    template <class Entries>
    void visit(Entries const& entries)
    {
        std::copy(entries.y, entries.y + entries.count, output + entries.from);
    }
    void join(Writer const&) {}
};

struct Stepper
{
    double* vector;
    double theta;
    double shift;
    CompensatedSum norm2{};
    CompensatedSum cross{};
    CompensatedSum residual2{};
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    template <class Entries>
    void visit(Entries const& entries)
    {
        double const scale = 1 / (theta + shift);
        double sums[3] = {0, 0, 0};
        for (std::int64_t i = 0; i < entries.count; ++i) {
            double const x = entries.x[i];
            double const difference = entries.y[i] - theta * x;
            double const weighted = entries.weight[i] * x;
            sums[0] += weighted * x;
            sums[1] += weighted * difference;
            sums[2] += entries.weight[i] * difference * difference;
            low = std::min(low, entries.y[i] / x);
            high = std::max(high, entries.y[i] / x);
            vector[entries.from + i] = (entries.y[i] + shift * x) * scale;
        }
        norm2.add(sums[0]);
        cross.add(sums[1]);
        residual2.add(sums[2]);
    }

    void join(Stepper const& right)
    {
        norm2.add(right.norm2);
        cross.add(right.cross);
        residual2.add(right.residual2);
        low = std::min(low, right.low);
        high = std::max(high, right.high);
    }
};

} // namespace

TailOperator::TailOperator(Problem const& problem)
    : problem_(problem), prefix_((problem.size() - 1 + block - 1) / block), suffix_(prefix_.size())
{
}

// Fills the block sums; returns the sum of X past the first entry.
double TailOperator::gather(double const* x)
{
    auto const weights = problem_.weights();
    auto const n = problem_.size();
    auto const l = static_cast<double>(problem_.l);
    auto const blocks = static_cast<std::int64_t>(prefix_.size());
    auto const sum_blocks = [&](Range const& range, CompensatedSum total) {
        for (auto b = range.begin(); b < range.end(); ++b) {
            auto const from = 1 + b * block;
            double sums[3] = {0, 0, 0};
            for (auto i = from; i < std::min(from + block, n); ++i) {
                double const k = l + static_cast<double>(i);
                sums[0] += x[i];
                sums[1] += weights.f(k) * x[i];
                sums[2] += weights.h(k) * x[i];
            }
            total.add(sums[0]);
            prefix_[b] = sums[1];
            suffix_[b] = sums[2];
        }
        return total;
    };
    auto const join = [](CompensatedSum left, CompensatedSum const& right) {
        left.add(right);
        return left;
    };
    auto const total = crx::parallel_deterministic_reduce(Range(0, blocks, blocks_a_task),
                                                          CompensatedSum{}, sum_blocks, join);
    CompensatedSum before;
    before.add(weights.f_first() * x[0]);
    for (auto& entry : prefix_) {
        double const own = entry;
        entry = before.value();
        before.add(own);
    }
    CompensatedSum after;
    for (auto entry = suffix_.rbegin(); entry != suffix_.rend(); ++entry) {
        double const own = *entry;
        *entry = after.value();
        after.add(own);
    }
    first_suffix_ = after.value();
    return total.value();
}

void TailOperator::compute(std::int64_t which, double const* x, double common,
                           Entries& entries) const
{
    auto const weights = problem_.weights();
    auto const n = entries.count = std::min(block, problem_.size() - 1 - which * block);
    entries.from = 1 + which * block;
    double const k0 = static_cast<double>(problem_.l + entries.from);
    double before[block];
    double after[block];
    double h[block];
    for (std::int64_t i = 0; i < n; ++i) {
        double const k = k0 + static_cast<double>(i);
        entries.x[i] = x[entries.from + i];
        h[i] = weights.h(k);
        before[i] = weights.f(k) * entries.x[i];
        after[i] = h[i] * entries.x[i];
    }
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        double const own = before[i];
        before[i] = prefix_[which] + sum;
        sum += own;
    }
    sum = 0;
    for (auto i = n; i-- > 0;) {
        double const own = after[i];
        after[i] = suffix_[which] + sum;
        sum += own;
    }
    for (std::int64_t i = 0; i < n; ++i) {
        double const k = k0 + static_cast<double>(i);
        entries.weight[i] = weights.w(k);
        entries.y[i] = (common + (h[i] * before[i] + weights.f(k) * after[i]) / 2 +
                        weights.rest(k, h[i]) * entries.x[i]) /
                       entries.weight[i];
    }
}

template <class Visitor>
Visitor TailOperator::sweep(double const* x, Visitor const& empty)
{
    auto const weights = problem_.weights();
    double const rest = gather(x);
    double const common = (weights.e_first() * x[0] + rest) / 2;
    Entries first{};
    first.count = 1;
    first.weight[0] = weights.w_first();
    first.x[0] = x[0];
    first.y[0] = x[0] + (weights.e_first() * rest + weights.f_first() * first_suffix_) /
                            (2 * weights.w_first());

    auto const visit_blocks = [&](Range const& range, Visitor visitor) {
        Entries entries;
        for (auto b = range.begin(); b < range.end(); ++b) {
            compute(b, x, common, entries);
            visitor.visit(entries);
        }
        return visitor;
    };
    auto const join = [](Visitor left, Visitor const& right) {
        left.join(right);
        return left;
    };
    auto const blocks = static_cast<std::int64_t>(prefix_.size());
    auto visitor = crx::parallel_deterministic_reduce(Range(0, blocks, blocks_a_task), empty,
                                                      visit_blocks, join);
    visitor.visit(first);
    return visitor;
}

void TailOperator::apply(std::span<double const> x, std::span<double> y)
{
    sweep(x.data(), Writer{y.data()});
}

SpectrumStep TailOperator::step(std::span<double> x, double theta, double shift)
{
    auto const result = sweep(x.data(), Stepper{x.data(), theta, shift});
    return {result.norm2.value(), result.cross.value(), result.residual2.value(), result.low,
            result.high};
}

} // namespace crx::spectrum
