#pragma once

#include "analysis/spectrum/problem.hh"

#include <span>
#include <vector>

namespace crx::spectrum {

/// What one application Y = W^-1 M X tells about the largest eigenvalue; sums over all k.
struct SpectrumStep
{
    double norm2;     ///< sum W X^2, which is x'Bx
    double cross;     ///< sum W X (Y - theta X), which is x'Ax - theta x'Bx
    double residual2; ///< sum W (Y - theta X)^2, squared B^-1-norm of Ax - theta Bx
    double low;       ///< least Y_k / X_k
    double high;      ///< largest Y_k / X_k
};

/// B^-1 A in tail coordinates, X -> W^-1 M X, without its matrix: O(u) time, O(u/256) extra memory.
///
/// For k > l, with X_l apart,
///     (MX)_k = ((s+l) X_l + sum_{i>l} X_i)/2 + h_k (f_l X_l + sum_{l<i<k} f_i X_i)/2
///              + f_k (sum_{j>k} h_j X_j)/2 + rest(k) X_k,
/// a prefix sum, a suffix sum and a total. Sums run over blocks of 256 in parallel; block sums are
/// joined by compensated sums in index order, so the result does not depend on the thread count.
///
/// Error: where X >= 0 every term is non-negative, so nothing cancels and each entry has relative
/// error at most `relative_error`: at most 255 additions inside a block, 40 roundings outside.
class TailOperator
{
  public:
    static constexpr std::int64_t block = 256;
    /// 300 units of 2^-53 (about 3.4e-14), a proven bound, not an estimate.
    static constexpr double relative_error = 300 * 0x1p-53;

    /// The problem must be valid (require_problem).
    explicit TailOperator(Problem const& problem);

    Problem const& problem() const { return problem_; }

    /// Bytes of the block sums.
    double bytes() const { return 16.0 * static_cast<double>(prefix_.size()); }

    /// y = W^-1 M x. Sizes are u-l+1; x and y may be the same.
    void apply(std::span<double const> x, std::span<double> y);

    /// x <- (W^-1 M + shift) x / (theta + shift), and what the application tells about x as it was.
    /// theta is any guess of the eigenvalue; a good one makes `cross` and `residual2` accurate.
    SpectrumStep step(std::span<double> x, double theta, double shift);

  private:
    struct Entries
    {
        std::int64_t from;
        std::int64_t count;
        double weight[block];
        double x[block];
        double y[block];
    };

    double gather(double const* x);
    void compute(std::int64_t which, double const* x, double common, Entries& entries) const;
    template <class Visitor>
    Visitor sweep(double const* x, Visitor const& empty);

    Problem problem_;
    std::vector<double> prefix_; // per block: sum of f_i X_i over l <= i before the block
    std::vector<double> suffix_; // per block: sum of h_j X_j over j after the block
    double first_suffix_ = 0;    // sum of h_j X_j over j > l
};

} // namespace crx::spectrum
