#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace crx {

/// A file that a command line names, and the option or argument that names it.
struct NamedFile
{
    std::string option;
    std::filesystem::path file; ///< empty: not given, passed over
};

/// To be called before anything is computed: refuses outputs that cannot be written in their place
/// (check_place) or would destroy something. That is an output which is the same file, however
/// spelt or linked, as one of `kept` (what the command reads or adds to) or as another output; any
/// existing SQLite file, as stores are; and a file beside one that belongs to it (-wal, -shm,
/// -journal, -writer). What is no ordinary file (a pipe, a device) holds nothing to lose.
/// Throws InputError naming the option.
void check_outputs(std::vector<NamedFile> const& outputs, std::vector<NamedFile> const& kept);

} // namespace crx
