#include "host/store/extension/extend_store.hh"

#include "host/error.hh"
#include "host/store/extension/extension_check.hh"
#include "host/store/file/database_file.hh"
#include "host/store/file/writer_lock.hh"
#include "host/store/identity_difference.hh"
#include "host/store/open_store.hh"
#include "host/store/store_error.hh"
#include "host/store/tables/cell_rows.hh"
#include "host/store/tables/integrity.hh"
#include "host/store/tables/schema.hh"
#include "kernels/base/counted.hh"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace crx {

namespace {

using MakeCell = std::function<PlannedCell(std::string const&, Coordinates const&)>;

/// What becomes of a cell: nothing where the larger experiment has no valid cell there.
struct Change
{
    StoredCell before;
    std::optional<PlannedCell> after;
};

std::vector<Change> changes_of(std::filesystem::path const& file, std::vector<StoredCell> cells,
                               StoreHeader const& there, StoreHeader const& here,
                               MakeCell const& make_cell)
{
    std::vector<Change> changes;
    for (auto& cell : cells) {
        changes.push_back({std::move(cell), {}});
        auto& [before, after] = changes.back();
        try {
            after = make_cell(before.sweep, before.coordinates);
        } catch (InputError const&) {
            continue; // a point of a refinement: those of the grid are all valid
        }
        auto const difference = describe_difference(
            before.identity, identity_as_before(after->identity, here, before.identity, there));
        if (!difference.empty())
            throw InputError(file.string() + ": what is new would change what there is of sweep " +
                             before.sweep + " at " + coordinates_text(before.coordinates) +
                             "; nothing was changed\n" + difference +
                             "\n  choose another file with --db FILE, or put these back");
    }
    return changes;
}

/// Gives the policies of a table of sums the numbers that they have in the larger experiment.
void renumber_policies(Database const& database, StoreHeader const& there, StoreHeader const& here)
{
    constexpr std::int64_t aside = 1'000'000; // past all numbers of policies
    std::string cases;
    bool same = true;
    for (std::size_t p = 0; p < there.policies.size(); ++p) {
        auto const found =
            std::ranges::find(here.policies, there.policies[p].label, &PolicyEntry::label);
        auto const number = static_cast<std::size_t>(found - here.policies.begin());
        cases += fmt::format(" WHEN {} THEN {}", static_cast<std::int64_t>(p) + aside, number);
        same = same && number == p;
    }
    if (same) return;
    for (std::string const table : {"policy_sums", "ratio_sums", "path_sums"}) {
        database.run(fmt::format("UPDATE {} SET policy = policy + {}", table, aside));
        database.run(fmt::format("UPDATE {} SET policy = CASE policy{} END", table, cases));
    }
}

void remove_cell(Database const& database, std::int64_t cell)
{
    for (std::string const table : {"policy_sums", "ratio_sums", "path_sums"})
        database
            .prepare("DELETE FROM " + table +
                     " WHERE chunk IN (SELECT chunk FROM chunks WHERE cell = ?)")
            .bind(cell)
            .run();
    database.prepare("DELETE FROM chunks WHERE cell = ?").bind(cell).run();
    database.prepare("DELETE FROM cells WHERE cell = ?").bind(cell).run();
}

void write_changes(Database const& database, std::vector<Change> const& changes,
                   StoreHeader const& there, StoreHeader const& here)
{
    renumber_policies(database, there, here);
    database.run("DELETE FROM policies");
    write_header(database, here);
    std::int64_t lowest = 0;
    for (auto const& [before, after] : changes) lowest = std::min(lowest, before.index);
    for (auto const& [before, after] : changes) {
        if (!after) {
            remove_cell(database, before.index);
            continue;
        }
        auto const index = before.index < 0 ? before.index : --lowest;
        replace_cell(database, before.index,
                     {index, before.sweep, before.coordinates, after->parameters, after->identity,
                      after->left_out});
    }
}

std::string names_of_new(StoreHeader const& there, StoreHeader const& here)
{
    std::vector<std::string> policies, baselines, parts;
    for (auto const& policy : here.policies)
        if (std::ranges::find(there.policies, policy.label, &PolicyEntry::label) ==
            there.policies.end())
            policies.push_back(policy.label);
    for (auto const& id : here.baselines)
        if (std::ranges::find(there.baselines, id) == there.baselines.end())
            baselines.push_back(id);
    if (!policies.empty()) parts.push_back(fmt::format("policies {}", fmt::join(policies, ", ")));
    if (!baselines.empty())
        parts.push_back(fmt::format("baselines {}", fmt::join(baselines, ", ")));
    std::ranges::copy(new_points(there, here), std::back_inserter(parts));
    return fmt::format("{}", fmt::join(parts, "; "));
}

/// What there is to change in a store.
struct Extension
{
    StoreHeader there;
    std::vector<Change> changes;
};

/// Nothing: there is nothing new, or RunStore says what is wrong. Throws as extend_store does.
std::optional<Extension> extension_of(Database const& database, std::filesystem::path const& file,
                                      StoreHeader const& header, MakeCell const& make_cell)
{
    if (kind_of(database) != FileKind::store) return {}; // RunStore says what it is
    auto parts = inspect(database);
    if (!parts.header || !parts.damage.empty()) return {}; // likewise what is damaged
    auto const& there = *parts.header;
    if (describe_difference(there.identity, header.identity).empty()) return {};
    if (!there.shard.empty())
        throw InputError(file.string() + ": a shard cannot be extended; nothing was changed\n  " +
                         "crx merge joins it with the others; extend what that makes");
    auto const difference = difference_beyond_extension(there, header);
    if (!difference.empty())
        throw InputError(file.string() +
                         ": cannot be extended to this experiment, which does not only add "
                         "policies, baselines, axis values and panels; nothing was changed\n" +
                         difference + "\n  choose another file with --db FILE, or put these back");
    auto changes = changes_of(file, std::move(parts.cells), there, header, make_cell);
    return Extension{there, std::move(changes)};
}

} // namespace

std::string extend_store(std::filesystem::path const& file, StoreHeader const& header,
                         MakeCell const& make_cell)
{
    std::error_code ignored;
    if (!std::filesystem::exists(where_it_leads(file), ignored)) return {};
    auto const place = place_of_store(file);
    WriterLock const lock(place);
    try {
        Database const database(place, Access::write);
        auto const extension = extension_of(database, place, header, make_cell);
        if (!extension) return {};
        Transaction all(database, Transaction::Kind::write);
        write_changes(database, extension->changes, extension->there, header);
        all.commit();
        return names_of_new(extension->there, header);
    } catch (DatabaseError const& error) {
        fail_to_open(place, error);
    }
}

std::string what_extends(std::filesystem::path const& file, StoreHeader const& header,
                         MakeCell const& make_cell)
{
    std::error_code ignored;
    if (!std::filesystem::exists(where_it_leads(file), ignored)) return {};
    std::string names;
    with_store(file, [&](Database const& database) {
        auto const extension = extension_of(database, file, header, make_cell);
        names = extension ? names_of_new(extension->there, header) : std::string();
    });
    return names;
}

} // namespace crx
