#include "host/iteration/iteration_plan.hh"

namespace crx {
namespace {

using Visit = std::function<void(ConfigValue&, std::string const&)>;

/// Keys of a table whose value is a number, or a list of numbers.
void visit_keys(ConfigValue& table, std::string const& path,
                std::vector<std::string> const& numbers, std::vector<std::string> const& lists,
                Visit const& visit)
{
    for (auto const& key : numbers)
        if (auto* value = table.find(key)) visit(*value, path + "." + key);
    for (auto const& key : lists)
        if (auto* value = table.find(key); value != nullptr)
            for (std::size_t i = 0; i < value->list.size(); ++i)
                visit(value->list[i], path + "." + key + "." + std::to_string(i));
}

/// Calls use(element, path) for each element of a list of tables.
template <class Use>
void each_table(ConfigValue& parent, std::string const& path, std::string const& key, Use use)
{
    auto* list = parent.find(key);
    if (list == nullptr) return;
    for (std::size_t i = 0; i < list->list.size(); ++i)
        if (list->list[i].kind == ConfigValue::Kind::table)
            use(list->list[i], (path.empty() ? key : path + "." + key) + "." + std::to_string(i));
}

/// Whether the text is a word that `memory` takes, and no expression.
bool is_word(ConfigValue const& value)
{
    return value.kind == ConfigValue::Kind::text &&
           (value.text == "fluid" || value.text.starts_with("peak-of:"));
}

} // namespace

void for_each_number(ConfigValue& document, Visit const& visit)
{
    if (auto* workload = document.find("workload")) {
        if (auto* clock = workload->find("clock"))
            visit_keys(*clock, "workload.clock", {"d0", "d1", "slowdown"}, {}, visit);
        each_table(*workload, "workload", "type", [&](ConfigValue& type, std::string const& path) {
            visit_keys(type, path,
                       {"prompt", "output", "rate", "prompt_bin", "output_bin", "longest_prompt",
                        "longest_output"},
                       {}, visit);
            each_table(type, path, "rates", [&](ConfigValue& step, std::string const& of_step) {
                visit_keys(step, of_step, {"rate", "duration"}, {}, visit);
            });
        });
    }
    each_table(document, "", "policy", [&](ConfigValue& policy, std::string const& path) {
        visit_keys(policy, path, {"limit", "budget", "delta", "segments"}, {"thresholds", "ends"},
                   visit);
        if (auto* memory = policy.find("memory"); memory != nullptr && !is_word(*memory))
            visit(*memory, path + ".memory");
        each_table(policy, path, "group", [&](ConfigValue& group, std::string const& of_group) {
            visit_keys(group, of_group, {"prompt", "segments"}, {"thresholds", "ends"}, visit);
        });
    });
}

} // namespace crx
