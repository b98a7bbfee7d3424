#include "host/store/store_check.hh"

#include "host/store/open_store.hh"

namespace crx {

namespace {

StoreCheck check(Database const& database)
{
    auto parts = inspect(database);
    StoreCheck found;
    for (auto const& chunk : parts.chunks) found.instances += chunk.count;
    found.chunks = static_cast<std::int64_t>(parts.chunks.size());
    std::set<std::int64_t> damaged;
    for (auto const& each : parts.damage)
        if (each.cell >= 0) damaged.insert(each.cell);
    auto listed = damaged;
    for (auto const& cell : parts.cells) {
        if (cell.index < 0) continue; // put aside by --extend
        listed.insert(cell.index);
        if (parts.header && parts.all_listed && damaged.count(cell.index) == 0)
            found.whole_cells.push_back(cell.index);
    }
    found.cells = static_cast<std::int64_t>(listed.size());
    found.damage = std::move(parts.damage);
    inspect_structure(database, found.damage);
    return found;
}

} // namespace

StoreCheck check_store(std::filesystem::path const& file)
{
    StoreCheck found;
    try {
        with_store(file, [&](Database const& database) { found = check(database); });
    } catch (std::exception const& error) {
        found = {};
        found.refusal = error.what();
    }
    found.file = file.string();
    return found;
}

} // namespace crx
