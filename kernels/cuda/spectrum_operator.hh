#pragma once

#include "kernels/base/host_device.cuh"

#include <cstdint>
#include <memory>

namespace crx {

/// Weights of CHEN's quadratic variants in tail coordinates, X_k = x_k + ... + x_u (any l, s).
///
/// In them B is the diagonal W and A is M, whose entries are all positive
/// (docs/model.md#closed-forms, a_ij, b_ij differenced in both indices; docs/findings/spectrum.md,
/// Lemma 1):
///
///     W_l = l(s+l),  W_k = 2k-1+s                                   for k > l
///     M_ij = (e_i e_j + f_i h_j)/2                                  for i < j
///     M_ll = l(s+l), M_kk = 1/2 + rest(k) = 1 + (k-1)/(s+k)         for k > l
///
/// with e_l = s+l, e_k = 1; f_l = l(s+l)^2, f_k = k(s+k)^2 - (k-1)(s+k-1)^2;
/// h_k = 1/((s+k)(s+k-1)). Each function has relative error below 8 units of 2^-53: every
/// expression is a sum of non-negative terms. `k` is a length in tokens, as a double (below 2^53).
struct SpectrumWeights
{
    double l; ///< shortest length, tokens, >= 1
    double s; ///< prompt, tokens, >= 0

    CRX_HD double w_first() const { return l * (s + l); }
    CRX_HD double e_first() const { return s + l; }
    CRX_HD double f_first() const { return l * (s + l) * (s + l); }
    CRX_HD double w(double k) const { return 2 * k - 1 + s; }
    CRX_HD double f(double k) const
    {
        double const p = s + k;
        return p * p + (k - 1) * (2 * p - 1);
    }
    CRX_HD double h(double k) const { return 1 / ((s + k) * (s + k - 1)); }
    /// 1/2 + (k-1)/(s+k), from h = h(k) without another division.
    CRX_HD double rest(double k, double h_of_k) const
    {
        return 0.5 + (k - 1) * (s + k - 1) * h_of_k;
    }
};

/// What one application Y = W^-1 M X tells about the largest eigenvalue; sums over all k.
struct SpectrumStep
{
    double norm2;     ///< sum W X^2, which is x'Bx
    double cross;     ///< sum W X (Y - theta X), which is x'Ax - theta x'Bx
    double residual2; ///< sum W (Y - theta X)^2, squared B^-1-norm of Ax - theta Bx
    double low;       ///< least Y_k / X_k
    double high;      ///< largest Y_k / X_k
};

/// True if a CUDA device can be used (find_device).
bool spectrum_device_present();

/// X -> W^-1 M X on a GPU: the same step as analysis/spectrum's TailOperator, its sums
/// of compensated pairs, so with the same bound on the relative error of each entry (300 units of
/// 2^-53). The order of the additions is fixed (pair_sums.cuh), so each run gives the same digits;
/// it is not the CPU's, so its last digits may be others.
///
/// Device memory: 8 bytes a length. Throws std::runtime_error naming the CUDA call that failed.
class DeviceSpectrum
{
  public:
    /// Copies the tail vector of `size` lengths, size >= 1.
    DeviceSpectrum(SpectrumWeights const& weights, double const* tail, std::int64_t size);
    ~DeviceSpectrum();
    DeviceSpectrum(DeviceSpectrum const&) = delete;
    DeviceSpectrum& operator=(DeviceSpectrum const&) = delete;

    /// x <- (W^-1 M + shift) x / (theta + shift), and what it tells about x as it was.
    SpectrumStep step(double theta, double shift);

    /// Copies the vector back.
    void download(double* tail) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace crx
