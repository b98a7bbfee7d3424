#include "host/store/open_store.hh"

#include "host/error.hh"
#include "host/store/store_error.hh"
#include "host/store/tables/integrity.hh"
#include "host/store/tables/schema.hh"

namespace crx {

namespace {

void expect_store(std::filesystem::path const& file, Database const& database)
{
    switch (kind_of(database)) {
    case FileKind::store: return;
    case FileKind::newer:
        throw InputError(file.string() + ": made by a later version of crx\n  use that one");
    case FileKind::older:
        throw InputError(file.string() + ": made by an earlier version of crx, with other " +
                         "tables\n  use that one, or sweep again into another file");
    case FileKind::paths:
        throw InputError(file.string() + ": made by crx iterate of an earlier version\n  crx " +
                         "sweep EXPERIMENT makes its paths again (docs/iteration.md has the keys)");
    case FileKind::empty:
    case FileKind::foreign:
        throw InputError(file.string() + ": not a store of crx\n  crx sweep makes one");
    }
}

void read_at_one_moment(std::filesystem::path const& file,
                        std::function<void(Database const&)> const& use)
{
    constexpr int attempts = 5;
    for (int attempt = 1;; ++attempt) {
        Database const database(file, Access::read);
        auto const last = [&] { return attempt == attempts || database.is_current(); };
        try {
            Transaction const view(database, Transaction::Kind::read);
            expect_store(file, database);
            use(database);
            if (last()) return;
        } catch (std::exception const&) {
            if (last()) throw;
        }
    }
}

} // namespace

void with_store(std::filesystem::path const& file, std::function<void(Database const&)> const& use)
{
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        throw InputError(file.string() + ": there is no such file");
    if (std::filesystem::is_directory(file, ignored))
        throw InputError(file.string() + ": is a folder, not a store of crx");
    if (!std::filesystem::is_regular_file(file, ignored)) // to open a pipe could wait for ever
        throw InputError(file.string() + ": is a pipe or a device, not a store of crx");
    try {
        read_at_one_moment(file, use);
    } catch (DatabaseError const& error) {
        fail_to_open(file, error);
    } catch (InputError const&) {
        throw;
    } catch (DamagedStore const& damaged) {
        throw InputError(file.string() + ": " + damaged.what() + "\n  " + how_to_mend(file));
    } catch (std::exception const& error) {
        throw InputError(file.string() + ": the store is damaged (" + error.what() + ")\n  " +
                         how_to_mend(file));
    }
}

} // namespace crx
