#pragma once

#include "host/store/file/writer_lock.hh"
#include "host/store/tables/integrity.hh"

#include <map>
#include <optional>

namespace crx {

/// The store that a merge makes: under another name until it is whole, and gone where it never is.
class MergeOutput
{
  public:
    /// Throws InputError where the file is there already or cannot be made.
    explicit MergeOutput(std::filesystem::path const& file);
    MergeOutput(MergeOutput const&) = delete;
    ~MergeOutput();

    /// Begins with a header; later ones may replace what does not belong to the identity.
    void set_header(StoreHeader const& header);
    /// What is added between the two becomes part of the file together.
    void begin_store();
    void end_store();
    /// Adds a cell that is not there yet.
    void add_cell(StoredCell const& cell);
    /// Gives a cell of the output another number.
    void replace(std::int64_t index, StoredCell const& cell);
    /// Adds the row of `runs` that a chunk refers to; its number in this store.
    std::int64_t add_run(Statement const& row);
    void add_chunk(std::int64_t cell, std::int64_t run, ChunkRow const& chunk,
                   ChunkSums const& sums);
    /// Gives the file its name.
    void finish();

    /// What a row for add_run has: the columns of `runs` but its number and checksum.
    static constexpr char const* run_columns =
        "started, version, commit_id, build_type, backend, device, milliseconds";

  private:
    std::filesystem::path file_;
    WriterLock lock_;
    std::filesystem::path fresh_; ///< the name until it is whole
    std::optional<Database> database_;
    std::optional<Parts> parts_;
    std::optional<Transaction> transaction_;
    StoreHeader header_;
};

} // namespace crx
