#include "analysis/plot/picture_file.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/commands/panel_options.hh"
#include "host/error.hh"
#include "host/output_file.hh"
#include "host/plot/draw_into.hh"
#include "host/plot/figure_options.hh"
#include "host/plot/store_figure.hh"
#include "host/results/path_points.hh"
#include "host/results/what_is_missing.hh"
#include "host/store/file/database_file.hh"

#include <fmt/core.h>

namespace crx {

namespace {

struct PlotOptions
{
    std::filesystem::path store, output;
    std::string format, width;
    std::optional<int> panel, columns;
    std::optional<double> font_size;
    std::filesystem::path panels;
    std::vector<std::string> policies;
    bool no_title = false, no_caption = false;
    PanelOptions own;
};

/// The format of --format, or of the file's name.
plot::PictureFormat format_of(PlotOptions const& options)
{
    std::filesystem::path name = options.output;
    if (!options.format.empty()) name = fmt::format("name.{}", options.format);
    if (auto const format = plot::picture_format(name)) return *format;
    throw ConfigError("command line", "-o", options.output.string(),
                      std::string("a file name that ends in ") + plot::picture_endings +
                          ", or any beside --format");
}

StoredPanels panels_of(PlotOptions& options, StoreContents const& contents)
{
    auto const name = options.store.string();
    if (options.own.any() && !options.panels.empty())
        throw InputError("--panels and --x: only one of them says what to draw");
    auto experiment = options.own.any() ? read_stored_panels(contents, name, options.own.table())
                                        : read_stored_panels(contents, name, options.panels);
    keep_policies(experiment, contents.header.policies, options.policies, options.panel);
    return experiment;
}

void plot_store(PlotOptions options)
{
    if (options.output.empty())
        options.output =
            options.store.stem().string() + "." + (options.format.empty() ? "svg" : options.format);
    auto const format = format_of(options);
    std::optional<double> width;
    if (!options.width.empty()) width = width_of("--width", options.width);
    if (options.font_size && !(*options.font_size >= 3 && *options.font_size <= 40))
        throw ConfigError("command line", "--font-size", fmt::format("{:g}", *options.font_size),
                          "a number of points from 3 to 40");
    check_outputs({{"-o", options.output}}, {{"DB", options.store}, {"--panels", options.panels}});
    warn_of_names(options.store);
    auto stored = read_store(options.store);
    warn_of_missing(stored, options.store.string());
    auto const contents = with_horizons(std::move(stored));
    auto const experiment = panels_of(options, contents);
    auto figure = store_figure(contents, experiment, options.store.string(), options.panel);
    if (options.no_title) {
        figure.title.clear();
        for (auto& panel : figure.panels) panel.title.clear();
    }
    if (options.no_caption) figure.caption.clear();
    figure.columns = options.columns.value_or(0);
    figure.width = width;
    figure.font_size = options.font_size.value_or(figure.font_size);
    draw_into(figure, options.output, format);
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
                     std::string("Picture: ") + plot::picture_endings +
                         " (pgfplots); default: the store's name with .svg, here")
        ->type_name("FILE");
    command
        ->add_option("--format", options->format,
                     "Format where the name of the picture does not say it")
        ->one_of({"svg", "pdf", "png", "eps", "tex"});
    command
        ->add_option("--panels", options->panels,
                     "Panels of this TOML file in place of the experiment's")
        ->type_name("FILE");
    command->add_option("--panel", options->panel, "Only this panel, counted from 1")
        ->type_name("N");
    command
        ->add_option("--policies", options->policies,
                     "Only these policies, by their labels, and the curves that speak of them")
        ->type_name("LABEL,..")
        ->allow_extra_args(false);
    command->add_option("--width", options->width, "Of the picture: 3.35in, 8.5cm, 85mm, 241pt")
        ->type_name("LENGTH");
    command
        ->add_option("--font-size", options->font_size,
                     "Points, of numbers at axes; other text in proportion; default: 8")
        ->type_name("SIZE");
    command->add_option("--columns", options->columns, "Panels side by side; default: two")
        ->check(whole_number(1, 26));
    command->add_flag("--no-title", options->no_title, "Leave out titles; letters stay");
    command->add_flag("--no-caption", options->no_caption, "Leave out the small print");
    add_panel_options(command, options->own);
    command->footer("Panels, measures and figures for a paper: docs/plots.md.\n"
                    "Example: crx plot chen_two_point_alpha.db -o figure.pdf --width 3.35in "
                    "--no-title --no-caption --columns 1 --policies a-min,a-ell");
    command->callback([options] { plot_store(*options); });
}

} // namespace crx
