#include "host/store/store_reader.hh"

#include "host/error.hh"
#include "host/shell_word.hh"
#include "host/store/database.hh"
#include "host/store/sums_of_keys.hh"

#include <fmt/core.h>

namespace crx {

namespace {

constexpr std::string_view structure_prefix = "SQLite: ";

/// Reads the tables one after the other.
class PartsReader
{
  public:
    explicit PartsReader(SQLite::Database& database) : database_(database) {}

    StoreParts read(UseSums const& use)
    {
        each(experiment_rows, [&](SQLite::Statement& row) {
            auto header = read_experiment(row);
            parts_.header_is_whole = header.has_value();
            if (header) parts_.experiments.push_back(std::move(*header));
            return header.has_value();
        });
        each(run_rows, [&](SQLite::Statement& row) {
            auto run = read_run(row);
            if (run) parts_.runs.emplace(run->number, std::move(*run));
            return run.has_value();
        });
        if (parts_.has_header()) {
            auto const policies = parts_.header().policies.size();
            each(cell_rows, [&](SQLite::Statement& row) {
                auto cell = read_cell(row, policies);
                if (cell) parts_.cells.push_back(std::move(*cell));
                return cell.has_value();
            });
        }
        for (auto const& cell : parts_.cells) add_places(cell);
        read_sums_rows(use);
        bool const is_used = !parts_.runs.empty() ||
                             database_.execAndGet("SELECT count(*) FROM cells").getInt64() > 0;
        if (parts_.experiments.empty() && parts_.damage.empty() && is_used)
            parts_.damage.push_back({"its experiment is lost"});
        for (auto& line : structure_damage(database_))
            parts_.damage.push_back({std::string(structure_prefix) + line});
        return std::move(parts_);
    }

  private:
    /// Notes the rows that `read` finds damaged.
    template <class Read>
    void each(RowQuery const& rows, Read read)
    {
        SQLite::Statement row(database_, select_all(rows));
        while (row.executeStep()) {
            std::string why = "its checksum is not that of its contents";
            try {
                if (read(row)) continue;
            } catch (SQLite::Exception const&) {
                throw;
            } catch (std::exception const& error) {
                why = reason_of(error);
            }
            auto const number = row.getColumn(0).getInt64();
            parts_.damaged_rows.emplace_back(rows, number);
            // That of a run is noted with its chunks; that of the experiment leaves no cells.
            std::vector<std::int64_t> cells;
            if (rows.table == cell_rows.table) cells.push_back(number);
            parts_.damage.push_back({fmt::format("{} {}: {}", rows.key, number, why), cells});
        }
    }

    void add_places(StoredCell const& cell)
    {
        for (std::size_t p = 0; p < cell.keys.size(); ++p) {
            auto const& [sums, ratios] = cell.keys[p];
            parts_.places.emplace(sums, SumsPlace{cell.index, p, {}});
            for (std::size_t b = 0; b < ratios.size(); ++b)
                parts_.places.emplace(ratios[b], SumsPlace{cell.index, p, b});
        }
    }

    void read_sums_rows(UseSums const& use)
    {
        std::vector<SumsRow> changed;
        SQLite::Statement row(database_, select_all(sums_rows));
        while (row.executeStep()) {
            auto sums = read_sums(row);
            if (!sums) {
                changed.push_back(claimed_sums(row));
            } else if (sums->first < 0 || sums->count < 1 || !parts_.runs.contains(sums->run)) {
                note(*sums, "the row of its run is missing or damaged");
            } else if (ranges_.add({sums->number, sums->key, sums->first, sums->count}) !=
                       SumsOfKeys::Added::yes) { // the two are of two states of the file
                note(*sums, "a chunk before has instances of it too");
            } else {
                use(parts_, std::move(*sums));
            }
        }
        for (auto& sums : changed) {
            // Its place is believed where it is one that nothing else has.
            if (sums.first < 0 ||
                ranges_.add({sums.number, sums.key, sums.first, 1}) != SumsOfKeys::Added::yes)
                sums.key = {};
            sums.count = 0;
            note(sums, "its checksum is not that of its contents");
        }
    }

    /// `row.count` is 0 where it is not known.
    void note(SumsRow const& row, std::string const& why)
    {
        parts_.damaged_rows.emplace_back(sums_rows, row.number);
        Damage damage{fmt::format("chunk {}", row.number)};
        auto const [first, last] = parts_.places.equal_range(row.key);
        if (first != last) {
            auto const& place = first->second;
            damage.what += fmt::format(
                " (cell {}, policy {}{}, instances {} {})", place.cell,
                parts_.header().policies[place.policy].label,
                place.baseline ? " over " + parts_.header().baselines[*place.baseline] : "",
                row.first,
                row.count > 0 ? fmt::format("to {}", row.first + row.count - 1) : "onwards");
            damage.cells.emplace();
            for (auto at = first; at != last; ++at) damage.cells->push_back(at->second.cell);
        }
        damage.what += ": " + why;
        parts_.damage.push_back(std::move(damage));
    }

    SQLite::Database& database_;
    StoreParts parts_;
    SumsOfKeys ranges_;
};

void check(SQLite::Database& database, StoreCheck& found)
{
    std::unordered_map<SumsKey, std::int64_t, HashOfKey> instances;
    auto parts = read_parts(database, [&](StoreParts const&, SumsRow&& row) {
        ++found.chunks;
        instances[row.key] += row.count;
    });
    std::set<std::int64_t> damaged;
    bool unplaced = !parts.has_header();
    for (auto const& damage : parts.damage) {
        unplaced = unplaced || !damage.cells;
        if (damage.cells) damaged.insert(damage.cells->begin(), damage.cells->end());
    }
    if (!unplaced) found.whole_cells.emplace();
    std::set<SumsKey> asked;
    for (auto const& cell : parts.cells) {
        std::int64_t most = 0;
        for (auto const& policy : cell.keys) {
            most = std::max(most, instances[policy.sums]);
            asked.insert(policy.sums);
            asked.insert(policy.ratios.begin(), policy.ratios.end());
        }
        found.instances += most;
        if (!unplaced && !damaged.contains(cell.index)) found.whole_cells->push_back(cell.index);
    }
    for (auto const& [key, count] : instances) found.orphans += asked.contains(key) ? 0 : 1;
    found.cells = static_cast<std::int64_t>(parts.cells.size());
    found.damage = std::move(parts.damage);
}

} // namespace

std::string damage_of_structure(std::vector<Damage> const& damage)
{
    for (auto const& each : damage)
        if (each.what.starts_with(structure_prefix)) return each.what;
    return {};
}

StoreParts read_parts(SQLite::Database& database, UseSums const& use)
{
    return PartsReader(database).read(use);
}

StoreParts read_whole_parts(std::filesystem::path const& file, UseSums const& use,
                            std::function<void()> const& restart)
{
    StoreParts parts;
    with_store(file, [&](SQLite::Database& database) {
        restart();
        parts = read_parts(database, use);
    });
    if (parts.damage.empty() && parts.experiments.empty())
        throw InputError(file.string() +
                         ": no experiment has used it yet\n  crx sweep EXPERIMENT "
                         "--db " +
                         shell_word(file.string()) + " does");
    if (parts.damage.empty()) return parts;
    auto const more = parts.damage.size() - 1;
    throw InputError(file.string() + ": the store is damaged: " + parts.damage.front().what +
                     (more > 0 ? fmt::format("; and {} more", more) : "") + "\n  " +
                     (damage_of_structure(parts.damage).empty() ? how_to_mend(file)
                                                                : std::string(how_to_recover)));
}

StoreCheck check_store(std::filesystem::path const& file)
{
    StoreCheck found;
    try {
        with_store(file, [&](SQLite::Database& database) {
            found = {};
            check(database, found);
        });
    } catch (std::exception const& error) {
        found = {};
        found.refusal = error.what();
    }
    found.file = file.string();
    return found;
}

} // namespace crx
