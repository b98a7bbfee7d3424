#include "host/store/sums_of_keys.hh"

#include "host/store/sums_text.hh"

#include <algorithm>

namespace crx {

SumsOfKeys::Added SumsOfKeys::add(SumsRow row)
{
    auto& rows = rows_[row.key];
    auto const end = row.first + row.count;
    auto const place = std::ranges::lower_bound(rows, row.first, {}, &SumsRow::first);
    auto at = place;
    if (at != rows.begin() && row.first < std::prev(at)->first + std::prev(at)->count) --at;
    if (at == rows.end() || at->first >= end) {
        rows.insert(place, std::move(row));
        return Added::yes;
    }
    auto reached = row.first;
    for (; at != rows.end() && at->first <= reached; ++at) reached = at->first + at->count;
    return reached >= end ? Added::no_covered : Added::no_meets;
}

SumsRow* SumsOfKeys::find(SumsKey const& key, std::int64_t first)
{
    auto const found = rows_.find(key);
    if (found == rows_.end()) return nullptr;
    auto const at = std::ranges::lower_bound(found->second, first, {}, &SumsRow::first);
    return at != found->second.end() && at->first == first ? &*at : nullptr;
}

template <class Use>
void SumsOfKeys::each(SumsKey const& key, Use use) const
{
    auto const found = rows_.find(key);
    if (found == rows_.end()) return;
    for (auto const& row : found->second)
        row.sums.empty() && text_of_ ? use(text_of_(row)) : use(row.sums);
}

RangesOfSums SumsOfKeys::ranges(CellKeys const& keys) const
{
    RangesOfSums ranges;
    auto const add = [&](SumsKey const& key) {
        auto& list = ranges.back().emplace_back();
        if (auto const found = rows_.find(key); found != rows_.end())
            for (auto const& row : found->second) list.push_back({row.first, row.count});
    };
    for (auto const& policy : keys) {
        ranges.emplace_back();
        add(policy.sums);
        for (auto const& key : policy.ratios) add(key);
    }
    return ranges;
}

Tally SumsOfKeys::tally(CellKeys const& keys,
                        std::vector<std::optional<BaselineKind>> const& baselines) const
{
    Tally all(keys.size());
    for (std::size_t p = 0; p < keys.size(); ++p) {
        each(keys[p].sums,
             [&](std::string const& text) { add_outcomes(text, all[p].sums, all[p].measures); });
        for (std::size_t b = 0; b < keys[p].ratios.size(); ++b) {
            if (!baselines.at(b)) continue;
            auto const kind = static_cast<int>(*baselines[b]);
            each(keys[p].ratios[b], [&](std::string const& text) {
                add_ratios(text, all[p].sums.ratio[kind], all[p].histogram[kind]);
            });
        }
    }
    return all;
}

PathSums SumsOfKeys::paths(CellKeys const& keys) const
{
    PathSums all;
    std::vector<MeasureSums> ignored;
    for (auto const& policy : keys) {
        auto& paths = all.emplace_back();
        each(policy.sums, [&](std::string const& text) { add_paths(text, paths, ignored); });
    }
    return all;
}

} // namespace crx
