#include "host/plot/policy_look.hh"

#include "analysis/plot/enhanced_text.hh"
#include "analysis/plot/palette.hh"
#include "host/experiment/policy_list.hh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>

namespace crx {

namespace {

/// Those that order beforehand have no header of their own, so here is what they look like.
constexpr PolicyLook sorted_f_look{"Sorted-{/:Italic F}", "blue", "circle"};
constexpr PolicyLook sorted_lp_look{"Sorted-LP", "vermilion", "square"};
constexpr PolicyLook lp_swap_look{"LP-Swap", "purple", "diamond"};

/// Null where the policy has no look of its own.
PolicyLook const* look_of(std::string const& id)
{
    if (id == sorted_f_id) return &sorted_f_look;
    if (id == sorted_lp::rule_ids[0]) return &sorted_lp_look;
    if (id == sorted_lp::rule_ids[1]) return &lp_swap_look;
    auto const* const info = find_policy(id);
    return info != nullptr && info->look.text != nullptr ? &info->look : nullptr;
}

} // namespace

std::string policy_text(PolicyEntry const& policy, bool all_at_zero)
{
    auto const* look = look_of(policy.id);
    auto const rest = policy.label.starts_with(policy.id) ? policy.label.substr(policy.id.size())
                                                          : std::string("?");
    bool const after_id = rest.empty() || rest[0] == ' ' || rest[0] == ',';
    if (look == nullptr || !after_id) return plot::typeset(policy.label);
    bool const over_time = !all_at_zero && look->text_over_time != nullptr;
    return std::string(over_time ? look->text_over_time : look->text) + plot::typeset(rest);
}

std::vector<plot::Style> policy_styles(std::vector<PolicyEntry> const& policies)
{
    std::vector<plot::Style> styles;
    std::vector<int> colours, shapes;
    // First what each id has of its own, then what is left over.
    std::vector<bool> own(policies.size());
    for (std::size_t i = 0; i < policies.size(); ++i) {
        auto const* look = look_of(policies[i].id);
        styles.emplace_back();
        if (look == nullptr) continue;
        auto const colour = plot::colour_named(look->colour);
        own[i] = std::ranges::find(colours, colour) == colours.end();
        if (!own[i]) continue;
        styles[i] = {colour, plot::shape_named(look->shape)};
        colours.push_back(styles[i].colour), shapes.push_back(styles[i].shape);
    }
    auto const free_number = [](std::vector<int>& taken) {
        int number = 0;
        while (std::find(taken.begin(), taken.end(), number) != taken.end()) ++number;
        taken.push_back(number);
        return number;
    };
    for (std::size_t i = 0; i < policies.size(); ++i)
        if (!own[i]) styles[i] = {free_number(colours), free_number(shapes)};
    return styles;
}

int policy_colour(PolicyKind kind)
{
    auto const& look = policy_info(kind).look;
    return look.colour != nullptr ? plot::colour_named(look.colour) : plot::grey;
}

} // namespace crx
