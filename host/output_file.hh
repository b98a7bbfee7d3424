#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace crx {

/// Writes a whole file or nothing: to a new file without a name (or of one that nobody has), which
/// then takes the name. A signal leaves nothing behind. What is no ordinary file (a pipe, a device)
/// is written directly. Throws InputError if it cannot be made there, is a pipe without a reader or
/// a link that another user planted, RunError if writing fails (a full disk); then the old file, if
/// any, is untouched.
void write_file(std::filesystem::path const& file, std::string const& content);

/// Throws InputError where write_file would because of the place; for files that others write, and
/// to know before a computation. `option` is the one that names another place.
void check_place(std::filesystem::path const& file, std::string const& option = "-o");

/// The same as write_file to standard output, and whatever was printed there before.
void write_stdout(std::string const& content);

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
