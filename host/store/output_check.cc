#include "host/store/output_check.hh"

#include "host/error.hh"
#include "host/store/output_file.hh"

#include <fstream>

namespace crx {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(NamedFile const& output, std::string const& accepted)
{
    throw ConfigError("command line", output.option, output.file.string(), accepted);
}

/// The file that would be written: through links, also through one that leads to nothing yet.
fs::path where_it_leads(fs::path const& file)
{
    constexpr int most_links = 40; // as many as Linux follows
    std::error_code ignored;
    auto at = fs::absolute(file);
    for (int k = 0; k < most_links && fs::is_symlink(at, ignored); ++k)
        at = at.parent_path() / fs::read_symlink(at, ignored);
    auto const resolved = fs::weakly_canonical(at, ignored);
    return resolved.empty() ? at.lexically_normal() : resolved;
}

bool same_file(fs::path const& one, fs::path const& other)
{
    std::error_code ignored;
    return fs::equivalent(one, other, ignored) || where_it_leads(one) == where_it_leads(other);
}

bool is_database(fs::path const& file)
{
    std::string const begins("SQLite format 3\0", 16);
    std::string read(begins.size(), ' ');
    std::ifstream stream(file, std::ios::binary);
    return stream.read(read.data(), static_cast<std::streamsize>(read.size())) && read == begins;
}

/// The file beside which one of this name would stand as a part of it; empty if the name is none.
fs::path owner_of(fs::path const& file)
{
    auto const name = where_it_leads(file).string();
    for (std::string const ending : {"-wal", "-shm", "-journal", "-writer"})
        if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
    return {};
}

void check_against_kept(NamedFile const& output, std::vector<NamedFile> const& kept)
{
    auto const owner = owner_of(output.file);
    for (auto const& other : kept) {
        if (other.file.empty()) continue;
        if (same_file(output.file, other.file))
            refuse(output, "another file than " + other.option + " (" + other.file.string() +
                               "), which would be overwritten");
        if (!owner.empty() && same_file(owner, other.file))
            refuse(output, "another file: this one is a part of the store " + other.file.string());
    }
    if (is_database(output.file))
        refuse(output, "another file: this one is an SQLite database, as crx's stores are, and "
                       "would be overwritten");
    if (!owner.empty() && is_database(owner))
        refuse(output, "another file: this one is a part of the SQLite database " + owner.string());
}

} // namespace

void check_outputs(std::vector<NamedFile> const& outputs, std::vector<NamedFile> const& kept)
{
    std::vector<NamedFile> ordinary;
    for (auto const& output : outputs) {
        if (output.file.empty()) continue;
        check_place(output.file, output.option);
        std::error_code ignored;
        if (fs::exists(output.file, ignored) && !fs::is_regular_file(output.file, ignored))
            continue;
        check_against_kept(output, kept);
        for (auto const& other : ordinary)
            if (same_file(output.file, other.file))
                refuse(output, "another file than " + other.option + " (" + other.file.string() +
                                   "): one would overwrite the other");
        ordinary.push_back(output);
    }
}

} // namespace crx
