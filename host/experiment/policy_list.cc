#include "host/experiment/policy_list.hh"

#include "host/experiment/own_order.hh"
#include "kernels/policies/arrival_order.cuh"

#include <algorithm>

namespace crx {

namespace {

/// Cells of the scaled table, B / epsilon.
constexpr std::int64_t most_table_cells = 1'000'000;

void read_sorted_f(ConfigReader& reader, PolicyPlan& plan)
{
    auto const names = selector_ids();
    auto const id = reader.choice("selector", names);
    sorted_f::Settings settings;
    settings.selector =
        static_cast<sorted_f::Selector>(std::ranges::find(names, id) - names.begin());
    if (settings.selector == sorted_f::Selector::scaled)
        settings.cells = reader.integer("cells", 1, most_table_cells, settings.cells);
    plan.kind = ArrivalOrder::kind;
    plan.sorted_f = settings;
    plan.where = reader.find("selector")->where;
    plan.key = reader.path("selector");
}

/// Nothing where the id is not one of them.
std::optional<sorted_lp::Rule> rule_of(std::string const& id)
{
    auto const* const found = std::ranges::find(sorted_lp::rule_ids, id);
    if (found == std::end(sorted_lp::rule_ids)) return std::nullopt;
    return static_cast<sorted_lp::Rule>(found - std::begin(sorted_lp::rule_ids));
}

} // namespace

bool runs_by_itself(std::string const& id)
{
    return id == sorted_f_id || id == own_order_id || id == own_decisions_id || id == by_key_id ||
           id == program_id || rule_of(id);
}

std::vector<std::string> policy_ids()
{
    std::vector<std::string> ids;
    for (auto const& info : policy_table()) ids.emplace_back(info.id);
    ids.emplace_back(sorted_f_id);
    ids.insert(ids.end(), std::begin(sorted_lp::rule_ids), std::end(sorted_lp::rule_ids));
    ids.emplace_back(own_order_id);
    ids.emplace_back(own_decisions_id);
    ids.emplace_back(by_key_id);
    ids.emplace_back(program_id);
    return ids;
}

std::vector<std::string> selector_ids()
{
    return {std::begin(sorted_f::selector_names), std::end(sorted_f::selector_names)};
}

void check_label(ConfigReader& reader, std::string const& label)
{
    if (!label.empty() && label.find_first_of("=+-@\t\r") != 0) return;
    reader.reject("label", *reader.find("label"),
                  "a text that is not empty and begins with none of = + - @, which a spreadsheet "
                  "would take for a formula");
}

std::vector<PolicyPlan> read_policies(ConfigReader& top, std::filesystem::path const& folder)
{
    auto const& list = top.tables("policy", "at least one [[policy]] with an id");
    std::vector<PolicyPlan> plans;
    for (std::size_t i = 0; i < list.size(); ++i) {
        ConfigReader reader(list[i], "policy." + std::to_string(i));
        PolicyPlan plan;
        plan.entry.id = reader.choice("id", policy_ids());
        plan.entry.label = reader.text("label", plan.entry.id);
        if (auto const* info = find_policy(plan.entry.id)) {
            plan.kind = info->kind;
            plan.plans_with_upper = info->plans_with_upper;
            plan.parameters = read_parameters(reader, *info);
            plan.reads_interval = !info->knows_lengths;
        }
        if (plan.entry.id == sorted_f_id) read_sorted_f(reader, plan);
        if (auto const rule = rule_of(plan.entry.id)) {
            plan.kind = ArrivalOrder::kind;
            plan.by_program = rule;
            plan.where = reader.find("id")->where;
            plan.key = reader.path("id");
        }
        if (plan.entry.id == own_order_id || plan.entry.id == own_decisions_id) {
            plan.reads_interval = plan.plans_with_upper =
                plan.entry.id == own_decisions_id && !reader.flag("knows_lengths", false);
            plan.kind = ArrivalOrder::kind;
            if (reader.find("digest") == nullptr)
                reader.reject(
                    "id", *reader.find("id"),
                    "another policy in a file: this one is what a Python function or object "
                    "decides, crx.sweep(.., policies = {..}) (docs/python.md)");
            plan.own_digest = reader.text("digest");
            plan.where = reader.find("id")->where;
            plan.key = reader.path("id");
        }
        if (plan.entry.id == by_key_id) {
            plan.kind = ArrivalOrder::kind;
            plan.by_key = read_by_key(reader);
            plan.plans_with_upper = plan.by_key->plans_with_upper();
            plan.reads_interval = plan.by_key->reads_interval();
        }
        if (plan.entry.id == program_id) {
            plan.kind = ArrivalOrder::kind;
            auto const program = read_program(reader, folder);
            plan.program = std::make_shared<ProgramPolicy>(program);
            plan.plans_with_upper = plan.reads_interval = !program.knows_lengths;
        }
        if (plan.by_key || plan.program) {
            plan.where = reader.find("id")->where;
            plan.key = reader.path("id");
        }
        reader.finish();
        for (auto const& other : plans)
            if (other.entry.label == plan.entry.label) {
                auto const* label = list[i].find("label");
                reader.reject(label != nullptr ? "label" : "id",
                              label != nullptr ? *label : *list[i].find("id"),
                              "a policy with a label of its own (label = \"..\")");
            }
        check_label(reader, plan.entry.label);
        plans.push_back(std::move(plan));
    }
    return plans;
}

} // namespace crx
