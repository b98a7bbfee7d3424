#include "analysis/spectrum/step_source.hh"
#include "analysis/spectrum/tail_operator.hh"
#include "host/selftest/selftest.hh"

#include <cmath>
#include <fmt/format.h>

namespace crx {
namespace {

using spectrum::Problem;
using spectrum::StepSource;
using spectrum::TailOperator;

/// Three power steps, and the vector then.
std::vector<double> stepped(Problem const& problem, bool on_device)
{
    std::vector<double> tail(static_cast<std::size_t>(problem.size()));
    for (std::size_t k = 0; k < tail.size(); ++k)
        tail[k] = 1 + std::sin(static_cast<double>(k)) / 2;
    auto const source = spectrum::make_step_source(problem, tail, on_device);
    for (int time = 0; time < 3; ++time) source->step(2.5, 0.75);
    source->finish(tail);
    return tail;
}

} // namespace

SelftestResult selftest_spectrum_cuda(double& distance)
{
    SelftestResult result;
    distance = 0;
    for (auto const& problem : {Problem{1, 100, 0}, Problem{7, 3000, 3}, Problem{1, 300'000, 0}}) {
        auto const name = fmt::format("spectrum, l = {}, u = {}, s = {}", problem.l, problem.u,
                                      static_cast<double>(problem.s));
        try {
            auto const device = stepped(problem, true);
            result.count(device == stepped(problem, true), name + ": other digits in another run");
            auto const host = stepped(problem, false);
            double farthest = 0;
            for (std::size_t k = 0; k < host.size(); ++k)
                farthest = std::max(farthest, std::abs(device[k] / host[k] - 1));
            // Either side may be off by the bound of a step, three times.
            result.count(farthest <= 6 * TailOperator::relative_error,
                         fmt::format("{}: {} from the CPU's", name, farthest));
            distance = std::max(distance, farthest);
        } catch (std::exception const& error) {
            result.count(false, name + ": " + error.what());
        }
    }
    return result;
}

} // namespace crx
