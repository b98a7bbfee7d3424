#include "analysis/claims/words.hh"
#include "host/claims/claim_report.hh"
#include "host/library/library.hh"
#include "host/simulate/theory_values.hh"
#include "kernels/base/seconds_since.hh"

#include <chrono>

namespace crx::library {

double bound(std::string const& id, std::map<std::string, double> const& at)
{
    return curve_values({id}, at).front().second;
}

std::string bounds_as_json() { return curves_as_json().dump(2) + "\n"; }

std::string spectrum_as_json(SpectrumArguments const& arguments)
try {
    if (!(arguments.tolerance >= 0 && arguments.tolerance < 1))
        throw ConfigError("spectrum", "tolerance", std::to_string(arguments.tolerance),
                          "in [0, 1)");
    spectrum::Options options;
    options.tolerance = arguments.tolerance;
    if (arguments.method == "krylov")
        options.method = spectrum::Method::krylov;
    else if (arguments.method == "power")
        options.method = spectrum::Method::power;
    else if (arguments.method != "auto")
        throw ConfigError("spectrum", "method", arguments.method, "one of auto, krylov, power");
    spectrum::Problem const problem{arguments.l, arguments.u, arguments.s};
    spectrum::require_problem(problem, spectrum::machine_bytes());
    auto const report = spectrum_report(problem, options, arguments.definition);
    return crx::spectrum_as_json(report).dump(2) + "\n";
} catch (std::domain_error const& error) {
    throw InputError(std::string("spectrum: ") + error.what());
}

std::string claims_as_json(std::vector<std::string> const& ids)
{
    auto rows = nlohmann::ordered_json::array();
    for (auto const* claim : chosen_claims(ids)) rows.push_back(claim_as_json(*claim));
    return rows.dump(2) + "\n";
}

std::string run_claim(std::string const& id)
{
    auto const* const claim = chosen_claims({id}).front();
    if (claim->test == nullptr) return {};
    auto const start = std::chrono::steady_clock::now();
    auto const fresh = claim->test({});
    return nlohmann::ordered_json{{"fresh_verdict", claims::name_of(fresh.verdict)},
                                  {"figures", fresh.figures},
                                  {"seconds", seconds_since(start)}}
        .dump();
}

} // namespace crx::library
