#include "kernels/policies/policy_info.hh"

#include "kernels/policies/registry.cuh"

#include <algorithm>
#include <array>

namespace crx {
namespace {

template <class P>
constexpr PolicyKind curves_of()
{
    if constexpr (requires { P::curves_of; })
        return P::curves_of;
    else
        return P::kind;
}

template <class P, class... Rows>
constexpr std::uint32_t parameters_of(ParameterList<Rows...>)
{
    std::uint32_t bits = 0, bit = 1;
    ((
         bits |= requires(P policy) { Rows::of(policy); } ? bit : 0, bit <<= 1),
     ...);
    return bits;
}

template <class P>
constexpr PolicyInfo info()
{
    return {.kind = P::kind,
            .id = P::id,
            .summary = P::summary,
            .knows_lengths = P::knows_lengths,
            .plans_with_upper = P::plans_with_upper,
            .parameters = parameters_of<P>(PolicyParameterList{}),
            .choice = P::choice,
            .cancelling = P::cancelling,
            .admission = P::admission,
            .random_order = P::random_order,
            .sorted = P::sorted,
            .cancels_all = P::cancels_all,
            .draws_nothing = draws_nothing<P>,
            .like_shortest_first = P::like_shortest_first,
            .cohort_form = P::cohort_form,
            .cohort_refusal = P::cohort_refusal,
            .curves_of = curves_of<P>()};
}

template <class... P>
constexpr auto table_of(PolicyList<P...>)
{
    return std::array{info<P>()...};
}

constexpr auto table = table_of(Policies{});

constexpr bool has_equal_entries()
{
    for (auto const& one : table)
        for (auto const& other : table)
            if (&one != &other && (one.kind == other.kind || std::string_view(one.id) == other.id))
                return true;
    return false;
}
static_assert(!has_equal_entries(), "two policies have the same number or id");

} // namespace

std::span<PolicyInfo const> policy_table() { return table; }

PolicyInfo const& policy_info(PolicyKind kind)
{
    auto const found = std::ranges::find(table, kind, &PolicyInfo::kind);
    CRX_EXPECT(found != table.end());
    return *found;
}

PolicyInfo const* find_policy(std::string_view id)
{
    auto const found = std::ranges::find(table, id, &PolicyInfo::id);
    return found == table.end() ? nullptr : &*found;
}

} // namespace crx
