#include "host/sweep/merge_output.hh"

#include "host/error.hh"
#include "host/store/file/database_file.hh"
#include "host/store/store_error.hh"
#include "host/store/tables/path_rows.hh"
#include "host/store/tables/schema.hh"
#include "host/store/tables/tally_rows.hh"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace crx {

namespace {

std::filesystem::path expect_absent(std::filesystem::path file)
{
    std::error_code ignored;
    auto place = place_of_store(std::move(file));
    if (std::filesystem::exists(place, ignored))
        throw InputError(place.string() + ": is there already; nothing was merged\n  choose " +
                         "another file with -o DB, or remove it first");
    return place;
}

/// An empty file beside the output with the rights that a new file gets.
std::filesystem::path fresh_file_for(std::filesystem::path const& output)
{
    auto name = where_it_leads(output).string() + ".merge-XXXXXX";
    int const descriptor = ::mkstemp(name.data());
    if (descriptor < 0)
        throw InputError(output.string() + ": cannot be made there: " + std::strerror(errno) +
                         "\n  choose another file with -o DB");
    auto const mask = ::umask(0);
    ::umask(mask);
    (void)::fchmod(descriptor, 0666 & ~mask);
    ::close(descriptor);
    return name;
}

/// Both the file and its name are on the disk when it returns.
void flush(std::filesystem::path const& file, int flags)
{
    int const descriptor = ::open(file.c_str(), flags);
    bool const done = descriptor >= 0 && ::fsync(descriptor) == 0;
    int const reason = errno;
    if (descriptor >= 0) ::close(descriptor);
    if (!done) throw RunError(file.string() + ": cannot be written: " + std::strerror(reason));
}

} // namespace

MergeOutput::MergeOutput(std::filesystem::path const& file)
    : file_(expect_absent(file)), lock_(file_), fresh_(fresh_file_for(file_))
{
    database_.emplace(fresh_, Access::write);
    // Nobody else has the file, and after a failure it is removed.
    database_->run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
    Transaction all(*database_, Transaction::Kind::write);
    create_schema(*database_);
    all.commit();
}

MergeOutput::~MergeOutput()
{
    transaction_.reset();
    parts_.reset();
    database_.reset();
    std::error_code ignored;
    if (!fresh_.empty()) std::filesystem::remove(fresh_, ignored);
}

void MergeOutput::set_header(StoreHeader const& header)
{
    bool const is_first = !parts_;
    header_ = header;
    header_.shard.clear();
    if (is_first) {
        write_header(*database_, header_);
        parts_.emplace(*database_, header_);
    } else {
        update_header(*database_, header_);
    }
}

void MergeOutput::begin_store() { transaction_.emplace(*database_, Transaction::Kind::write); }

void MergeOutput::end_store()
{
    transaction_->commit();
    transaction_.reset();
}

void MergeOutput::add_cell(StoredCell const& cell) { insert_cell(*database_, cell); }

void MergeOutput::replace(std::int64_t index, StoredCell const& cell)
{
    replace_cell(*database_, index, cell);
}

std::int64_t MergeOutput::add_run(Statement const& row)
{
    auto insert = database_->prepare(std::string("INSERT INTO runs(") + run_columns +
                                     ", checksum) VALUES (?,?,?,?,?,?,?,'')");
    constexpr int texts = 6;
    for (int k = 0; k < texts; ++k) insert.bind(std::string_view(row.text(k)));
    insert.bind(row.integer(texts)).run();
    auto const run = database_->integer("SELECT last_insert_rowid()");
    seal_row(*database_, sealed_runs, run);
    return run;
}

void MergeOutput::add_chunk(std::int64_t cell, std::int64_t run, ChunkRow const& chunk,
                            ChunkSums const& sums)
{
    database_
        ->prepare("INSERT INTO chunks(cell, first, count, run, part, checksum) "
                  "VALUES (?,?,?,?,?,'')")
        .bind(cell)
        .bind(chunk.first)
        .bind(chunk.count)
        .bind(run)
        .bind(parts_->ensure(*sums.holdings))
        .run();
    auto const number = database_->integer("SELECT last_insert_rowid()");
    if (header_.model == Model::rounds)
        insert_tally(*database_, number, sums.tally, sums.engines, *sums.holdings,
                     header_.baselines);
    else
        insert_paths(*database_, number, sums.paths, *sums.holdings);
    seal_chunk(*database_, number);
}

void MergeOutput::finish()
{
    parts_.reset();
    database_.reset();
    flush(fresh_, O_RDONLY);
    auto const place = where_it_leads(file_);
    if (::rename(fresh_.c_str(), place.c_str()) != 0)
        throw RunError(file_.string() + ": cannot be made: " + std::strerror(errno));
    fresh_.clear();
    flush(place.parent_path(), O_RDONLY | O_DIRECTORY);
}

} // namespace crx
