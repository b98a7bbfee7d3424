#pragma once

#include "host/error.hh"
#include "host/store/database.hh"
#include "host/store/tables.hh"

#include <algorithm>
#include <fmt/core.h>
#include <set>

namespace crx_test {

/// Every chunk of a store, one a line, sorted: key, first instance, count, run, sums. Empty where
/// there is no store yet.
inline std::vector<std::string> chunks_of(std::filesystem::path const& store)
{
    std::vector<std::string> lines;
    try {
        crx::with_store(store, [&](SQLite::Database& database) {
            lines.clear();
            SQLite::Statement row(database, crx::select_all(crx::sums_rows));
            while (row.executeStep())
                if (auto const sums = crx::read_sums(row))
                    lines.push_back(fmt::format("{} {} {} {} {}", crx::to_text(sums->key),
                                                sums->first, sums->count, sums->run, sums->sums));
        });
    } catch (crx::InputError const&) {
        return {}; // killed before it was one
    }
    std::ranges::sort(lines);
    return lines;
}

/// Key, first instance and count of every chunk: what stays where another store takes it in.
inline std::set<std::string> places_of_chunks(std::filesystem::path const& store)
{
    std::set<std::string> places;
    for (auto const& line : chunks_of(store))
        places.insert(line.substr(0, line.rfind(' ', line.rfind(' ') - 1)));
    return places;
}

} // namespace crx_test
