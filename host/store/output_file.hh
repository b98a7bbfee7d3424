#pragma once

#include <filesystem>
#include <string>

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

} // namespace crx
