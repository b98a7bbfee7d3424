#include "host/store/file/database_file.hh"

#include "host/error.hh"
#include "host/say.hh"

#include <array>
#include <fmt/format.h>
#include <fstream>
#include <string>

namespace crx {

namespace {

namespace fs = std::filesystem;

constexpr std::array<char const*, 4> parts{"-wal", "-shm", "-journal", "-writer"};

[[noreturn]] void refuse(fs::path const& file, std::string const& why)
{
    throw InputError(file.string() + ": " + why + "\n  choose another file with --db FILE");
}

/// Names of a file (hard links).
int names_of(fs::path const& file)
{
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return 1; // folders count their parts
    auto const names = fs::hard_link_count(where_it_leads(file), ignored);
    return ignored ? 1 : static_cast<int>(names);
}

} // namespace

fs::path where_it_leads(fs::path const& file)
{
    if (file.empty()) return {};
    constexpr int most_links = 40; // as many as Linux follows
    std::error_code ignored;
    auto at = fs::absolute(file);
    for (int k = 0; k < most_links && fs::is_symlink(at, ignored); ++k)
        at = at.parent_path() / fs::read_symlink(at, ignored);
    auto const resolved = fs::weakly_canonical(at, ignored);
    return resolved.empty() ? at.lexically_normal() : resolved;
}

bool is_database(fs::path const& file)
{
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return false; // to read from a pipe would wait
    std::string const begins("SQLite format 3\0", 16);
    std::string read(begins.size(), ' ');
    std::ifstream stream(file, std::ios::binary);
    return stream.read(read.data(), static_cast<std::streamsize>(read.size())) && read == begins;
}

fs::path owner_of(fs::path const& file)
{
    auto const name = file.string();
    for (std::string const ending : parts)
        if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
    return {};
}

void warn_of_names(fs::path const& file)
{
    if (auto const names = names_of(file); names > 1)
        say(fmt::format("{}: is one file with {} names (hard links); what was written under "
                        "another may be missing here",
                        file.string(), names));
}

fs::path place_of_store(fs::path file)
{
    std::error_code ignored;
    if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored))
        refuse(file, "is a folder or a device, not a store of crx"); // a journal would stay there
    auto const place = where_it_leads(file);
    // SQLite and the lock know a file by its name: under another they would not see what is beside
    // this one.
    if (auto const names = names_of(file); names > 1)
        refuse(file, "is one file with " + std::to_string(names) + " names (hard links), and " +
                         "programs that write to it under two of them would destroy it; remove " +
                         "the other names, as what is beside a store (-wal) goes with one alone");
    for (auto const& name : {file, place})
        if (auto const owner = owner_of(name); !owner.empty())
            refuse(file, "would be lost, as parts of " + owner.string() + " have such names");
    for (std::string const ending : parts)
        if (fs::path const part = place.string() + ending; is_database(part))
            refuse(file, part.string() + " is a database and would be lost, as a part of the " +
                             "store has that name");
    return file;
}

} // namespace crx
