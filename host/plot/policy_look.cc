#include "host/plot/policy_look.hh"

#include "analysis/plot/enhanced_text.hh"
#include "analysis/plot/palette.hh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>

namespace crx {

namespace {

/// How a policy looks in figures: its name as enhanced text of gnuplot, a colour and a shape of
/// analysis/plot/palette.hh. A policy that is not listed is shown by its id, with a colour and a
/// shape that are free.
struct PolicyLook
{
    std::string_view id;
    char const *text, *colour, *shape;
    char const* text_over_time = nullptr; ///< where requests arrive over time; null: as above
};
constexpr PolicyLook looks[] = {
    {"mc-sf", "H-SF", "black", "cross", "MC-SF"},
    {"mc-sf-total", "MC-SF by {/:Italic s}+{/:Italic o}", "grey", "plus"},
    {"mc-benchmark", "MC-Benchmark", "orange", "inverted_triangle"},
    {"a-random", "{/:Italic A}_{random}", "purple", "diamond"},
    {"a-max", "{/:Italic A}_{max}", "vermilion", "square"},
    {"a-min", "{/:Italic A}_{min}", "blue", "circle"},
    {"a-min-evict", "{/:Italic A}_{min} (evict)", "sky", "open_circle"},
    {"a-ell", "{/:Italic A}_{ℓ}", "green", "triangle"},
    {"a-ladder", "{/:Italic A}_{ladder}", "brown", "open_square"},
    {"protect", "Protect", "sky", "open_triangle"},
    {"clear", "Clear", "green", "open_diamond"},
    {"sorted-f", "Sorted-{/:Italic F}", "blue", "circle"},
    {"sorted-lp", "Sorted-LP", "vermilion", "square"},
    {"lp-swap", "LP-Swap", "purple", "diamond"},
};

/// Null where the policy has no look of its own.
PolicyLook const* look_of(std::string_view id)
{
    auto const* const found = std::ranges::find(looks, id, &PolicyLook::id);
    return found != std::end(looks) ? found : nullptr;
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
    auto const* const look = look_of(policy_info(kind).id);
    return look != nullptr ? plot::colour_named(look->colour) : plot::grey;
}

} // namespace crx
