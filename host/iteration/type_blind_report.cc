#include "host/iteration/type_blind_report.hh"

#include "analysis/fluid/type_blind.hh"
#include "host/error.hh"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

struct Case
{
    char const* key;
    char const* words;
    fluid::Restarts restarts;
};
constexpr Case cases[] = {
    {"no_restarts", "without restarts", {false, 0}},
    {"restarts", "with restarts", {true, 0}},
    {"one_remembered", "and one of the restarted remembered", {true, 1}},
};

fluid::TypeBlindCapacity capacity(IterationSetting const& setting, Tokens memory,
                                  fluid::Restarts const& restarts)
try {
    return fluid::type_blind_capacity(setting.load, memory, restarts);
} catch (std::domain_error const& error) {
    throw ConfigError("command line", "--type-blind", std::to_string(memory), error.what());
}

} // namespace

nlohmann::ordered_json type_blind_json(IterationSetting const& setting, Tokens memory)
{
    nlohmann::ordered_json out = {{"memory", memory}};
    for (auto const& each : cases) {
        auto const c = capacity(setting, memory, each.restarts);
        out[each.key] = {{"throughput", c.throughput}, {"error", c.error}, {"states", c.states}};
    }
    return out;
}

std::string type_blind_text(IterationSetting const& setting, Tokens memory)
{
    auto out =
        fmt::format("types unknown, {} tokens of hard memory: decode tokens/s at most\n", memory);
    for (auto const& each : cases)
        out += fmt::format("  {:<35} {:.8f}\n", each.words,
                           capacity(setting, memory, each.restarts).throughput);
    return out;
}

} // namespace crx
