#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/output_file.hh"
#include "host/say.hh"
#include "host/shell_word.hh"
#include "host/sweep/interrupt.hh"
#include "host/sweep/merge.hh"
#include "kernels/base/counted.hh"

#include <fmt/core.h>

namespace crx {

namespace {

struct MergeOptions
{
    std::vector<std::string> stores;
    std::string output;
};

void run_merge(MergeOptions const& options)
{
    InterruptGuard const guard;
    auto const merged = merge_stores({options.stores.begin(), options.stores.end()}, options.output,
                                     InterruptGuard::asked);
    if (merged.programs.size() > 1)
        for (auto const& program : merged.programs)
            say(options.output + " holds chunks made by crx " + program);
    write_stdout(fmt::format(
        "made {}: {}, {} of {}\nnext: crx sweep EXPERIMENT --db {} --plan says what is missing\n",
        options.output, counted(merged.cells, "cell"), counted(merged.instances, "instance"),
        counted(merged.stores, "store"), shell_word(options.output)));
}

} // namespace

void add_merge_command(CLI::App& app)
{
    Command const command(app, "merge", "Join the stores of shards in one");
    command->footer("The stores may come in any order. Nothing is made where one is missing, not "
                    "done,\ndamaged or of another experiment, or where two overlap "
                    "(docs/cluster.md).\n"
                    "Example: crx merge a.db b.db c.db -o all.db");
    auto const options = std::make_shared<MergeOptions>();
    command->add_option("DB", options->stores, "Stores of one experiment")->required();
    command->add_option("-o", options->output, "Store to make")->required();
    command->callback([options] { run_merge(*options); });
}

} // namespace crx
