#include "host/sweep/rank_stores.hh"

#include "host/error.hh"
#include "host/say.hh"
#include "host/store/identity_difference.hh"
#include "host/store/journal.hh"

#include <fmt/core.h>

namespace crx {

namespace {

namespace fs = std::filesystem;

void remove_store(fs::path const& file)
{
    std::error_code ignored;
    for (char const* suffix : {"", "-journal", "-writer"}) // without its journal it may be torn
        fs::remove(file.string() + suffix, ignored);
}

} // namespace

fs::path folder_of_ranks(fs::path const& store) { return store.string() + ".ranks"; }

fs::path store_of_rank(fs::path const& folder, std::string const& run, std::int64_t round, int rank,
                       int size)
{
    return folder / fmt::format("rank-{}-of-{}-{}-{}.db", rank, size, run, round);
}

TakeIn::TakeIn(RunStore& store, std::string identity)
    : store_(store), identity_(std::move(identity))
{
}

void TakeIn::operator()(fs::path const& other)
{
    if (kind_of(other) == FileKind::absent) return remove_store(other);
    StoreParts parts;
    std::vector<SumsRow> rows;
    with_store(other, [&](SQLite::Database& database) {
        rows.clear();
        parts = read_parts(
            database, [&](StoreParts const&, SumsRow&& row) { rows.push_back(std::move(row)); });
    });
    auto const difference =
        parts.has_header() ? describe_difference(parts.header().identity, identity_) : "";
    if (!difference.empty())
        throw InputError(fmt::format("{}: was left by ranks of another experiment\n{}\n  put these "
                                     "back and run it to its end, or remove the folder",
                                     other.string(), difference));
    for (auto const& damage : parts.damage) say(other.string() + ": is run again: " + damage.what);
    std::vector<PlannedCell> planned;
    std::vector<std::int64_t> indices;
    for (auto const& cell : parts.cells) {
        planned.push_back(
            {cell.sweep, cell.coordinates, {}, {}, cell.identity, cell.parameters, cell.left_out});
        indices.push_back(cell.index);
    }
    store_.ensure_cells_as(planned, indices);
    for (auto& row : rows) {
        auto const& run = parts.runs.at(row.run);
        try {
            store_.add_row(std::move(row), run);
        } catch (InputError const&) {
            // Some of its instances are there: the others are run again.
        }
    }
    store_.commit();
    remove_store(other);
}

int take_in_ranks(RunStore& store, std::string const& identity, bool is_alone)
{
    auto const folder = folder_of_ranks(store.file());
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) return 0;
    std::vector<fs::path> stores, others;
    for (auto const& entry : fs::directory_iterator(folder)) {
        auto const name = entry.path().filename().string();
        if (name.starts_with("rank-") && name.ends_with(".db"))
            stores.push_back(entry.path());
        else if (name.starts_with("work-") || name.find(".db-") != std::string::npos ||
                 (is_alone && name.starts_with("rank-")))
            others.push_back(entry.path()); // such files of stores that are gone or never came
    }
    TakeIn take_in(store, identity);
    for (auto const& each : stores) take_in(each);
    for (auto const& each : others) fs::remove(each, ignored);
    if (is_alone) fs::remove(folder, ignored);
    return static_cast<int>(stores.size());
}

} // namespace crx
