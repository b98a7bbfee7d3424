#pragma once

#include "host/store/store_header.hh"

namespace crx {

/// Puts in place of a damaged store one that holds its whole parts (those that inspect() finds;
/// none where its header is damaged). The damaged file is kept beside it, and its name returned.
///
/// The store is replaced at once or not at all. Contract: the writer's lock is held, and this
/// program has the file not open. Throws DatabaseError and RunError; then it is as it was.
std::filesystem::path keep_whole_parts(std::filesystem::path const& store,
                                       StoreHeader const& header);

/// Gives a store that SQLite cannot read another name, which is returned; then there is none.
/// Contract: as above. Throws RunError.
std::filesystem::path put_aside(std::filesystem::path const& store);

} // namespace crx
