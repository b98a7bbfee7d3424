#pragma once

#include "host/error.hh"
#include "host/store/open_store.hh"
#include "host/store/tables/chunk_rows.hh"

#include <algorithm>
#include <fmt/core.h>
#include <set>

namespace crx_test {

/// Every chunk of a store, one a line, sorted: cell, first instance, count, run, checksum. Empty
/// where there is no store yet.
inline std::vector<std::string> chunks_of(std::filesystem::path const& store)
{
    std::vector<std::string> lines;
    try {
        crx::with_store(store, [&](crx::Database const& database) {
            lines.clear();
            for (auto const& chunk : crx::list_chunks(database))
                lines.push_back(fmt::format("{} {} {} {} {}", chunk.cell, chunk.first, chunk.count,
                                            chunk.run, chunk.checksum));
        });
    } catch (crx::InputError const&) {
        return {}; // killed before it was one
    }
    std::ranges::sort(lines);
    return lines;
}

/// Cell, first instance and count of every chunk: what stays where another store takes it in.
inline std::set<std::string> places_of_chunks(std::filesystem::path const& store)
{
    std::set<std::string> places;
    for (auto const& line : chunks_of(store))
        places.insert(line.substr(0, line.rfind(' ', line.rfind(' ') - 1)));
    return places;
}

} // namespace crx_test
