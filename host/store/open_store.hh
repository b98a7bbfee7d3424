#pragma once

#include "host/store/file/database.hh"

#include <functional>

namespace crx {

/// Opens a store for reading at one moment and hands it to `use`, which is called again where
/// another program wrote to the file meanwhile. Every failure becomes an InputError or RunError
/// that names the file: it is not there, is no store, is damaged (what `use` throws), cannot be
/// read.
void with_store(std::filesystem::path const& file, std::function<void(Database const&)> const& use);

} // namespace crx
