#pragma once

#include <filesystem>

namespace crx::plot {

/// A new, empty, hidden folder inside `parent`, removed with all in it at the end. It stands on the
/// file system of the picture, so that a file is moved out of it in one step.
class ScratchFolder
{
  public:
    /// Throws PlotError if it cannot be made.
    explicit ScratchFolder(std::filesystem::path const& parent);
    ScratchFolder(ScratchFolder const&) = delete;
    ~ScratchFolder();

    std::filesystem::path const& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

} // namespace crx::plot
