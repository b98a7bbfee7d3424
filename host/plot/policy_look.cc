#include "host/plot/policy_look.hh"

#include "analysis/plot/enhanced_text.hh"
#include "analysis/plot/palette.hh"
#include "host/experiment/policy_list.hh"
#include "kernels/policies/registry.cuh"

#include <algorithm>

namespace crx {

namespace {

struct Look
{
    PolicyKind kind;
    std::string_view text;
    int colour, shape;
};

constexpr Look looks[] = {
    {PolicyKind::mc_sf, "H-SF", plot::black, plot::cross},
    {PolicyKind::mc_sf_total, "MC-SF by {/:Italic s}+{/:Italic o}", plot::grey, plot::plus},
    {PolicyKind::mc_benchmark, "MC-Benchmark", plot::orange, plot::inverted_triangle},
    {PolicyKind::a_random, "{/:Italic A}_{random}", plot::purple, plot::diamond},
    {PolicyKind::a_max, "{/:Italic A}_{max}", plot::vermilion, plot::square},
    {PolicyKind::a_min, "{/:Italic A}_{min}", plot::blue, plot::circle},
    {PolicyKind::a_min_evict, "{/:Italic A}_{min} (evict)", plot::sky, plot::open_circle},
    {PolicyKind::a_ell, "{/:Italic A}_{ℓ}", plot::green, plot::triangle},
    {PolicyKind::a_ladder, "{/:Italic A}_{ladder}", plot::brown, plot::open_square},
    {PolicyKind::protect, "Protect", plot::sky, plot::open_triangle},
    {PolicyKind::clear, "Clear", plot::green, plot::open_diamond},
};

/// Those that order beforehand have no kind of their own, so here is what they look like.
constexpr Look sorted_f_look{PolicyKind::mc_benchmark, "Sorted-{/:Italic F}", plot::blue,
                             plot::circle};

constexpr Look sorted_lp_look{PolicyKind::mc_benchmark, "Sorted-LP", plot::vermilion, plot::square};
constexpr Look lp_swap_look{PolicyKind::mc_benchmark, "LP-Swap", plot::purple, plot::diamond};

Look const* look_of(std::string const& id)
{
    if (id == sorted_f_id) return &sorted_f_look;
    if (id == sorted_lp::rule_ids[0]) return &sorted_lp_look;
    if (id == sorted_lp::rule_ids[1]) return &lp_swap_look;
    for (auto const& info : policy_table)
        if (id == info.id)
            for (auto const& look : looks)
                if (look.kind == info.kind) return &look;
    return nullptr;
}

} // namespace

std::string policy_text(PolicyEntry const& policy, bool all_at_zero)
{
    auto const* look = look_of(policy.id);
    auto const rest = policy.label.starts_with(policy.id) ? policy.label.substr(policy.id.size())
                                                          : std::string("?");
    bool const after_id = rest.empty() || rest[0] == ' ' || rest[0] == ',';
    if (look == nullptr || !after_id) return plot::typeset(policy.label);
    bool const online = look->kind == PolicyKind::mc_sf && !all_at_zero;
    return std::string(online ? "MC-SF" : look->text) + plot::typeset(rest);
}

std::vector<plot::Style> policy_styles(std::vector<PolicyEntry> const& policies)
{
    std::vector<plot::Style> styles;
    std::vector<int> colours, shapes;
    // First what each id has of its own, then what is left over.
    std::vector<bool> own(policies.size());
    for (std::size_t i = 0; i < policies.size(); ++i) {
        auto const* look = look_of(policies[i].id);
        own[i] = look != nullptr &&
                 std::find(colours.begin(), colours.end(), look->colour) == colours.end();
        styles.push_back({own[i] ? look->colour : 0, own[i] ? look->shape : 0});
        if (own[i]) colours.push_back(look->colour), shapes.push_back(look->shape);
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
    for (auto const& look : looks)
        if (look.kind == kind) return look.colour;
    return plot::grey;
}

} // namespace crx
