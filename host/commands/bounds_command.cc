#include "analysis/bounds/curve_catalogue.hh"
#include "analysis/bounds/geometric.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/commands/figure_document.hh"
#include "host/error.hh"
#include "host/output_file.hh"
#include "host/simulate/theory_values.hh"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

using namespace bounds;

struct BoundsOptions
{
    std::vector<std::string> ids;
    CurveLists lists;      ///< of all parameters
    CurveLists parameters; ///< of those that were given
    bool suprema = false;
    bool json = false;
    int figure = 0;
};

void list_curves(bool json)
{
    std::string text;
    for (auto const& curve : curve_catalogue())
        text += fmt::format("{:<30} {}\n{:<30} {}; needs {}\n{:<30} holds {}\n", curve.id,
                            curve.statement, "", curve.source, curve.parameters, "",
                            fmt::join(all_hypotheses(*hypotheses_of(curve.id)), ", "));
    write_stdout(json ? curves_as_json().dump(2) + "\n" : text);
}

void print_values(BoundsOptions const& given)
{
    auto const values = curve_lists(given.ids, given.parameters);
    std::string text;
    for (auto const& id : given.ids) {
        text += fmt::format("{:<30}", id);
        auto const& value = values[id];
        for (auto const& one : value.is_array() ? value : nlohmann::ordered_json::array({value}))
            text += one.is_null() ? " -" : fmt::format(" {:.15g}", one.get<double>());
        text += "\n";
    }
    write_stdout(given.json ? values.dump(2) + "\n" : text);
}

void print_suprema(bool json)
{
    struct NamedLaw
    {
        char const* name;
        Law law;
    };
    auto rows = nlohmann::ordered_json::array();
    if (!json) fmt::print("law,s,supremum,q\n");
    for (auto const& [name, law] : {NamedLaw{"geometric", Law::geometric},
                                    NamedLaw{"linear-geometric", Law::linear_geometric}})
        for (double const s : {0., 0.01, 0.1, 0.5, 1., 2., 5., 10., 20., 50.}) {
            auto const found = law_supremum(law, s);
            rows.push_back({{"law", name}, {"s", s}, {"supremum", found.value}, {"q", found.q}});
            if (!json)
                fmt::print("{},{},{:.9f},{:.6f}{}\n", name, s, found.value, found.q,
                           found.at_limit ? " (limit)" : "");
        }
    if (json) fmt::print("{}\n", rows.dump(2));
}

/// Refuses the first parameter.
[[noreturn]] void refuse(BoundsOptions const& given, std::string const& accepted)
{
    auto const& [name, values] = *given.parameters.begin();
    refuse_curve_parameter({{name, values.front()}}, name, accepted);
}

/// Refuses curves and parameters beside an option that reads none.
void require_alone(BoundsOptions const& given, std::string const& option)
{
    if (!given.ids.empty())
        throw ConfigError("bounds", "curve", given.ids.front(), "left out beside " + option);
    if (!given.parameters.empty()) refuse(given, "left out beside " + option);
}

void run(BoundsOptions const& given)
{
    try {
        if (given.figure != 0) {
            if (given.figure != 2 && given.figure != 3)
                throw InputError("bounds: --figure is 2 or 3 (Figure 1: crx spectrum --document)");
            require_alone(given, "--figure");
            if (given.suprema) throw InputError("bounds: --figure goes without --suprema");
            auto const figure =
                given.figure == 2 ? spectrum::two_point_figure() : spectrum::laws_figure();
            write_stdout(figure_document(figure).dump(1) + "\n");
        } else if (given.suprema) {
            require_alone(given, "--suprema");
            print_suprema(given.json);
        } else if (given.ids.empty()) {
            if (!given.parameters.empty())
                refuse(given, "given with the name of a curve (crx bounds lists them)");
            list_curves(given.json);
        } else {
            print_values(given);
        }
    } catch (std::domain_error const& error) {
        throw InputError(std::string("bounds: ") + error.what());
    }
}

} // namespace

namespace {

/// "--s-over-u,--s_over_u": in kebab case, and as it was spelt before.
std::string option_names(std::string const& parameter)
{
    auto kebab = parameter;
    std::ranges::replace(kebab, '_', '-');
    return kebab == parameter ? "--" + parameter : "--" + kebab + ",--" + parameter;
}

} // namespace

void add_bounds_command(CLI::App& app)
{
    Command const command(app, "bounds",
                          "Closed forms of CHEN's bounds, by name; a list without one");
    auto const given = std::make_shared<BoundsOptions>();
    command->add_option("curve", given->ids, "names of curves");
    struct Parameter
    {
        char const* name;
        char const* meaning;
    };
    for (auto const& [name, meaning] :
         {Parameter{"alpha", "l/u"}, Parameter{"s_over_u", "prompt over longest output"},
          Parameter{"l", "shortest output"}, Parameter{"u", "longest output"},
          Parameter{"s", "prompt"}, Parameter{"t", "odds x_l/x_u"},
          Parameter{"w", "fraction of short requests"}, Parameter{"q", "the law's parameter"}}) {
        std::string const key = name;
        command->add_option(option_names(key), given->lists[key], meaning)
            .delimiter(',')
            .allow_extra_args(false);
    }
    command->add_flag("--suprema", given->suprema, "worst q of the geometric laws, for several s");
    command->add_option("--figure", given->figure,
                        "CHEN's Figure 2 or 3, with its extension, as JSON that crx plot draws");
    command->add_flag("--json", given->json, "JSON");
    command->footer("Examples: crx bounds chen-3.3 chen-5.1 --alpha 0.1\n"
                    "          crx bounds chen-3.3 --alpha 0.1,0.2,0.5 --json\n"
                    "          crx bounds a-min-two-point --l 1 --u 100 --s 10 --w 0.9\n"
                    "          crx bounds --figure 2");
    command->callback([given] {
        for (auto const& [name, values] : given->lists)
            if (!values.empty()) given->parameters[name] = values;
        run(*given);
    });
}

} // namespace crx
