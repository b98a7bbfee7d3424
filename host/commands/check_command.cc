#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/output_file.hh"
#include "host/say.hh"
#include "host/shell_word.hh"
#include "host/store/run_store.hh"
#include "kernels/base/counted.hh"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

struct CheckOptions
{
    std::vector<std::string> stores;
    bool json = false, prune = false;
};

/// "0 to 4, 6, 8 to 11"
std::string ranges_text(std::vector<std::int64_t> const& numbers)
{
    std::string text;
    for (std::size_t k = 0; k < numbers.size();) {
        auto last = k;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
        text += (text.empty() ? "" : ", ") + std::to_string(numbers[k]);
        if (last > k) text += (last > k + 1 ? " to " : ", ") + std::to_string(numbers[last]);
        k = last + 1;
    }
    return text;
}

std::string text_of(StoreCheck const& check)
{
    auto const& name = check.file;
    if (!check.refusal.empty()) return check.refusal + "\n";
    if (check.damage.empty())
        return fmt::format("{}: whole: {}, {}, {}{}\n", name, counted(check.cells, "cell"),
                           counted(check.chunks, "chunk"), counted(check.instances, "instance"),
                           check.orphans == 0
                               ? std::string()
                               : fmt::format("; {} that {} experiment does not ask for (--prune)",
                                             counted(check.orphans, "sum"), "its"));
    constexpr std::size_t most = 20; // a screen
    auto text = name + ": damaged\n";
    for (std::size_t k = 0; k < std::min(most, check.damage.size()); ++k)
        text += "  " + check.damage[k].what + "\n";
    if (check.damage.size() > most)
        text += fmt::format("  and {} more (--json lists all)\n", check.damage.size() - most);
    text += !check.whole_cells ? "  whose this is cannot be said, so no cell is sure to be whole\n"
            : check.whole_cells->empty()
                ? "  no cell is whole\n"
                : fmt::format("  whole: {} of {}: {}\n", check.whole_cells->size(),
                              counted(check.cells, "cell"), ranges_text(*check.whole_cells));
    return text + "  " +
           (damage_of_structure(check.damage).empty()
                ? fmt::format("crx sweep EXPERIMENT --db {} runs the damaged part again",
                              shell_word(name))
                : std::string(how_to_recover)) +
           "\n";
}

std::string json_of(std::vector<StoreCheck> const& checks)
{
    auto all = nlohmann::json::array();
    for (auto const& check : checks) {
        auto damage = nlohmann::json::array();
        if (!check.refusal.empty()) damage.push_back(check.refusal);
        for (auto const& each : check.damage) damage.push_back(each.what);
        all.push_back({{"file", check.file},
                       {"whole", check.is_whole()},
                       {"cells", check.cells},
                       {"chunks", check.chunks},
                       {"instances", check.instances},
                       {"whole_cells", check.whole_cells.value_or(std::vector<std::int64_t>{})},
                       {"orphans", check.orphans},
                       {"damage", damage}});
    }
    return all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void run_check(CheckOptions const& options)
{
    std::vector<StoreCheck> checks;
    std::int64_t damaged = 0;
    for (auto const& store : options.stores) {
        if (options.prune)
            say(fmt::format("{}: removed {}", store, counted(prune_store(store), "chunk")));
        checks.push_back(check_store(store));
        damaged += checks.back().is_whole() ? 0 : 1;
    }
    std::string text;
    if (options.json)
        text = json_of(checks);
    else
        for (auto const& check : checks) text += text_of(check);
    write_stdout(text);
    if (damaged > 0)
        throw InputError(fmt::format("{} of {} not whole", damaged,
                                     counted(static_cast<std::int64_t>(checks.size()), "store")));
}

} // namespace

void add_check_command(CLI::App& app)
{
    Command const command(app, "check",
                          "Say whether stores are as they were written, and what is damaged");
    command->footer("Every chunk and the facts about the experiment carry a checksum "
                    "(docs/store.md).\nExit status: 0 where every store is whole, else 2.\n"
                    "Example: crx check chen_two_point_alpha.db");
    auto const options = std::make_shared<CheckOptions>();
    command->add_option("DB", options->stores, "Stores made by crx sweep")->required();
    command->add_flag("--json", options->json, "JSON in place of text");
    command->add_flag("--prune", options->prune,
                      "Before that, remove what the experiment at hand does not ask for");
    command->callback([options] { run_check(*options); });
}

} // namespace crx
