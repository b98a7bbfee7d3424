#pragma once

#include "host/iteration/path_backend.hh"
#include "host/store/database.hh"
#include "host/store/writer_lock.hh"

namespace crx {

/// Finished paths of `crx iterate` in an SQLite file, so that a run that was stopped or killed goes
/// on where it was and more paths are added to what is there (docs/iteration.md has the tables).
///
/// A path is found again only under the full text of all that determines it, so cells of different
/// experiments may share a file.
class PathStore
{
  public:
    /// Makes or continues the file. Throws InputError if it is another kind of file, cannot be
    /// written or is being written; RunError for a full disk.
    explicit PathStore(std::filesystem::path file);

    /// Tallies of paths 0 .. count-1, those that are not kept yet run and kept. Once `stop_asked`
    /// says so no path is begun, and those that run are given up two seconds later; then, or if
    /// writing fails, RunError says how to go on. Any thread may ask it.
    std::vector<std::vector<IterationTally>> paths(IterationCell const& cell, std::int64_t count,
                                                   bool (*stop_asked)(),
                                                   PathBackend const& backend = cpu_path_backend());
    /// The same with the tallies of each type, on the CPU. They are other cells: a path kept
    /// without its types runs again for them.
    std::vector<TypedPath> typed_paths(IterationCell const& cell, std::int64_t count,
                                       bool (*stop_asked)());
    std::int64_t found() const { return found_; } ///< paths that were kept before, so far

  private:
    std::int64_t cell_number(std::string const& identity);
    template <class Path, class Launch>
    std::vector<Path> find_or_run(std::string const& identity, std::int64_t count,
                                  std::int64_t at_once, bool (*stop_asked)(), Launch launch);

    std::filesystem::path file_;
    WriterLock lock_;
    Database database_;
    std::int64_t found_ = 0;
};

/// What is kept of a path.
enum class PathDetail
{
    totals,
    by_type
};

/// All that determines what is kept of the paths of a cell, as text.
std::string path_identity(IterationCell const& cell, PathDetail detail = PathDetail::totals);

} // namespace crx
