#include "host/single/spectrum_report.hh"

#include "analysis/spectrum/trace.hh"

namespace crx {

SpectrumReport spectrum_report(spectrum::Problem const& problem, spectrum::Options const& options,
                               bool definition)
{
    SpectrumReport report{problem, spectrum::solve_dominant(problem, options),
                          spectrum::trace_closed_form(problem)};
    report.definition = definition || problem.size() <= 10'000'000;
    report.other_trace = report.definition ? spectrum::trace_by_definition(problem)
                                           : spectrum::trace_of_tail_form(problem);
    if (problem.s == 0) report.proven = spectrum::proven_bounds(problem);
    return report;
}

nlohmann::ordered_json spectrum_as_json(SpectrumReport const& report)
{
    auto const& [problem, found, trace, other, definition, proven] = report;
    nlohmann::ordered_json object = {
        {"u", problem.u},
        {"l", problem.l},
        {"s", problem.s},
        {"alpha", problem.alpha()},
        {"rho", found.rho},
        {"error", found.error()},
        {"lower", found.lower},
        {"upper", found.upper},
        {"converged", found.converged},
        {"residual", found.residual},
        {"iterations", found.iterations},
        {"negative_entries", found.negative_entries},
        {"trace", trace},
        {"trace_check", definition ? "definition" : "tail form"},
        {"trace_relative_error", other / trace - 1},
        {"seconds", found.seconds},
        {"bytes", found.bytes},
    };
    if (proven) {
        object["proven_lower"] = proven->lower;
        object["proven_upper"] = proven->upper;
    }
    return object;
}

} // namespace crx
