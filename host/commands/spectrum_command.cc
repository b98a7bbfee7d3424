#include "analysis/bounds/lemma_4_6.hh"
#include "analysis/spectrum/dominant.hh"
#include "analysis/spectrum/figures.hh"
#include "analysis/spectrum/growth.hh"
#include "analysis/spectrum/problem.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/commands/figure_document.hh"
#include "host/error.hh"
#include "host/json_number.hh"
#include "host/output_file.hh"
#include "host/simulate/theory_values.hh"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

using namespace spectrum;
using OrderedJson = nlohmann::ordered_json;

struct SpectrumOptions
{
    std::int64_t u = 0;
    std::vector<std::int64_t> l = {1};
    std::vector<double> s = {0};
    std::string method = "auto";
    double tolerance = 1e-12;
    bool definition = false;
    bool growth = false;
    bool alphas = false;
    bool json = false, document = false;
};

Options solver_options(SpectrumOptions const& given)
{
    if (!(given.tolerance >= 0 && given.tolerance < 1))
        throw std::domain_error(
            fmt::format("tolerance = {} is not accepted: must be in [0, 1)", given.tolerance));
    Options options;
    options.method = given.method == "krylov"  ? spectrum::Method::krylov
                     : given.method == "power" ? spectrum::Method::power
                                               : spectrum::Method::automatic;
    options.tolerance = given.tolerance;
    return options;
}

void report_one(SpectrumOptions const& given)
{
    auto const report = spectrum_report({given.l.front(), given.u, given.s.front()},
                                        solver_options(given), given.definition);
    if (given.json) {
        fmt::print("{}\n", spectrum_as_json(report).dump(2));
        return;
    }
    auto const& [problem, found, closed, other, definition, proven] = report;
    fmt::print("lengths {}..{}, prompts {}: alpha = {:.6g}\n", problem.l, problem.u, problem.s,
               problem.alpha());
    fmt::print("rho(B^-1 A)   {:.15g}\n", found.rho);
    fmt::print("error         {:.2g}, certified: in [{:.16g}, {:.16g}]{}\n", found.error(),
               found.lower, found.upper, found.converged ? "" : " (tolerance not met)");
    fmt::print("residual      {:.2g} in the B^-1-norm\n", found.residual);
    fmt::print("iterations    {} applications, O(u) each\n", found.iterations);
    fmt::print("eigenvector   {}\n",
               found.negative_entries == 0
                   ? "no negative entry: a composition, so rho is reached"
                   : fmt::format("{} entries negative by rounding", found.negative_entries));
    fmt::print("trace         {:.15g}{}; by {}: {:.1g} relative\n", closed,
               problem.l == 1 && problem.s == 0 ? " = H_u" : "", // H_u only then
               definition ? "its definition" : "the tail form", other / closed - 1);
    if (proven)
        fmt::print("proven        {:.12g} <= rho <= {:.12g}\n", proven->lower, proven->upper);
    fmt::print("time, memory  {:.2f} s, {:.3g} GB\n", found.seconds, found.bytes / 1e9);
}

// The published fit's own data, found by refitting: u = 2..1999 with matrices of u+1 lengths.
LogarithmicFit refit_figure_1()
{
    std::vector<double> us;
    std::vector<double> rhos;
    for (int u = 2; u < 2000; ++u) {
        us.push_back(u);
        rhos.push_back(solve_dominant({1, u + 1, 0}).rho);
    }
    return fit_logarithm(us, rhos);
}

/// Refuses, before any row is printed, what one of the problems would refuse.
void check_all(SpectrumOptions const& given)
{
    solver_options(given);
    for (double const s : given.s)
        for (auto const l : given.l) require_problem({l, given.u, s}, machine_bytes());
}

/// Refuses options that would be passed over.
void check_together(SpectrumOptions const& given)
{
    bool const single = !given.growth && !given.alphas;
    if (given.document && single) throw std::domain_error("--document is of --growth or --alphas");
    if (given.growth && given.alphas)
        throw std::domain_error("--growth and --alphas are two tables: give one of them");
    if (given.definition && !single) throw std::domain_error("--definition is of a single rho");
    if (!given.alphas && (given.l.size() != 1 || given.s.size() != 1))
        throw std::domain_error("several l or s are accepted with --alphas only");
}

/// Rows as CSV, or as a list of objects with `--json`.
class Rows
{
  public:
    explicit Rows(std::vector<char const*> names) : names_(std::move(names)) {}

    struct Value
    {
        double number;
        char const* format;
    };
    void add(std::vector<Value> const& values)
    {
        OrderedJson row;
        for (std::size_t k = 0; k < names_.size(); ++k) {
            auto const& [number, format] = values[k];
            bool const there = !std::isnan(number);
            row[names_[k]] = number_or_null(number);
            text_ += k == 0 ? "" : ",";
            if (there) text_ += fmt::format(fmt::runtime(format), number);
        }
        text_ += "\n";
        json_.push_back(std::move(row));
    }
    void print(bool json, std::string const& below = {}) const
    {
        write_stdout(json ? json_.dump(1) + "\n"
                          : fmt::format("{}\n{}{}", fmt::join(names_, ","), text_, below));
    }

  private:
    std::vector<char const*> names_;
    std::string text_;
    OrderedJson json_ = OrderedJson::array();
};

void report_growth(SpectrumOptions const& given)
{
    if (given.s.front() != 0 || given.l.front() != 1)
        throw std::domain_error("growth is of l = 1, s = 0; for others see --alphas");
    auto const points = growth(growth_points(1, given.u), 1, 0, solver_options(given));
    if (given.document) return write_stdout(figure_document(growth_figure(points)).dump(1) + "\n");
    Rows rows({"u", "rho", "error", "iterations", "slope", "proven_lower", "proven_upper",
               "asymptotic", "published_fit", "H_u"});
    for (auto const& point : points) {
        auto const proven = proven_bounds({1, point.u, 0});
        auto const u = static_cast<double>(point.u);
        rows.add({{u, "{:.0f}"},
                  {point.rho, "{:.15g}"},
                  {point.error, "{:.2g}"},
                  {static_cast<double>(point.iterations), "{:.0f}"},
                  {point.slope, "{:.6f}"},
                  {proven.lower, "{:.10f}"},
                  {proven.upper, "{:.10f}"},
                  {asymptotic_rho(u), "{:.10f}"},
                  {bounds::figure_1_fit(u), "{:.6f}"},
                  {trace_closed_form({1, point.u, 0}), "{:.6f}"}});
    }
    auto const refit = refit_figure_1();
    rows.print(given.json,
               fmt::format("# rho(u+1), u = 2..1999, refitted: {:.5f} ln(u + {:.5f}) + {:.5f}, R^2 "
                           "= {:.7f}\n# that fit at u = {}: {:+.4f} from rho\n",
                           refit.a, refit.b, refit.c, refit.r_squared, points.back().u,
                           refit(static_cast<double>(points.back().u)) - points.back().rho));
}

void report_alphas(SpectrumOptions const& given)
{
    std::vector<AlphaCurve> curves;
    Rows rows({"l", "s", "u", "inverse_alpha", "rho", "error", "trace"});
    for (double const s : given.s)
        for (auto const l : given.l) {
            AlphaCurve curve{l, s, {}, {}};
            for (auto const factor : growth_points(1, given.u / l)) {
                Problem const problem{l, l * factor, s};
                auto const found = solve_dominant(problem, solver_options(given));
                curve.inverse_alpha.push_back(static_cast<double>(factor));
                curve.rho.push_back(found.rho);
                rows.add({{static_cast<double>(l), "{:.0f}"},
                          {s, "{}"},
                          {static_cast<double>(problem.u), "{:.0f}"},
                          {static_cast<double>(factor), "{:.0f}"},
                          {found.rho, "{:.12g}"},
                          {found.error(), "{:.2g}"},
                          {trace_closed_form(problem), "{:.12g}"}});
            }
            curves.push_back(std::move(curve));
        }
    if (given.document) return write_stdout(figure_document(alpha_figure(curves)).dump(1) + "\n");
    rows.print(given.json);
}

void run(SpectrumOptions const& given)
{
    try {
        check_together(given);
        check_all(given);
        if (given.alphas) return report_alphas(given);
        if (given.growth) return report_growth(given);
        report_one(given);
    } catch (std::domain_error const& error) {
        throw InputError(std::string("spectrum: ") + error.what());
    }
}

} // namespace

void add_spectrum_command(CLI::App& app)
{
    Command const command(
        app, "spectrum",
        "Largest eigenvalue of CHEN's B^-1 A: A_min's worst fluid ratio, certified");
    auto const given = std::make_shared<SpectrumOptions>();
    command->add_option("--u", given->u, "longest output, tokens")->required();
    command->add_option("--l", given->l, "shortest output, tokens (several with --alphas)")
        ->delimiter(',')
        ->capture_default_str();
    command->add_option("--s", given->s, "prompt, tokens (several with --alphas)")
        ->delimiter(',')
        ->capture_default_str();
    command->add_option("--method", given->method, "how the eigenvector is found")
        ->one_of({"auto", "krylov", "power"})
        ->capture_default_str();
    command->add_option("--tolerance", given->tolerance, "relative width of the bracket to reach")
        ->capture_default_str();
    command->add_flag("--definition", given->definition,
                      "check the trace by its definition past u = 10^7 too");
    command->add_flag("--growth", given->growth, "CSV of rho for 1, 2, 5, 10, .. u, with slopes");
    command->add_flag("--alphas", given->alphas, "CSV of rho against alpha = l/u for all --l, --s");
    command->add_flag("--document", given->document,
                      "with --growth or --alphas: the figure as JSON, which crx plot draws");
    command->add_flag("--json", given->json, "JSON: an object, or a list of the rows");
    command->footer("Examples: crx spectrum --u 100000000\n"
                    "          crx spectrum --u 100000000 --growth\n"
                    "          crx spectrum --u 1000000 --l 1,10,100 --s 0,1,10,100 --alphas");
    command->callback([given] { run(*given); });
}

} // namespace crx
