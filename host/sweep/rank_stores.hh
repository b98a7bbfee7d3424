#pragma once

#include "host/store/run_store.hh"

namespace crx {

/// The folder beside a store in which the ranks of its sweep keep what they do: FILE.ranks.
std::filesystem::path folder_of_ranks(std::filesystem::path const& store);

/// The store of a rank's part of a round. `run` is drawn by each rank 0, so that a process of a run
/// before that still lives never writes to a file of this one.
std::filesystem::path store_of_rank(std::filesystem::path const& folder, std::string const& run,
                                    std::int64_t round, int rank, int size);

/// Adds to a store what another one of the same experiment has of it, where the first has nothing
/// of these instances yet, and removes the other. A kill in between loses nothing: what was added
/// is passed over by the next attempt. Throws InputError where the other one is of another
/// experiment; it is then left alone.
class TakeIn
{
  public:
    /// `identity`: of the experiment (StoreHeader). Contract: `store` outlives it.
    TakeIn(RunStore& store, std::string identity);

    void operator()(std::filesystem::path const& other);

  private:
    RunStore& store_;
    std::string identity_;
};

/// Takes in all that ranks of runs before left beside the store, whatever their number was, and
/// removes their files; how many stores there were. `is_alone`: no other rank takes part in this
/// run, so what they told each other goes, too. Throws as TakeIn does.
int take_in_ranks(RunStore& store, std::string const& identity, bool is_alone);

} // namespace crx
