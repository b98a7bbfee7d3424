#include "fuzz/target.hh"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace crx_test {

namespace {

/// In memory where there is such a folder: libFuzzer makes thousands of files a second.
std::filesystem::path folder_of_folders()
{
    std::filesystem::path const memory = "/dev/shm";
    return std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
}

} // namespace

InputFile::InputFile(std::uint8_t const* data, std::size_t size)
    : folder_((folder_of_folders() / "crx-fuzz-XXXXXX").string())
{
    if (::mkdtemp(folder_.data()) == nullptr) std::abort();
    path_ = folder_ + "/input";
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<char const*>(data), static_cast<std::streamsize>(size));
}

InputFile::~InputFile() { std::filesystem::remove_all(folder_); }

} // namespace crx_test
