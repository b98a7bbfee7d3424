#include "analysis/plot/picture_file.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/iteration/path_points.hh"
#include "host/plot/draw_into.hh"
#include "host/plot/store_figure.hh"
#include "host/store/database_file.hh"
#include "host/store/output_check.hh"

#include <fmt/core.h>

namespace crx {

namespace {

struct PlotOptions
{
    std::filesystem::path store, output;
    std::optional<int> panel;
    std::filesystem::path panels;
};

void plot_store(PlotOptions options)
{
    if (options.output.empty()) options.output = options.store.stem().string() + ".svg";
    if (!plot::picture_format(options.output))
        throw InputError(fmt::format("-o = {}\n  not accepted: must be a file name that ends in "
                                     ".svg, .pdf or .png",
                                     options.output.string()));
    check_outputs({{"-o", options.output}}, {{"DB", options.store}, {"--panels", options.panels}});
    warn_of_names(options.store);
    auto const contents = with_horizons(read_store(options.store));
    auto const experiment = read_stored_panels(contents, options.store.string(), options.panels);
    auto const figure = store_figure(contents, experiment, options.store.string(), options.panel);
    draw_into(figure, options.output);
    fmt::print("{}\n", options.output.string());
}

} // namespace

void add_plot_command(CLI::App& app)
{
    Command const command(app, "plot", "Draw the panels of a store's experiment");
    auto options = std::make_shared<PlotOptions>();
    command->add_option("store", options->store, "Store that crx sweep made")
        ->required()
        ->type_name("DB");
    command
        ->add_option("-o,--output", options->output,
                     "Picture: .svg, .pdf or .png; default: the store's name with .svg, here")
        ->type_name("FILE");
    command
        ->add_option("--panels", options->panels,
                     "Panels of this TOML file in place of the experiment's")
        ->type_name("FILE");
    command->add_option("--panel", options->panel, "Only this panel, counted from 1")
        ->type_name("N");
    command->footer("Example: crx plot chen_two_point_alpha.db -o figure.pdf");
    command->callback([options] { plot_store(*options); });
}

} // namespace crx
