#include "host/store/output_check.hh"

#include "host/error.hh"
#include "host/store/file/database_file.hh"
#include "host/store/output_file.hh"

namespace crx {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(NamedFile const& output, std::string const& accepted)
{
    throw ConfigError("command line", output.option, output.file.string(), accepted);
}

bool same_file(fs::path const& one, fs::path const& other)
{
    std::error_code ignored;
    return fs::equivalent(one, other, ignored) || where_it_leads(one) == where_it_leads(other);
}

void check_against_kept(NamedFile const& output, std::vector<NamedFile> const& kept)
{
    auto const owner = owner_of(where_it_leads(output.file));
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
