#include "host/evidence/claims/closed_forms.hh"

#include "analysis/bounds/curve_catalogue.hh"
#include "analysis/bounds/geometric.hh"
#include "analysis/bounds/lemma_4_6.hh"
#include "analysis/fluid/thresholds.hh"
#include "analysis/spectrum/dominant.hh"
#include "analysis/spectrum/growth.hh"

#include <cmath>
#include <limits>
#include <mutex>
#include <stdexcept>

namespace crx::claims {

namespace {

double number(Numbers const& at, std::string const& name)
{
    auto const found = at.find(name);
    if (found == at.end()) throw std::invalid_argument("it needs a value for " + name);
    return found->second;
}

double number_or(Numbers const& at, std::string const& name, double otherwise)
{
    auto const found = at.find(name);
    return found == at.end() ? otherwise : found->second;
}

spectrum::Problem problem(Numbers const& at)
{
    return {static_cast<std::int64_t>(number_or(at, "l", 1)),
            static_cast<std::int64_t>(number(at, "u")), number_or(at, "s", 0)};
}

/// Solved once for each problem.
spectrum::Dominant dominant(Numbers const& at)
{
    static std::mutex mutex;
    static std::map<std::tuple<std::int64_t, std::int64_t, double>, spectrum::Dominant> known;
    auto const p = problem(at);
    std::lock_guard const lock(mutex);
    auto const [place, is_new] = known.try_emplace({p.l, p.u, p.s});
    if (is_new) place->second = spectrum::solve_dominant(p);
    return place->second;
}

double smallest_of_b(Numbers const& at)
{
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> const solver(spectrum::dense_b(problem(at)));
    return solver.eigenvalues().minCoeff();
}

std::string const lengths = "u[, l, s]";

std::vector<ClosedForm> make_all()
{
    std::vector<ClosedForm> all;
    for (auto const& curve : bounds::curve_catalogue()) {
        auto name = curve.id;
        for (auto& c : name)
            if (c == '-' || c == '.') c = '_';
        all.push_back({name, curve.statement, curve.parameters, [&curve](Numbers const& at) {
                           return curve.evaluate(at).value_or(
                               std::numeric_limits<double>::quiet_NaN());
                       }});
    }
    auto const add = [&](std::string const& name, std::string const& meaning,
                         std::string const& parameters,
                         std::function<double(Numbers const&)> const& value) {
        all.push_back({name, meaning, parameters, value});
    };
    add("rho", "the largest eigenvalue of B^-1 A, the supremum of Lemma 4.6", lengths,
        [](Numbers const& at) { return dominant(at).rho; });
    add("rho_lower", "certified lower end of rho", lengths,
        [](Numbers const& at) { return dominant(at).lower; });
    add("rho_upper", "certified upper end of rho", lengths,
        [](Numbers const& at) { return dominant(at).upper; });
    add("proven_lower", "lower bound on rho from sums of 1/(2k-1), s = 0", "u[, l]",
        [](Numbers const& at) { return spectrum::proven_bounds(problem(at)).lower; });
    add("proven_upper", "upper bound on rho from sums of 1/(2k-1), s = 0", "u[, l]",
        [](Numbers const& at) { return spectrum::proven_bounds(problem(at)).upper; });
    add("trace", "tr(B^-1 A) by its definition", lengths,
        [](Numbers const& at) { return spectrum::trace_by_definition(problem(at)); });
    add("harmonic", "H_u", "u", [](Numbers const& at) {
        return bounds::harmonic_number(static_cast<std::int64_t>(number(at, "u")));
    });
    add("least_eigenvalue", "the least eigenvalue of B^-1 A", lengths,
        [](Numbers const& at) { return spectrum::dense_eigenvalues(problem(at)).minCoeff(); });
    add("least_eigenvalue_b", "the least eigenvalue of B", lengths, smallest_of_b);
    add("geometric_supremum", "supremum over q and u of the fluid ratio, geometric law", "s",
        [](Numbers const& at) {
            return bounds::law_supremum(bounds::Law::geometric, number_or(at, "s", 0)).value;
        });
    add("linear_geometric_supremum", "the same, linearly weighted", "s", [](Numbers const& at) {
        return bounds::law_supremum(bounds::Law::linear_geometric, number_or(at, "s", 0)).value;
    });
    // AO Lemma 8: thresholds n_(k-1) = before and n_k = n, a share p goes on.
    auto const decays = [](Numbers const& at) {
        auto const before = number(at, "before"), n = number(at, "n");
        return n < before && n > before * number(at, "p") + 1e-9;
    };
    auto const decay = [=](auto value) {
        return [=](Numbers const& at) {
            if (!decays(at)) return std::numeric_limits<double>::quiet_NaN();
            return value(static_cast<std::int64_t>(number(at, "before")),
                         static_cast<std::int64_t>(number(at, "n")), number(at, "p"));
        };
    };
    add("decay_rate", "theta of AO Lemma 8", "before, n, p",
        decay([](auto before, auto n, double p) { return fluid::decay_rate(before, n, p); }));
    return all;
}

} // namespace

std::vector<ClosedForm> const& closed_forms()
{
    static std::vector<ClosedForm> const all = make_all();
    return all;
}

ClosedForm const* find_closed_form(std::string const& name)
{
    for (auto const& form : closed_forms())
        if (form.name == name) return &form;
    return nullptr;
}

} // namespace crx::claims
