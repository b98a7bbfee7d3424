#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace crx {

/// A descriptor to read a file, or a pipe of the shell, by; the caller closes it. Throws InputError
/// "FILE: cannot be read: why": it is not there, a folder, or a pipe with a name in a folder, which
/// may never be written to.
int open_to_read(std::filesystem::path const& file);

/// All of a file. Throws InputError as open_to_read, and where it has more than `most_bytes`.
std::string read_whole_file(std::filesystem::path const& file, std::size_t most_bytes);

} // namespace crx
