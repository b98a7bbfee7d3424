#include "host/file_names.hh"

#include "host/say.hh"

#include <fmt/format.h>
#include <fstream>

namespace crx {

namespace {
namespace fs = std::filesystem;
}

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
    for (std::string const ending : store_parts)
        if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
    return {};
}

void warn_of_names(fs::path const& file)
{
    if (auto const names = hard_links_of(file); names > 1)
        say(fmt::format("{}: is one file with {} names (hard links); what was written under "
                        "another may be missing here",
                        file.string(), names));
}

int hard_links_of(fs::path const& file)
{
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return 1; // folders count their parts
    auto const names = fs::hard_link_count(where_it_leads(file), ignored);
    return ignored ? 1 : static_cast<int>(names);
}

} // namespace crx
