#pragma once

#include "kernels/backends/cuda/spectrum_weights.cuh"

#include <cstdint>
#include <memory>

namespace crx {

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
