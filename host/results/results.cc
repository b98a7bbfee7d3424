#include "host/results/results.hh"

#include "analysis/statistics/baseline_name.hh"
#include "host/store/store_reader.hh"
#include "host/store/sums_text.hh"

#include <algorithm>
#include <map>
#include <set>

namespace crx {

namespace {

/// Number of each sweep in plan order: the grids were entered sweep by sweep.
std::map<std::string, std::size_t> sweep_order(std::vector<StoredCell> const& by_index)
{
    std::map<std::string, std::size_t> order;
    for (auto const& cell : by_index) order.try_emplace(cell.sweep, order.size());
    return order;
}

bool before(Coordinates const& one, Coordinates const& other)
{
    return std::lexicographical_compare(
        one.begin(), one.end(), other.begin(), other.end(),
        [](auto const& a, auto const& b) { return a.second < b.second; });
}

/// Whether every instance of `ranges` is in `all`. Both are disjoint; neither is in order.
bool are_covered(std::vector<InstanceRange> const& ranges, std::vector<InstanceRange> all)
{
    std::ranges::sort(all, {}, &InstanceRange::first);
    return std::ranges::all_of(ranges, [&](InstanceRange const& range) {
        auto reached = range.first;
        auto next = std::ranges::upper_bound(all, reached, {}, &InstanceRange::first);
        if (next != all.begin()) --next;
        for (; next != all.end() && next->first <= reached; ++next)
            reached = std::max(reached, next->first + next->count);
        return reached >= range.first + range.count;
    });
}

/// A cell's sums while its chunks are read.
struct CellSums
{
    explicit CellSums(std::size_t policies)
        : instances(policies), tally(policies), engines(policies), paths(policies),
          measures(policies), own(policies)
    {
    }

    void add(StoreHeader const& header, SumsPlace const& place, SumsRow const& row,
             StoredRun const& run, ReadMeasures wanted)
    {
        auto const p = place.policy;
        commits.insert(run.commit);
        if (!row.engine.empty()) engines[p].insert(row.engine);
        if (place.baseline) {
            auto const kind = baseline_named(header.baselines.at(*place.baseline));
            if (!kind) return; // the export says that this version does not know it
            auto const k = static_cast<int>(*kind);
            add_ratios(row.sums, tally[p].sums.ratio[k], tally[p].histogram[k]);
            divided[{p, k}].push_back({row.first, row.count});
            return;
        }
        instances[p] += row.count;
        own[p].push_back({row.first, row.count});
        if (header.model == Model::rounds && wanted == ReadMeasures::no)
            add_outcomes(row.sums, tally[p].sums);
        else if (header.model == Model::rounds)
            add_outcomes(row.sums, tally[p].sums, tally[p].measures);
        else
            add_paths(row.sums, paths[p], measures[p]);
    }

    /// Ratios of instances whose own sums are not there, as in a torn copy, are not there either.
    void leave_out_alone()
    {
        for (auto const& [place, ranges] : divided)
            if (auto const [p, k] = place; !are_covered(ranges, own[p])) {
                tally[p].sums.ratio[k] = {};
                tally[p].histogram[k].clear();
            }
    }

    std::vector<std::int64_t> instances; ///< that each policy has run
    Tally tally;
    std::vector<std::set<std::string>> engines;
    std::set<std::string> commits;
    PathSums paths;
    PathMeasures measures;
    std::vector<std::vector<InstanceRange>> own; ///< by policy: of its own sums
    std::map<std::pair<std::size_t, int>, std::vector<InstanceRange>> divided; ///< and baseline
};

CellResult result_of(StoredCell const& cell, CellSums&& sums, Model model)
{
    CellResult result{cell};
    result.instances = *std::ranges::max_element(sums.instances);
    result.commits.assign(sums.commits.begin(), sums.commits.end());
    for (auto const& names : sums.engines) {
        auto& text = result.engines.emplace_back();
        for (auto const& name : names) text += (text.empty() ? "" : ", ") + name;
    }
    if (model == Model::rounds) {
        sums.leave_out_alone();
        result.tally = std::move(sums.tally);
        return result;
    }
    result.facts = std::make_shared<PathFacts const>(path_facts(result.identity));
    if (result.facts->capacity.size() != sums.paths.size())
        throw std::invalid_argument("a cell with other policies");
    for (auto& paths : sums.paths) std::ranges::sort(paths, {}, &PathRecord::path);
    result.paths = std::make_shared<PathSums const>(std::move(sums.paths));
    result.measures = std::make_shared<PathMeasures const>(std::move(sums.measures));
    return result;
}

} // namespace

StoreContents read_store(std::filesystem::path const& file, ReadMeasures measures)
{
    std::map<std::int64_t, CellSums> sums; // by cell
    auto parts = read_whole_parts(
        file,
        [&](StoreParts const& known, SumsRow&& row) {
            auto const [begin, end] = known.places.equal_range(row.key);
            for (auto at = begin; at != end; ++at)
                sums.try_emplace(at->second.cell, known.header().policies.size())
                    .first->second.add(known.header(), at->second, row, known.runs.at(row.run),
                                       measures);
        },
        [&] { sums.clear(); });
    StoreContents contents{parts.header(), {}, {}};
    for (auto& [number, run] : parts.runs) contents.runs.push_back(std::move(run));
    auto const order = sweep_order(parts.cells);
    for (auto const& cell : parts.cells) {
        auto const found = sums.try_emplace(cell.index, contents.header.policies.size()).first;
        contents.cells.push_back(result_of(cell, std::move(found->second), contents.header.model));
    }
    std::stable_sort(contents.cells.begin(), contents.cells.end(),
                     [&](CellResult const& a, CellResult const& b) {
                         if (a.sweep != b.sweep) return order.at(a.sweep) < order.at(b.sweep);
                         return before(a.coordinates, b.coordinates);
                     });
    return contents;
}

} // namespace crx
