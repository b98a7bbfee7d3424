#include "host/store/tables/path_rows.hh"

#include "host/store/tables/integer_text.hh"

#include <stdexcept>
#include <string>

namespace crx {

namespace {

/// Sums of all prompts, and then those that are kept of all together alone.
constexpr char const* columns =
    "policy, path, horizon, type, until, arrivals, completed, first_tokens, arrival_time, "
    "completion_time, first_token_time, arrived_tokens, completed_tokens, iterations, "
    "batch_prompts, cancelled, overflows, peak_memory";

constexpr std::int64_t all_types = -1; ///< in column type

struct Place
{
    std::int64_t chunk, policy, path, horizon, type;
    Nanoseconds until;
};

template <class Tally>
void bind_sums(Statement& row, Place const& at, Tally const& t)
{
    row.bind(at.chunk).bind(at.policy).bind(at.path).bind(at.horizon).bind(at.type).bind(at.until);
    row.bind(t.arrivals).bind(t.completed).bind(t.first_tokens);
    row.bind(std::string_view(to_text(t.arrival_time)));
    row.bind(std::string_view(to_text(t.completion_time)));
    row.bind(std::string_view(to_text(t.first_token_time)));
}

template <class Tally>
void read_sums(Statement const& row, int at, Tally& t)
{
    t.arrivals = row.integer(at);
    t.completed = row.integer(at + 1);
    t.first_tokens = row.integer(at + 2);
    t.arrival_time = parse_unsigned128(row.text(at + 3));
    t.completion_time = parse_unsigned128(row.text(at + 4));
    t.first_token_time = parse_unsigned128(row.text(at + 5));
}

IterationTally read_tally(Statement const& row, int until)
{
    IterationTally t;
    t.until = row.integer(until);
    read_sums(row, until + 1, t);
    int column = until + 7;
    for (auto* value : {&t.arrived_tokens, &t.completed_tokens, &t.iterations, &t.batch_prompts,
                        &t.cancelled, &t.overflows, &t.peak_memory})
        *value = row.integer(column++);
    return t;
}

} // namespace

void insert_paths(Database const& database, std::int64_t chunk, PathSums const& sums,
                  Holdings const& holdings)
{
    auto row = database.prepare(std::string("INSERT INTO path_sums(chunk, ") + columns +
                                ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    auto type_row = database.prepare(
        "INSERT INTO path_sums(chunk, policy, path, horizon, type, until, arrivals, completed, "
        "first_tokens, arrival_time, completion_time, first_token_time) "
        "VALUES (?,?,?,?,?,?,?,?,?,?,?,?)");
    for (std::size_t k = 0; k < sums.size(); ++k) {
        if (!holdings.sums(k)) continue;
        for (auto const& path : sums[k])
            for (std::size_t c = 0; c < path.tallies.size(); ++c) {
                auto const& t = path.tallies[c];
                Place at{chunk,     static_cast<std::int64_t>(k),
                         path.path, static_cast<std::int64_t>(c),
                         all_types, t.until};
                bind_sums(row, at, t);
                row.bind(t.arrived_tokens).bind(t.completed_tokens).bind(t.iterations);
                row.bind(t.batch_prompts).bind(t.cancelled).bind(t.overflows).bind(t.peak_memory);
                row.run();
                if (path.types.empty()) continue;
                for (at.type = 0; at.type < static_cast<std::int64_t>(path.types[c].size());
                     ++at.type) {
                    bind_sums(type_row, at, path.types[c][static_cast<std::size_t>(at.type)]);
                    type_row.run();
                }
            }
    }
}

std::string path_rows_query()
{
    return std::string("SELECT ") + columns +
           " FROM path_sums WHERE chunk = ? ORDER BY policy, path, horizon, type";
}

void add_path_row(Statement const& row, PathSums& sums)
{
    constexpr int at = 0;
    auto const policy = static_cast<std::size_t>(row.integer(at));
    if (policy >= sums.size()) throw std::invalid_argument("unknown policy " + row.text(at));
    auto& paths = sums[policy];
    if (paths.empty() || paths.back().path != row.integer(at + 1))
        paths.push_back({row.integer(at + 1), {}, {}});
    auto& path = paths.back();
    auto const horizon = static_cast<std::size_t>(row.integer(at + 2));
    auto const type = row.integer(at + 3);
    if (type == all_types) {
        if (horizon != path.tallies.size()) throw std::invalid_argument("a horizon is missing");
        path.tallies.push_back(read_tally(row, at + 4));
        return;
    }
    if (horizon + 1 != path.tallies.size()) throw std::invalid_argument("a horizon is missing");
    path.types.resize(horizon + 1);
    if (static_cast<std::size_t>(type) != path.types[horizon].size())
        throw std::invalid_argument("a type is missing");
    read_sums(row, at + 5, path.types[horizon].emplace_back());
}

} // namespace crx
