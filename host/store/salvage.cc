#include "host/store/salvage.hh"

#include "host/error.hh"
#include "host/store/tables/integrity.hh"
#include "host/store/tables/schema.hh"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace crx {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(fs::path const& file)
{
    throw RunError(file.string() + ": cannot be written: " + std::strerror(errno));
}

/// An empty file beside the store with its rights.
fs::path fresh_file_beside(fs::path const& store)
{
    auto name = store.string() + ".whole-XXXXXX";
    int const descriptor = ::mkstemp(name.data());
    if (descriptor < 0) fail(name);
    struct stat about = {};
    if (::stat(store.c_str(), &about) == 0) (void)::fchmod(descriptor, about.st_mode & 0777);
    ::close(descriptor);
    return name;
}

/// Gives the file a second name, the first that is free of store.damaged-1, -2, ..
fs::path name_damaged(fs::path const& store)
{
    for (int number = 1;; ++number) {
        fs::path const name = store.string() + ".damaged-" + std::to_string(number);
        if (::link(store.c_str(), name.c_str()) == 0) return name;
        if (errno == EEXIST) continue;
        std::error_code failed; // a file system without such names
        if (fs::copy_file(store, name, fs::copy_options::none, failed)) return name;
        fail(name);
    }
}

/// A log of the damaged file must not be taken for one of the new file.
void remove_logs(fs::path const& store)
{
    for (std::string const part : {"-wal", "-shm", "-journal"})
        if (::unlink((store.string() + part).c_str()) != 0 && errno != ENOENT)
            fail(store.string() + part);
}

void copy_whole_parts(fs::path const& store, fs::path const& fresh, StoreHeader const& header)
{
    Database const from(store, Access::write); // applies what a killed program left in the log
    auto const parts = inspect(from);
    Database const to(fresh, Access::write);
    to.run("PRAGMA synchronous = FULL");
    to.prepare("ATTACH ? AS damaged").bind(std::string_view(store.native())).run();
    Transaction all(to, Transaction::Kind::write);
    create_schema(to);
    write_header(to, header);
    auto const copy = [&](std::string const& table, std::string const& key, std::int64_t value) {
        to.prepare("INSERT INTO main." + table + " SELECT * FROM damaged." + table + " WHERE " +
                   key + " = ?")
            .bind(value)
            .run();
    };
    if (parts.header) {
        to.run("INSERT INTO main.parts SELECT * FROM damaged.parts");
        seal_header(to);
        for (auto const run : parts.runs) copy("runs", "run", run);
        for (auto const& cell : parts.cells) copy("cells", "cell", cell.index);
        for (auto const& chunk : parts.chunks)
            for (auto const* table : {"chunks", "policy_sums", "ratio_sums", "path_sums"})
                copy(table, "chunk", chunk.chunk);
    }
    all.commit();
    if (auto const copied = inspect(to); !copied.damage.empty()) throw DamagedStore(copied.damage);
}

} // namespace

fs::path put_aside(fs::path const& store)
{
    auto const kept = name_damaged(store);
    remove_logs(store);
    if (::unlink(store.c_str()) != 0) fail(store);
    return kept;
}

fs::path keep_whole_parts(fs::path const& store, StoreHeader const& header)
{
    auto const fresh = fresh_file_beside(store);
    try {
        copy_whole_parts(store, fresh, header);
        auto const kept = name_damaged(store);
        remove_logs(store);
        if (::rename(fresh.c_str(), store.c_str()) != 0) fail(store);
        return kept;
    } catch (DamagedStore const& error) {
        std::error_code ignored;
        fs::remove(fresh, ignored);
        throw RunError(store.string() + ": its whole parts cannot be copied: " + error.what());
    } catch (...) {
        std::error_code ignored;
        fs::remove(fresh, ignored);
        throw;
    }
}

} // namespace crx
