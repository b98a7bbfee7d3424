#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace crx_test {

/// A folder that is empty at the start and gone at the end.
class TemporaryFolder
{
  public:
    TemporaryFolder()
    {
        auto pattern = (std::filesystem::temp_directory_path() / "crx-XXXXXX").string();
        path_ = ::mkdtemp(pattern.data());
    }
    TemporaryFolder(TemporaryFolder const&) = delete;
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    std::filesystem::path operator/(std::string const& name) const { return path_ / name; }
    std::filesystem::path const& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

} // namespace crx_test
