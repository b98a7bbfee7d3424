#pragma once

#include "host/store/tables/integrity.hh"

#include <filesystem>
#include <string>
#include <vector>

namespace crx {

/// What `crx check` says of a store.
struct StoreCheck
{
    std::string file;
    std::string refusal; ///< why it cannot be read as a store; empty: it can
    std::vector<Damage> damage;
    std::int64_t cells = 0;                 ///< that it lists
    std::int64_t chunks = 0, instances = 0; ///< whole ones
    std::vector<std::int64_t> whole_cells;  ///< by index; those without damage

    bool is_whole() const { return refusal.empty() && damage.empty(); }
};

/// Holds a store to its checksums and to SQLite's own rules. Throws nothing for a bad file.
StoreCheck check_store(std::filesystem::path const& file);

} // namespace crx
