#include "analysis/claims/registry.hh"

#include "analysis/claims/ao/claims.hh"
#include "analysis/claims/chen/claims.hh"
#include "analysis/claims/jaillet/claims.hh"
#include "analysis/claims/wang/claims.hh"

#include <algorithm>

namespace crx::claims {

std::vector<Claim> const& all_claims()
{
    static std::vector<Claim> const all = [] {
        std::vector<Claim> list;
        for (auto const& paper : {jaillet_claims(), wang_claims(), chen_claims(), ao_claims()})
            list.insert(list.end(), paper.begin(), paper.end());
        return list;
    }();
    return all;
}

Claim const* find_claim(std::string_view id)
{
    auto const& all = all_claims();
    auto const found = std::ranges::find(all, id, &Claim::id);
    return found == all.end() ? nullptr : &*found;
}

} // namespace crx::claims
