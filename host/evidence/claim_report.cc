#include "host/evidence/claim_report.hh"

#include "analysis/claims/registry.hh"
#include "analysis/claims/words.hh"
#include "host/error.hh"
#include "host/input/accepted.hh"

#include <algorithm>

namespace crx {

namespace {

std::vector<claims::Claim const*> named_by(std::string const& argument)
{
    std::vector<claims::Claim const*> found;
    for (auto const& claim : claims::all_claims())
        if (claim.id == argument || claims::name_of(claim.paper) == argument)
            found.push_back(&claim);
    if (!found.empty()) return found;
    std::vector<std::string> accepted{"JAILLET", "WANG", "CHEN", "AO"};
    for (auto const& claim : claims::all_claims()) accepted.emplace_back(claim.id);
    throw ConfigError("claims", "id", argument,
                      "one of " + listed_with_nearest(argument, accepted));
}

} // namespace

std::vector<claims::Claim const*> chosen_claims(std::vector<std::string> const& arguments)
{
    std::vector<claims::Claim const*> list;
    for (auto const& argument : arguments)
        for (auto const* claim : named_by(argument))
            if (std::ranges::find(list, claim) == list.end()) list.push_back(claim);
    if (arguments.empty())
        for (auto const& claim : claims::all_claims()) list.push_back(&claim);
    return list;
}

nlohmann::ordered_json claim_as_json(claims::Claim const& claim)
{
    auto hypotheses = nlohmann::ordered_json::array();
    for (auto const& h : claim.hypotheses)
        hypotheses.push_back({{"text", h.text}, {"checked_on_instances", h.met != nullptr}});
    return {{"id", claim.id},
            {"paper", claims::name_of(claim.paper)},
            {"place", claim.place},
            {"statement", claim.statement},
            {"hypotheses", hypotheses},
            {"reading", claim.reading},
            {"method", claims::name_of(claim.method)},
            {"verdict", claims::name_of(claim.verdict)},
            {"evidence", claim.evidence},
            {"command", claim.command},
            {"page", claim.page},
            {"witness", claim.witness},
            {"short_form", claim.test != nullptr}};
}

} // namespace crx
