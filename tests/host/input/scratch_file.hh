#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace crx {

/// A file of the test's own, gone with it.
class ScratchFile
{
  public:
    explicit ScratchFile(std::string const& content, std::string const& name = "in.csv")
    {
        static int count = 0;
        folder_ = std::filesystem::temp_directory_path() /
                  ("crx_test_" + std::to_string(::getpid()) + "_" + std::to_string(count++));
        std::filesystem::create_directories(folder_);
        path_ = folder_ / name;
        std::ofstream(path_, std::ios::binary) << content;
    }
    ~ScratchFile()
    {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    ScratchFile(ScratchFile const&) = delete;
    ScratchFile& operator=(ScratchFile const&) = delete;

    std::filesystem::path const& path() const { return path_; }
    std::filesystem::path const& folder() const { return folder_; }

  private:
    std::filesystem::path folder_, path_;
};

/// The text with every occurrence of the file's path as FILE, for whole comparisons.
inline std::string without_path(std::string text, std::filesystem::path const& path)
{
    auto const long_name = path.string();
    for (auto at = text.find(long_name); at != std::string::npos; at = text.find(long_name))
        text.replace(at, long_name.size(), "FILE");
    return text;
}

} // namespace crx
