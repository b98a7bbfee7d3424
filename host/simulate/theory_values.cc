#include "host/simulate/theory_values.hh"

#include "analysis/spectrum/problem.hh"
#include "host/error.hh"
#include "host/json_number.hh"

#include <cmath>
#include <fmt/core.h>

namespace crx {

namespace {

using bounds::Curve, bounds::CurveParameters, bounds::CurveReader;

Curve const& named_curve(std::string const& id)
{
    if (auto const* curve = bounds::find_curve(id)) return *curve;
    std::string accepted;
    for (auto const& curve : bounds::curve_catalogue())
        accepted += (accepted.empty() ? "" : ", ") + curve.id;
    throw ConfigError("bounds", "curve", id, "one of " + accepted);
}

/// Refuses pairs of which a curve would read one and pass over the other.
void refuse_both(CurveParameters const& given)
{
    static constexpr std::pair<char const*, char const*> one_of_two[] = {
        {"alpha", "l"}, {"s_over_u", "s"}, {"s_over_u", "l"}, {"t", "w"}};
    for (auto const& [name, other] : one_of_two)
        if (given.contains(name) && given.contains(other))
            refuse_curve_parameter(
                given, name, fmt::format("left out beside --{}: a curve reads one of them", other));
}

double value_of(Curve const& curve, CurveReader const& reader)
{
    double value = 0;
    try {
        value = curve.function(reader);
    } catch (std::logic_error const& error) { // outside the domain, or a parameter is missing
        throw InputError(
            fmt::format("bounds: {}: {} (reads {})", curve.id, error.what(), curve.parameters));
    }
    if (!std::isfinite(value))
        throw InputError(
            fmt::format("bounds: {}: its value here is beyond what a double holds", curve.id));
    return value;
}

/// The value at one place of lists; null outside the domain.
nlohmann::ordered_json value_or_null(Curve const& curve, CurveReader const& reader)
{
    try {
        return number_or_null(curve.function(reader));
    } catch (std::domain_error const&) {
        return nullptr;
    } catch (std::logic_error const& error) { // a parameter is missing
        throw InputError(
            fmt::format("bounds: {}: {} (reads {})", curve.id, error.what(), curve.parameters));
    }
}

/// The length that lists share.
std::size_t common_length(CurveLists const& lists)
{
    std::size_t length = 1;
    std::string longest;
    for (auto const& [name, values] : lists) {
        if (values.size() == 1 || values.size() == length) continue;
        if (length != 1)
            throw InputError(fmt::format("bounds: --{} has {} values and --{} {}\n"
                                         "  not accepted: must be lists of one length",
                                         longest, length, name, values.size()));
        length = values.size();
        longest = name;
    }
    return length;
}

} // namespace

nlohmann::ordered_json curves_as_json()
{
    auto rows = nlohmann::ordered_json::array();
    for (auto const& curve : bounds::curve_catalogue()) {
        auto const* hypotheses = bounds::hypotheses_of(curve.id);
        rows.push_back(
            {{"id", curve.id},
             {"statement", curve.statement},
             {"source", curve.source},
             {"parameters", curve.parameters},
             {"hypotheses", hypotheses == nullptr ? std::vector<std::string>{}
                                                  : bounds::all_hypotheses(*hypotheses)}});
    }
    return rows;
}

void refuse_curve_parameter(CurveParameters const& given, std::string const& name,
                            std::string const& accepted)
{
    throw ConfigError("bounds", "--" + name, fmt::format("{}", given.at(name)), accepted);
}

nlohmann::ordered_json curve_lists(std::vector<std::string> const& ids, CurveLists const& lists)
{
    auto const length = common_length(lists);
    auto const place = [&](std::size_t i) {
        CurveParameters at;
        for (auto const& [name, values] : lists) at[name] = values[values.size() == 1 ? 0 : i];
        return at;
    };
    nlohmann::ordered_json out;
    if (length == 1) {
        for (auto const& [id, value] : curve_values(ids, place(0))) out[id] = value;
        return out;
    }
    refuse_both(place(0));
    std::set<std::string> read;
    for (auto const& id : ids) {
        auto const& curve = named_curve(id);
        for (std::size_t i = 0; i < length; ++i) {
            auto const at = place(i);
            CurveReader const reader(at);
            out[id].push_back(value_or_null(curve, reader));
            read.insert(reader.read().begin(), reader.read().end());
        }
    }
    for (auto const& [name, values] : lists)
        if (!read.contains(name)) refuse_curve_parameter(place(0), name, "left out here");
    for (auto const& [name, values] : lists) out["at"][name] = values;
    return out;
}

std::vector<std::pair<std::string, double>> curve_values(std::vector<std::string> const& ids,
                                                         CurveParameters const& at)
{
    refuse_both(at);
    std::vector<std::pair<std::string, double>> values;
    std::string parameters;
    std::set<std::string> read;
    for (auto const& id : ids) {
        auto const& curve = named_curve(id);
        CurveReader const reader(at);
        values.emplace_back(id, value_of(curve, reader));
        read.insert(reader.read().begin(), reader.read().end());
        parameters +=
            fmt::format("{}{} reads {}", parameters.empty() ? "" : "; ", id, curve.parameters);
    }
    for (auto const& [name, value] : at)
        if (!read.contains(name)) refuse_curve_parameter(at, name, "left out here: " + parameters);
    return values;
}

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
