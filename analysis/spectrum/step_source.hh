#pragma once

#include "analysis/spectrum/problem.hh"

#include <memory>
#include <vector>

namespace crx::spectrum {

/// Where power steps are taken: on the CPU in the caller's vector, or on a GPU in a copy of it.
class StepSource
{
  public:
    virtual ~StepSource() = default;
    /// As TailOperator::step.
    virtual SpectrumStep step(double theta, double shift) = 0;
    /// Leaves the vector as stepped in `tail`, the one the source was made from.
    virtual void finish(std::vector<double>& tail) = 0;
};

/// `tail` must outlive the source. Throws std::domain_error with the reason if a device is asked
/// for and there is none.
std::unique_ptr<StepSource> make_step_source(Problem const& problem, std::vector<double>& tail,
                                             bool on_device);

} // namespace crx::spectrum
