#include "host/iteration/path_store.hh"

#include "host/store/database_file.hh"
#include "host/store/integer_text.hh"
#include "host/store/schema.hh"
#include "host/store/store_error.hh"
#include "host/sweep/interrupt.hh"
#include "host/sweep/stopped.hh"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

using Json = nlohmann::json;

/// Raised whenever a path of the same cell comes to be other numbers.
constexpr int rules = 2;

constexpr char const* tables = R"(
CREATE TABLE cells(cell INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE);
CREATE TABLE paths(
  cell INTEGER NOT NULL REFERENCES cells, path INTEGER NOT NULL, tallies TEXT NOT NULL,
  PRIMARY KEY(cell, path)) WITHOUT ROWID;
)";

Json tally_json(IterationTally const& t)
{
    return {t.until,
            t.arrivals,
            t.arrived_tokens,
            t.completed,
            t.completed_tokens,
            t.first_tokens,
            to_text(t.arrival_time),
            to_text(t.completion_time),
            to_text(t.first_token_time),
            t.iterations,
            t.batch_prompts,
            t.cancelled,
            t.overflows,
            t.peak_memory};
}

IterationTally tally_of(Json const& j)
{
    IterationTally t;
    std::size_t k = 0;
    for (auto* value : {&t.until, &t.arrivals, &t.arrived_tokens, &t.completed, &t.completed_tokens,
                        &t.first_tokens})
        *value = j.at(k++).get<std::int64_t>();
    for (auto* value : {&t.arrival_time, &t.completion_time, &t.first_token_time})
        *value = parse_unsigned128(j.at(k++).get<std::string>());
    for (auto* value :
         {&t.iterations, &t.batch_prompts, &t.cancelled, &t.overflows, &t.peak_memory})
        *value = j.at(k++).get<std::int64_t>();
    return t;
}

Json type_json(TypeTally const& t)
{
    return {t.arrivals,
            t.completed,
            t.first_tokens,
            to_text(t.arrival_time),
            to_text(t.completion_time),
            to_text(t.first_token_time)};
}

TypeTally type_of(Json const& j)
{
    TypeTally t;
    std::size_t k = 0;
    for (auto* value : {&t.arrivals, &t.completed, &t.first_tokens})
        *value = j.at(k++).get<std::int64_t>();
    for (auto* value : {&t.arrival_time, &t.completion_time, &t.first_token_time})
        *value = parse_unsigned128(j.at(k++).get<std::string>());
    return t;
}

Json path_json(std::vector<IterationTally> const& tallies)
{
    Json row = Json::array();
    for (auto const& tally : tallies) row.push_back(tally_json(tally));
    return row;
}
Json path_json(TypedPath const& path)
{
    Json types = Json::array();
    for (auto const& checkpoint : path.types) {
        Json row = Json::array();
        for (auto const& type : checkpoint) row.push_back(type_json(type));
        types.push_back(row);
    }
    return {{"tallies", path_json(path.tallies)}, {"types", types}};
}

void read_path(Json const& row, std::vector<IterationTally>& tallies)
{
    for (auto const& tally : row) tallies.push_back(tally_of(tally));
}
void read_path(Json const& row, TypedPath& path)
{
    read_path(row.at("tallies"), path.tallies);
    for (auto const& checkpoint : row.at("types")) {
        path.types.emplace_back();
        for (auto const& type : checkpoint) path.types.back().push_back(type_of(type));
    }
}

bool empty(std::vector<IterationTally> const& tallies) { return tallies.empty(); }
bool empty(TypedPath const& path) { return path.tallies.empty(); }

Database open_paths(std::filesystem::path const& file)
{
    try {
        Database database(file, Access::write);
        auto const objects = database.integer("SELECT count(*) FROM sqlite_master");
        auto const application = database.integer("PRAGMA application_id");
        if (objects == 0 && application == 0) {
            database.run("PRAGMA journal_mode = WAL");
            Transaction all(database, Transaction::Kind::write);
            database.run(tables);
            database.run("PRAGMA application_id = " + std::to_string(paths_application_id));
            all.commit();
        } else if (application != paths_application_id) {
            throw InputError(file.string() + ": not a file of crx iterate; nothing was changed\n"
                                             "  choose another place with --db FILE");
        }
        return database;
    } catch (DatabaseError const& error) {
        fail_to_open(file, error);
    }
}

} // namespace

std::string path_identity(IterationCell const& cell, PathDetail detail)
{
    Json out = {{"rules", rules},
                {"overhead", cell.time.overhead},
                {"per_token", cell.time.per_token},
                {"seed", cell.seed},
                {"checkpoints", cell.checkpoints},
                {"policy", iteration_policy_ids[static_cast<std::size_t>(cell.policy.kind)]},
                {"memory", cell.policy.memory},
                {"limit", cell.policy.limit},
                {"budget", cell.policy.budget},
                {"keep_tokens", cell.policy.keep_tokens},
                {"slice_length", cell.arrivals.slice_length},
                {"keep", cell.arrivals.keep}};
    // Named only where it is so: paths kept by programs that had none of it are still found.
    if (cell.policy.hard) out["hard"] = true;
    if (detail == PathDetail::by_type) out["by_type"] = true;
    for (auto const& type : cell.types) out["types"].push_back({type.prompt, type.output});
    for (auto const law : cell.arrivals.law_of) {
        auto const& table = cell.arrivals.laws[static_cast<std::size_t>(law)];
        Json law_json = {table.bits}; // and enough of its table to tell it from any other
        for (int n = 0; n < BlockLaw::most; n += 16) law_json.push_back(table.threshold[n]);
        out["arrivals"].push_back(law_json);
    }
    for (auto const& group : cell.policy.thresholds.groups)
        out["groups"].push_back({group.prompt, group.first_segment, group.segments});
    for (auto const& segment : cell.policy.thresholds.segments)
        out["segments"].push_back({segment.first, segment.last, segment.threshold});
    return out.dump();
}

PathStore::PathStore(std::filesystem::path file)
    : file_(place_of_store(std::move(file))), lock_(file_), database_(open_paths(file_))
{
}

std::int64_t PathStore::cell_number(std::string const& identity)
{
    database_.prepare("INSERT OR IGNORE INTO cells(identity) VALUES(?)").bind(identity).run();
    auto find = database_.prepare("SELECT cell FROM cells WHERE identity = ?");
    find.bind(identity).step();
    return find.integer(0);
}

template <class Path, class Launch>
std::vector<Path> PathStore::find_or_run(std::string const& identity, std::int64_t count,
                                         std::int64_t at_once, bool (*stop_asked)(), Launch launch)
try {
    StopCondition stop_condition;
    if (stop_asked != nullptr) stop_condition.stop_asked = stop_asked;
    std::vector<Path> all(static_cast<std::size_t>(count));
    auto const number = cell_number(identity);
    auto kept = database_.prepare("SELECT path, tallies FROM paths WHERE cell = ? AND path < ?");
    kept.bind(number).bind(count);
    while (kept.step()) {
        read_path(Json::parse(kept.text(1)), all[static_cast<std::size_t>(kept.integer(0))]);
        ++found_;
    }
    auto add = database_.prepare("INSERT INTO paths(cell, path, tallies) VALUES(?, ?, ?)");
    for (std::int64_t first = 0; first < count;) {
        if (!empty(all[static_cast<std::size_t>(first)])) {
            ++first;
            continue;
        }
        auto end = first;
        while (end < count && end < first + at_once && empty(all[static_cast<std::size_t>(end)]))
            ++end;
        auto run = launch(first, end - first, stop_condition);
        std::int64_t left = 0;
        Transaction together(database_, Transaction::Kind::write);
        for (auto path = first; path < end; ++path) {
            auto& one = all[static_cast<std::size_t>(path)];
            one = std::move(run[static_cast<std::size_t>(path - first)]);
            left += empty(one) ? 1 : 0;
            if (empty(one)) continue;
            add.bind(number).bind(path).bind(path_json(one).dump()).run();
        }
        together.commit();
        if (left > 0) {
            left += std::count_if(all.begin() + end, all.end(), [](auto& p) { return empty(p); });
            throw Stopped(fmt::format("{}\n  kept: {} of this policy's {} paths and all paths of "
                                      "those before it, in {}\n"
                                      "  to go on, give the same command again",
                                      InterruptGuard::stopped(), count - left, count,
                                      file_.string()));
        }
        first = end;
    }
    return all;
} catch (DatabaseError const& error) {
    throw RunError(explain(file_, error) +
                   "\n  the paths that were done are kept; the same command again goes on");
} catch (Json::exception const&) {
    throw InputError(file_.string() + ": the file is damaged: a path cannot be read" +
                     "\n  restore it from a copy, or start a new one with --db FILE");
}

std::vector<std::vector<IterationTally>> PathStore::paths(IterationCell const& cell,
                                                          std::int64_t count, bool (*stop_asked)(),
                                                          PathBackend const& backend)
{
    return find_or_run<std::vector<IterationTally>>(
        path_identity(cell), count, backend.paths_at_once, stop_asked,
        [&](std::int64_t first, std::int64_t n, StopCondition const& stop_condition) {
            return backend.launch(cell, first, n, stop_condition);
        });
}

std::vector<TypedPath> PathStore::typed_paths(IterationCell const& cell, std::int64_t count,
                                              bool (*stop_asked)())
{
    return find_or_run<TypedPath>(
        path_identity(cell, PathDetail::by_type), count, cpu_path_backend().paths_at_once,
        stop_asked, [&](std::int64_t first, std::int64_t n, StopCondition const& stop_condition) {
            return launch_typed_paths(cell, first, n, stop_condition);
        });
}

} // namespace crx
