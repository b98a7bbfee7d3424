#include "host/store/journal.hh"

#include "host/error.hh"
#include "host/store/tables.hh"

#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <random>

namespace crx {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view id_begins = "crx-store-";
constexpr std::size_t id_digits = 32;

fs::path journal_of(fs::path const& store) { return store.string() + "-journal"; }

fs::path log_of(fs::path const& store) { return store.string() + "-wal"; }

/// `size` bytes from a place on; fewer where the file ends.
std::string bytes_of(fs::path const& file, std::size_t place, std::size_t size)
{
    std::string bytes(size, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(place));
    stream.read(bytes.data(), static_cast<std::streamsize>(size));
    bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
    return bytes;
}

/// A number as SQLite writes it: four bytes, the highest first.
std::uint32_t number_at(std::string_view bytes, std::size_t place)
{
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4; ++k)
        value = value << 8 | static_cast<unsigned char>(bytes[place + k]);
    return value;
}

constexpr std::size_t user_version_at = 60;
/// Parts of the user_version: version of the tables, mark of the last commit, of the one before.
constexpr int version_bits = 8, mark_bits = 11;
constexpr std::uint32_t most_version = (1 << version_bits) - 1, most_mark = (1 << mark_bits) - 1;

/// What tells a state of a store from others, as its first page has it.
struct FirstPage
{
    std::string id; ///< empty: of no store
    std::uint32_t user_version = 0;

    std::uint32_t mark() const { return user_version >> version_bits & most_mark; }
    std::uint32_t mark_before() const { return user_version >> (version_bits + mark_bits); }
    /// Whether it is as a commit found it that `other` is the page of, or as that left it.
    bool is_before_or_after(FirstPage const& other) const
    {
        return id == other.id &&
               (user_version == other.user_version || mark_before() == other.mark());
    }
};

FirstPage first_page(std::string_view page)
{
    auto const at = page.find(id_begins);
    if (at == std::string_view::npos || page.size() < at + id_begins.size() + id_digits) return {};
    return {std::string(page.substr(at, id_begins.size() + id_digits)),
            number_at(page, user_version_at)};
}

/// The page that a journal begins with; of no id where it restores nothing of a store.
/// https://www.sqlite.org/fileformat2.html, "The Rollback Journal".
FirstPage page_of_journal(fs::path const& journal)
{
    constexpr std::size_t header_size = 28, most = 1 << 16;
    constexpr std::string_view magic("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8);
    auto const header = bytes_of(journal, 0, header_size);
    if (header.size() < header_size || !header.starts_with(magic)) return {};
    auto const pages = number_at(header, 8), sector = number_at(header, 20),
               page_size = number_at(header, 24);
    if (pages == 0 || sector > most || page_size > most) return {}; // nothing was written yet
    auto const record = bytes_of(journal, sector, 4 + std::size_t{page_size});
    if (record.size() < 4 + std::size_t{page_size} || number_at(record, 0) != 1) return {};
    return first_page(std::string_view(record).substr(4));
}

FirstPage page_of_store(fs::path const& store)
{
    auto const header = bytes_of(store, 0, 18);
    if (header.size() < 18) return {};
    auto const size = static_cast<std::size_t>(static_cast<unsigned char>(header[16])) << 8 |
                      static_cast<unsigned char>(header[17]);
    return first_page(bytes_of(store, 0, size));
}

} // namespace

FileKind kind_of(fs::path const& file)
{
    constexpr std::size_t header_size = 100;
    auto const header = bytes_of(file, 0, header_size);
    if (header.empty()) return FileKind::absent;
    constexpr std::string_view magic("SQLite format 3\0", 16);
    if (header.size() < header_size || !header.starts_with(magic)) return FileKind::foreign;
    auto const application = number_at(header, 68),
               version = number_at(header, user_version_at) & most_version;
    if (application != store_application_id) return FileKind::foreign;
    if (version > store_version) return FileKind::newer;
    return version < store_version ? FileKind::older : FileKind::store;
}

std::string new_store_id()
{
    std::random_device words;
    return fmt::format("{}{:08x}{:08x}{:08x}{:08x}", id_begins, words(), words(), words(), words());
}

std::uint32_t next_user_version(std::uint32_t user_version)
{
    auto const before = user_version >> version_bits & most_mark;
    std::random_device words;
    auto const mark = (before + 1 + words() % most_mark) & most_mark; // another one
    return before << (version_bits + mark_bits) | mark << version_bits |
           (user_version & most_version);
}

bool has_own_journal(fs::path const& store)
{
    auto const page = page_of_journal(journal_of(store));
    return !page.id.empty() && page_of_store(store).is_before_or_after(page);
}

bool has_foreign_part(fs::path const& store)
{
    std::error_code ignored;
    return fs::exists(log_of(store), ignored) ||
           (fs::exists(journal_of(store), ignored) && !has_own_journal(store));
}

std::vector<fs::path> set_foreign_parts_aside(fs::path const& store)
{
    std::vector<fs::path> aside;
    std::error_code failed, ignored;
    auto const move = [&](fs::path const& part, std::string const& owner) {
        auto const name = fmt::format("{}-of-{}", part.string(), owner);
        fs::rename(part, name, failed);
        if (failed)
            throw RunError(part.string() +
                           ": belongs to another store and cannot be moved: " + failed.message());
        aside.push_back(name);
    };
    if (fs::exists(log_of(store), ignored)) move(log_of(store), "another");
    auto const journal = journal_of(store);
    if (!fs::exists(journal, ignored) || has_own_journal(store)) return aside;
    if (auto const id = page_of_journal(journal).id; !id.empty())
        move(journal, id);
    else
        fs::remove(journal, ignored);
    return aside;
}

} // namespace crx
