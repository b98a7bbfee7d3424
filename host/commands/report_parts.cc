#include "host/commands/report_parts.hh"

#include "analysis/bounds/curve_catalogue.hh"
#include "analysis/fluid/heavy_traffic.hh"
#include "analysis/statistics/baseline_name.hh"
#include "host/commands/reference.hh"
#include "host/error.hh"
#include "host/evidence/claims/claim.hh"
#include "host/json_number.hh"
#include "host/results/capacity.hh"
#include "host/results/cells.hh"
#include "host/results/panel_document.hh"
#include "host/results/path_ranks.hh"
#include "host/results/rank_text.hh"
#include "host/simulate/fluid_report.hh"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

namespace crx {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson ranks_json(StoreContents const& contents, double confidence)
{
    auto all = OrderedJson::array();
    for (auto const& id : contents.header.baselines)
        if (auto const baseline = baseline_named(id))
            all.push_back(
                {{"baseline", id},
                 {"tables", rank_json(contents, rank_tables(contents, {{}, *baseline}, confidence),
                                      confidence)}});
    return all;
}

/// The run of a policy with the largest ratio over the first baseline, or mean latency.
struct WorstRun
{
    CellResult const* cell;
    std::size_t policy;
    std::int64_t instance;
    double value;
    std::optional<double> requests;
};

/// The run's value in a cell; none where no run of the policy has one.
std::optional<WorstRun> worst_in(CellResult const& cell, std::size_t policy, BaselineKind baseline)
{
    auto const instance = worst_instance(cell, policy, baseline);
    if (!instance) return std::nullopt;
    if (cell.paths == nullptr) {
        auto const& largest = cell.tally[policy].sums.ratio[static_cast<int>(baseline)].largest;
        return WorstRun{&cell, policy, *instance, to_double(largest.ratio),
                        value_of(cell, "requests")};
    }
    auto const& path = cell.paths->at(policy)[static_cast<std::size_t>(*instance)];
    auto const& tally = path.tallies[cell.horizon];
    return WorstRun{&cell, policy, *instance, fluid::latency(tally),
                    static_cast<double>(tally.arrivals)};
}

/// Cells of the iteration model are told at their last horizon, all types together.
bool is_told(CellResult const& cell)
{
    return cell.instances > 0 &&
           (cell.facts == nullptr ||
            (cell.type < 0 && cell.horizon + 1 == cell.facts->horizons.size()));
}

/// One a policy, the worst first.
std::vector<WorstRun> worst_runs(StoreContents const& contents)
{
    auto const& header = contents.header;
    std::vector<WorstRun> all;
    std::optional<BaselineKind> baseline = BaselineKind::h_sf;
    if (header.model == Model::rounds) {
        if (header.baselines.empty()) return all;
        baseline = baseline_named(header.baselines.front());
        if (!baseline) return all;
    }
    for (std::size_t k = 0; k < header.policies.size(); ++k) {
        std::optional<WorstRun> worst;
        for (auto const& cell : contents.cells)
            if (is_told(cell))
                if (auto const here = worst_in(cell, k, *baseline);
                    here && (!worst || here->value > worst->value))
                    worst = here;
        if (worst) all.push_back(*worst);
    }
    std::ranges::stable_sort(all, std::ranges::greater{}, &WorstRun::value);
    return all;
}

OrderedJson worst_json(StoreContents const& contents)
{
    auto all = OrderedJson::array();
    for (auto const& run : worst_runs(contents)) {
        OrderedJson row{{"policy", contents.header.policies[run.policy].label},
                        {"value", run.value},
                        {"cell", run.cell->index},
                        {"coordinates", coordinates_json(*run.cell)},
                        {"instance", run.instance},
                        {"requests", number_or_null(run.requests)}};
        all.push_back(std::move(row));
    }
    return all;
}

OrderedJson claims_of(StoreContents const& contents, StoredPanels const& experiment)
{
    auto all = OrderedJson::array();
    for (auto const& [claim, why] : touched_claims(contents, experiment)) {
        auto hypotheses = OrderedJson::array();
        for (auto const& h : claim->hypotheses) hypotheses.push_back(h);
        all.push_back({{"id", claim->id},
                       {"paper", claim->paper},
                       {"place", claim->place},
                       {"statement", claim->statement},
                       {"hypotheses", hypotheses},
                       {"verdict", claims::name_of(claim->verdict)},
                       {"evidence", claim->evidence},
                       {"why", why},
                       {"command", claim->command}});
    }
    return all;
}

/// What the theory says of the first cell of the iteration model.
OrderedJson theory_json(StoreContents const& contents, std::string const& name)
{
    auto const& header = contents.header;
    auto const& cell = contents.cells.front();
    auto coordinates = cell.coordinates;
    std::erase_if(coordinates,
                  [](auto const& c) { return c.first == "horizon" || c.first == "type"; });
    auto out = OrderedJson::object();
    for (auto const& [axis, value] : coordinates) out["coordinates"][axis] = value;
    try {
        auto const experiment =
            Experiment::parse(header.text, name + ":experiment", header.folder, header.overrides);
        out["text"] = fluid_text(*experiment.make_cell(cell.sweep, coordinates).paths);
    } catch (InputError const& error) {
        out["error"] = std::string("the experiment cannot be read again: ") + error.what();
    }
    return out;
}

} // namespace

void add_report_parts(OrderedJson& document, StoreContents const& contents,
                      StoredPanels const& experiment, std::string const& name)
{
    bool const rounds = contents.header.model == Model::rounds;
    if (rounds) document["ranks"] = ranks_json(contents, experiment.confidence);
    if (auto const plan = stored_capacity(contents.header, name))
        document["capacity"] =
            capacity_json(contents, capacity_tables(contents, *plan, experiment.confidence),
                          experiment.confidence);
    if (!rounds)
        document["horizons"] =
            path_rank_json(contents, path_rank_tables(contents, experiment.confidence));
    document["terms"] = OrderedJson::array();
    for (auto const& section : reference_sections())
        if (section.kind == "term")
            for (auto const& [term, meaning] : section.entries)
                document["terms"].push_back({{"term", term}, {"meaning", meaning}});
    document["worst"] = worst_json(contents);
    document["claims"] = claims_of(contents, experiment);
    if (contents.header.model == Model::iterations && !contents.cells.empty())
        document["theory"] = theory_json(contents, name);
}

namespace {

bool is_alphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Whether a text has the words one after the other, whole: "Theorem 5.1" is not in "Theorem 5.12".
bool has_words(std::string_view text, std::string_view words)
{
    for (auto at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
        auto const end = at + words.size();
        bool const before = at == 0 || !is_alphanumeric(text[at - 1]);
        bool const after =
            end == text.size() ||
            (!is_alphanumeric(text[end]) &&
             !(text[end] == '.' && end + 1 < text.size() && is_alphanumeric(text[end + 1])));
        if (before && after) return true;
    }
    return false;
}

/// The number that a text has at `at`, as "5.2" or "EC.2", behind which `at` then is; empty where
/// there is none.
std::string number_at(std::string_view text, std::size_t& at)
{
    auto end = at;
    while (end < text.size() && (is_alphanumeric(text[end]) || text[end] == '.')) ++end;
    while (end > at && text[end - 1] == '.') --end;
    std::string number(text.substr(at, end - at));
    if (std::ranges::none_of(number, [](char c) { return c >= '0' && c <= '9'; })) return {};
    at = end;
    return number;
}

/// Adds what a list of numbers names: "7, 8, 11 to 13 and EC.2".
void add_list(std::string const& kind, std::string_view text, std::size_t at,
              std::vector<std::string>& places)
{
    bool range = false;
    std::string last;
    for (;;) {
        auto const number = number_at(text, at);
        if (number.empty()) return;
        if (range && number.size() < 4 && last.size() < 4)
            for (int n = std::atoi(last.c_str()) + 1; n < std::atoi(number.c_str()); ++n)
                places.push_back(kind + " " + std::to_string(n));
        places.push_back(kind + " " + number);
        last = number;
        auto const rest = text.substr(at);
        range = rest.starts_with(" to ");
        if (rest.starts_with(", "))
            at += 2;
        else if (rest.starts_with(" and "))
            at += 5;
        else if (range)
            at += 4;
        else
            return;
    }
}

/// "Theorem 5.2", "Figure EC.2", .. that a text names, also in lists.
std::vector<std::string> places_in(std::string_view text)
{
    static constexpr std::array kinds{"Theorem", "Lemma", "Corollary", "Proposition",
                                      "Figure",  "Table", "Example"};
    std::vector<std::string> places;
    for (std::string const kind : kinds)
        for (auto const& word : {kind + " ", kind + "s "})
            for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
                add_list(kind, text, at + word.size(), places);
    return places;
}

/// "chen_theorem_5_2" as a text that names paper and place: "CHEN Theorem 5.2".
std::string spelt_out(std::string const& name)
{
    std::string text;
    std::string word;
    bool in_paper = true;
    auto const end_word = [&] {
        if (word.empty()) return;
        bool const number = word[0] >= '0' && word[0] <= '9';
        if (in_paper)
            for (auto& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        else
            word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
        bool const after_number = !text.empty() && text.back() >= '0' && text.back() <= '9';
        text += (text.empty() ? "" : number && after_number ? "." : " ") + word;
        in_paper = false;
        word.clear();
    };
    for (char const c : name) {
        if (c == '_')
            end_word();
        else
            word += c;
    }
    end_word();
    return text;
}

/// Whether a text names the claim's paper, and a place that the claim is of.
bool names(std::string const& text, claims::Claim const& claim)
{
    if (!has_words(text, claim.paper)) return false;
    auto const claimed = places_in(claim.place);
    return std::ranges::any_of(places_in(text), [&](std::string const& place) {
        return std::ranges::find(claimed, place) != claimed.end();
    });
}

std::string why_touched(StoreContents const& contents, StoredPanels const& experiment,
                        claims::Claim const& claim)
{
    auto const& name = contents.header.name;
    if (!name.empty() &&
        (has_words(claim.command, name + ".toml") || has_words(claim.command, name + ".db")))
        return "its command runs this experiment";
    if (names(spelt_out(name), claim) || names(experiment.title, claim))
        return "the experiment is named after it";
    for (auto const& panel : experiment.panels)
        for (auto const& id : panel.curves)
            if (auto const* curve = bounds::find_curve(id); curve && names(curve->source, claim))
                return "a panel draws its curve " + id;
    return {};
}

} // namespace

std::vector<TouchedClaim> touched_claims(StoreContents const& contents,
                                         StoredPanels const& experiment)
{
    std::vector<TouchedClaim> touched;
    std::vector<claims::Claim> const* all = nullptr;
    try {
        all = &claims::all_claims();
    } catch (InputError const&) { // a program without its folder of claims
        return touched;
    }
    for (auto const& claim : *all)
        if (auto why = why_touched(contents, experiment, claim); !why.empty())
            touched.push_back({&claim, std::move(why)});
    return touched;
}

} // namespace crx
