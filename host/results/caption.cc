#include "host/results/caption.hh"

#include "host/results/panel_fits.hh"
#include "host/results/path_points.hh"
#include "host/results/policy_text.hh"

#include <fmt/format.h>

#include <set>

namespace crx {

namespace {

/// Ends of the places at which something is so.
struct Places
{
    std::optional<double> low, high;

    void add(double x)
    {
        low = std::min(low.value_or(x), x);
        high = std::max(high.value_or(x), x);
    }
    std::string text() const
    {
        return same_value(*low, *high) ? fmt::format("{:.6g}", *low)
                                       : fmt::format("{:.6g} to {:.6g}", *low, *high);
    }
};

/// What the small print says of runs that did not end and of values that are not there, policy by
/// policy with the range of x; empty where there is neither.
std::string unfinished_text(PanelSource const& source)
{
    auto const missing = missing_values(source);
    auto const axis = typeset(source.panel.x);
    std::vector<std::string> unfinished, gone;
    for (std::size_t k = 0; k < source.policies.size(); ++k) {
        if (!source.shows(source.policies[k])) continue;
        auto const name = policy_text(source.policies[k], source.all_at_zero());
        Places places, without;
        std::int64_t count = 0, runs = 0;
        for (auto const* cell : source.cells) {
            auto const never_ended = unfinished_of(*cell, k);
            if (cell->paths == nullptr) runs += cell->tally[k].sums.count + never_ended;
            if (never_ended == 0) continue;
            if (auto const x = place_on_x(source, *cell, k)) places.add(*x);
            count += never_ended;
        }
        if (count > 0)
            unfinished.push_back(
                fmt::format("{} {} of {}{}", name, count, runs,
                            places.low ? fmt::format(" ({} {})", axis, places.text()) : ""));
        bool any = false;
        for (auto const& value : missing) {
            if (value.policy != k) continue;
            any = true;
            if (value.x) without.add(*value.x);
        }
        if (any)
            gone.push_back(name +
                           (without.low ? fmt::format(" at {} {}", axis, without.text()) : ""));
    }
    std::string text;
    if (!unfinished.empty())
        text += fmt::format(" Unfinished runs{}: {}.",
                            source.measure == Measure::unfinished ? "" : ", in no average",
                            fmt::join(unfinished, "; "));
    if (!gone.empty()) text += fmt::format(" Cells without a value: {}.", fmt::join(gone, "; "));
    return text;
}

/// "12", or "12 to 4096".
std::string span_text(double low, double high)
{
    auto const text = [](double value) {
        return value < 1e6 ? fmt::format("{:.6g}", value) : fmt::format("{:.10g}", value);
    };
    return same_value(low, high) ? text(low) : text(low) + " to " + text(high);
}

template <class Value>
std::string span_of(Cells const& cells, Value value)
{
    double low = value(*cells.front()), high = low;
    for (auto const* cell : cells) {
        low = std::min(low, value(*cell));
        high = std::max(high, value(*cell));
    }
    return span_text(low, high);
}

/// n, M, s and the instances a point of one panel.
std::string facts(PanelSource const& source)
{
    static constexpr std::pair<char const*, char const*> names[] = {
        {"requests", "$n$"}, {"memory", "$M$"}, {"prompt", "$s$"}};
    std::string text;
    for (auto const& [name, symbol] : names) {
        bool const known = std::all_of(source.cells.begin(), source.cells.end(), [&](auto* cell) {
            return value_of(*cell, name).has_value();
        });
        if (known)
            text += fmt::format("{} = {}, ", symbol, span_of(source.cells, [&](auto const& cell) {
                                    return *value_of(cell, name);
                                }));
    }
    auto const count = [](auto const& cell) { return static_cast<double>(cell.instances); };
    return text + span_of(source.cells, count) +
           (std::ranges::all_of(source.cells, [](auto* cell) { return cell->instances == 1; })
                ? " instance per cell"
                : " instances per cell");
}

/// What is said of each panel, and the letters of those of which the same is said.
using Said = std::vector<std::pair<std::string, std::string>>;

template <class Text>
Said said_of(std::vector<PanelSource> const& panels, Text text_of)
{
    Said said;
    for (std::size_t i = 0; i < panels.size(); ++i) {
        auto const text = text_of(panels[i]);
        auto const letter = fmt::format("({})", static_cast<char>('a' + i % 26));
        auto const known = std::ranges::find(said, text, [](auto const& s) { return s.first; });
        if (known == said.end())
            said.emplace_back(text, letter);
        else
            known->second += ", " + letter;
    }
    return said;
}

/// What a panel is filtered by, without what facts() says of it.
std::string filters(PanelSource const& source)
{
    std::string text;
    for (auto const& [name, value] : source.panel.where)
        if (name != "requests" && name != "memory" && name != "prompt")
            text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", typeset(name),
                                span_text(value, value));
    return text;
}

std::string all_facts(std::vector<PanelSource> const& panels)
{
    std::string all;
    for (auto const& said : {said_of(panels, facts), said_of(panels, filters)})
        for (auto const& [text, letters] : said)
            if (!text.empty())
                all += fmt::format("{}{}{}", all.empty() ? "" : "; ",
                                   said.size() == 1 ? "" : letters + " ", text);
    return all;
}

/// What the vertical axes show, exactly, however the experiment labels them.
std::string measures(std::vector<PanelSource> const& panels)
{
    std::vector<std::string> labels;
    for (auto const& source : panels) {
        if (source.panel.is_frontier()) {
            auto const across = x_label(source);
            if (std::ranges::find(labels, across) == labels.end()) labels.push_back(across);
        }
        auto const label = measure_label(source.measure, source.baseline, source.panel.worst_over,
                                         source.time_unit());
        if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
    }
    return fmt::format(" Shown: {}.", fmt::join(labels, "; "));
}

/// What the letters at the axes mean.
std::string letters(std::vector<PanelSource> const& panels)
{
    static constexpr std::pair<std::string_view, char const*> known[] = {
        {"alpha", "$\\ell$, $u$: ends of the predicted outputs, in tokens"},
        {"lower", "$\\ell$, $u$: ends of the predicted outputs, in tokens"},
        {"upper", "$\\ell$, $u$: ends of the predicted outputs, in tokens"},
        {"q", "$q$: the parameter of the law of outputs"}};
    std::string text;
    for (auto const& [name, meaning] : known)
        for (auto const& source : panels)
            if ((source.panel.x == name || source.panel.series == name ||
                 source.panel.worst_over == name) &&
                text.find(meaning) == std::string::npos)
                text += fmt::format(" {}.", meaning);
    return text;
}

std::string denominators(std::vector<PanelSource> const& panels)
{
    bool used[baseline_kinds] = {};
    for (auto const& source : panels)
        if (is_ratio(source.measure)) used[static_cast<int>(source.baseline)] = true;
    std::string text;
    if (used[static_cast<int>(BaselineKind::h_sf)])
        text += " H-SF: shortest first with true lengths (a schedule: upper bound on OPT).";
    if (used[static_cast<int>(BaselineKind::volume)])
        text += " Volume bound: a lower bound on OPT.";
    if (used[static_cast<int>(BaselineKind::release)])
        text += " Release bound: a lower bound on OPT with arrivals.";
    if (used[static_cast<int>(BaselineKind::mc_sf)])
        text += " MC-SF: shortest first with true lengths (a schedule: upper bound on OPT).";
    for (int k = engine_baselines; k < baseline_kinds; ++k)
        if (used[k]) {
            auto const& name = name_of(static_cast<BaselineKind>(k));
            text += fmt::format(" {}: {}.", escape(name.id), escape(name.denominator));
        }
    return text;
}

/// Whether any point has an interval of its own.
bool has_bars(std::vector<PanelSource> const& panels)
{
    return std::any_of(panels.begin(), panels.end(), [](PanelSource const& source) {
        if (source.measure == Measure::unfinished) return true;
        return source.measure != Measure::worst_ratio && source.measure != Measure::argmax &&
               std::ranges::any_of(source.cells, [](auto* cell) { return cell->instances > 1; });
    });
}

/// Said once where panels agree, else panel by panel.
template <class Text>
std::string of_panels(std::vector<PanelSource> const& panels, Text text_of)
{
    auto const said = said_of(panels, text_of);
    if (said.size() == 1) return said.front().first;
    std::string all;
    for (auto const& [text, letters] : said)
        if (!text.empty()) all += " " + letters + text;
    return all;
}

/// Paths without arrivals, which means over requests leave out.
std::string without_arrivals(PanelSource const& source)
{
    std::int64_t most = 0, of = 0;
    for (auto const* cell : source.cells)
        for (std::size_t k = 0; k < source.policies.size(); ++k) {
            if (!source.shows(source.policies[k])) continue;
            auto const counts = point_counts(*cell, k, source.measure, source.baseline);
            if (counts.without_arrivals <= most) continue;
            most = counts.without_arrivals;
            of = most + counts.behind;
        }
    return most == 0 ? ""
                     : fmt::format(" Means are over paths with arrivals; up to {} of {} have none.",
                                   most, of);
}

/// How many cells the panels' sweeps still lack.
std::string not_run(StoreContents const& store, std::vector<PanelSource> const& panels)
{
    std::int64_t waiting = 0, cells = 0;
    std::set<std::string> sweeps;
    for (auto const& source : panels) sweeps.insert(source.panel.sweep);
    for (auto const& cell : store.cells)
        if (sweeps.contains(cell.sweep) && cell.horizon == 0 && cell.type < 0) {
            ++cells;
            waiting += cell.instances == 0 ? 1 : 0;
        }
    return waiting == 0 ? ""
                        : fmt::format("Not complete: {} of {} cells not run yet.", waiting, cells);
}

std::string rows_left_out(std::vector<PanelSource> const& panels)
{
    std::int64_t most = 0;
    for (auto const& source : panels)
        for (auto const* cell : source.cells) {
            std::int64_t rows = 0;
            for (auto const& [name, count] : cell->left_out) rows += count;
            most = std::max(most, rows);
        }
    return most == 0 ? ""
                     : fmt::format("{} trace rows are left out (no prompt or output, or can never "
                                   "fit).",
                                   most);
}

} // namespace

CaptionParts caption_parts(StoreContents const& store, std::vector<PanelSource> const& panels,
                           Marks const& marks)
{
    CaptionParts parts;
    if (panels.empty()) return parts;
    auto const add = [&](char const* about, std::string const& text) {
        if (!text.empty()) parts.push_back({about, text.substr(text.starts_with(' ') ? 1 : 0)});
    };
    add("facts", fmt::format("{}; seed {}.", all_facts(panels), store.header.seed));
    if (has_bars(panels))
        add("intervals",
            fmt::format("Bars: {:g} % confidence intervals.", 100 * panels[0].confidence));
    for (auto const& source : panels)
        if (source.panel.is_frontier())
            add("measures", fmt::format("Along a line {} changes.", typeset(source.panel.x)));
    if (std::ranges::any_of(panels, [](auto const& p) { return p.measure == Measure::argmax; }))
        add("intervals",
            "Bars of an argument: where the interval reaches that of the largest value.");
    if (store.header.model == Model::iterations)
        add("model", "All policies and horizons share the arrivals of a path.");
    if (std::ranges::any_of(panels, fits_horizons))
        add("intervals", "The interval of an exponent is by 20 groups of paths.");
    if (auto const held = memory_held(store); !held.text.empty())
        add("memory",
            fmt::format("Most memory that a policy held in any cell: {}{}.", typeset(held.text),
                        held.differs ? ", so they are not compared at equal memory" : ""));
    add("measures", measures(panels));
    if (store.header.model == Model::rounds) add("measures", "TEL: total latency.");
    add("measures", letters(panels));
    add("denominators", denominators(panels));
    add("incomplete", not_run(store, panels));
    add("unfinished", of_panels(panels, unfinished_text));
    add("left-out", of_panels(panels, without_arrivals));
    add("left-out", rows_left_out(panels));
    if (marks.partial) add("rings", "Rings: where some runs never end, a point shows the others.");
    if (marks.few)
        add("crosses", "Crosses: the interval rests on fewer than ten different values, or has no "
                       "width and is not shown; it may hold the mean less often than it says.");
    add("guides", guides_text(panels));
    return parts;
}

std::string joined(CaptionParts const& parts)
{
    std::string text;
    for (auto const& part : parts) text += (text.empty() ? "" : " ") + part.text;
    return text;
}

} // namespace crx
