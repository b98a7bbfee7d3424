#include "analysis/claims/words.hh"
#include "host/report/section.hh"
#include "host/report/touched_claims.hh"

#include <fmt/format.h>

namespace crx::report {

std::string claims_section(ReportedStore const& store)
{
    auto const touched = touched_claims(store.contents, store.experiment);
    if (touched.empty()) return {};
    auto text =
        heading(store, "claims", "Claims that the experiment touches") +
        "<p>Verdicts of the program's registry of claims, which were reached with more than "
        "this experiment. <code>crx claims --run ID</code> tests one anew.</p>\n";
    std::vector<std::vector<TableCell>> rows;
    for (auto const& [claim, why] : touched) {
        std::string hypotheses;
        for (auto const& h : claim->hypotheses)
            hypotheses += (hypotheses.empty() ? " If: " : "; ") + escaped(h.text);
        rows.push_back(
            {{escaped(claim->id)},
             {fmt::format("{}, {}", claims::name_of(claim->paper), escaped(claim->place))},
             {escaped(claim->statement) + hypotheses},
             {fmt::format("<strong>{}</strong>", claims::name_of(claim->verdict))},
             {escaped(claim->evidence)},
             {escaped(why) + ": " + command(std::string(claim->command))}});
    }
    return text + table("Claims",
                        {"claim", "where", "statement", "verdict", "evidence",
                         "why it is here, and what shows it"},
                        rows);
}

} // namespace crx::report
