#include "analysis/spectrum/step_source.hh"

#include "analysis/spectrum/tail_operator.hh"
#include "kernels/cuda/spectrum_operator.hh"
#include "kernels/engines/cell.hh"

#include <stdexcept>

namespace crx::spectrum {

namespace {

class HostSource : public StepSource
{
  public:
    HostSource(Problem const& problem, std::vector<double>& tail) : op_(problem), tail_(tail) {}
    SpectrumStep step(double theta, double shift) override { return op_.step(tail_, theta, shift); }
    void finish(std::vector<double>&) override {}

  private:
    TailOperator op_;
    std::vector<double>& tail_;
};

class DeviceSource : public StepSource
{
  public:
    DeviceSource(Problem const& problem, std::vector<double>& tail)
        : op_(problem.weights(), tail.data(), problem.size())
    {
    }
    SpectrumStep step(double theta, double shift) override { return op_.step(theta, shift); }
    void finish(std::vector<double>& tail) override { op_.download(tail.data()); }

  private:
    DeviceSpectrum op_;
};

} // namespace

std::unique_ptr<StepSource> make_step_source(Problem const& problem, std::vector<double>& tail,
                                             bool on_device)
{
    if (!on_device) return std::make_unique<HostSource>(problem, tail);
    if (spectrum_device_present()) return std::make_unique<DeviceSource>(problem, tail);
    throw std::domain_error("backend = cuda is not accepted: " + find_device().reason);
}

} // namespace crx::spectrum
