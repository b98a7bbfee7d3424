#include "host/sweep/rank_stores.hh"

#include "host/error.hh"
#include "host/say.hh"
#include "host/store/identity_difference.hh"
#include "host/store/open_store.hh"
#include "host/store/tables/integrity.hh"
#include "host/store/tables/schema.hh"

#include <fmt/core.h>

namespace crx {

namespace {

namespace fs = std::filesystem;

/// Whether a store was made in the file: a rank may have been killed before.
bool has_begun(fs::path const& file)
{
    std::error_code ignored;
    if (fs::file_size(file, ignored) == 0) return false;
    Database const database(file, Access::read);
    return kind_of(database) != FileKind::empty;
}

void remove_store(fs::path const& file)
{
    std::error_code ignored;
    for (char const* suffix : {"-wal", "-shm", "-journal", "-writer", ""})
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
    auto const note = [&](std::int64_t cell, InstanceRange range) {
        held_[cell].emplace(range.first, range.first + range.count);
    };
    for (auto const& [cell, covered] : store.covered()) {
        for (auto const& range : covered.done) note(cell, range);
        for (auto const& part : covered.partial) note(cell, part.range);
    }
}

void TakeIn::operator()(fs::path const& other)
{
    if (!has_begun(other)) return remove_store(other);
    std::string difference;
    with_store(other, [&](Database const& database) {
        auto const parts = inspect(database);
        if (parts.header) difference = describe_difference(parts.header->identity, identity_);
        if (!difference.empty()) return;
        if (!parts.damage.empty())
            say(other.string() + ": " + DamagedStore(parts.damage).what() + "; that is run again");
        auto const numbers = ensure_cells(parts.cells);
        inspect(database, [&](ChunkRow const& chunk, ChunkSums&& sums) {
            auto const found = numbers.find(chunk.cell);
            InstanceRange const range{chunk.first, chunk.count};
            if (found == numbers.end() || !is_new(found->second, range)) return;
            if (parts.header->model == Model::rounds)
                store_.add_chunk(found->second, range, sums.tally, sums.engines, sums.holdings);
            else
                store_.add_paths(found->second, range, sums.paths, sums.holdings);
            held_[found->second].emplace(range.first, range.first + range.count);
        });
    });
    if (!difference.empty())
        throw InputError(fmt::format("{}: was left by ranks of another experiment\n{}\n  put these "
                                     "back and run it to its end, or remove the folder",
                                     other.string(), difference));
    remove_store(other);
}

/// Makes the cells that are not there yet; the numbers that all have, by those in the other store.
std::map<std::int64_t, std::int64_t> TakeIn::ensure_cells(std::vector<StoredCell> const& cells)
{
    std::vector<PlannedCell> planned;
    std::vector<std::int64_t> indices;
    for (auto const& cell : cells) {
        planned.push_back(
            {cell.sweep, cell.coordinates, {}, {}, cell.identity, cell.parameters, cell.left_out});
        indices.push_back(cell.index);
    }
    store_.ensure_cells_as(planned, indices);
    auto const there = store_.ensure_cells(planned);
    std::map<std::int64_t, std::int64_t> numbers;
    for (std::size_t k = 0; k < indices.size(); ++k) numbers.emplace(indices[k], there[k]);
    return numbers;
}

bool TakeIn::is_new(std::int64_t cell, InstanceRange range) const
{
    auto const found = held_.find(cell);
    if (found == held_.end()) return true;
    auto const behind = found->second.lower_bound(range.first + range.count);
    return behind == found->second.begin() || std::prev(behind)->second <= range.first;
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
        else if (name.starts_with("work-") || (is_alone && name.starts_with("rank-")))
            others.push_back(entry.path());
    }
    TakeIn take_in(store, identity);
    for (auto const& each : stores) take_in(each);
    for (auto const& each : others) fs::remove(each, ignored);
    if (is_alone) fs::remove(folder, ignored);
    return static_cast<int>(stores.size());
}

} // namespace crx
