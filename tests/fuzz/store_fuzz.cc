#include "fuzz/target.hh"
#include "host/store/store_reader.hh"
#include "tests/host/sweep/fake_experiment.hh"

#include <cstring>
#include <fstream>

namespace {

using namespace crx;

/// The bytes of a small whole store, as this program makes them.
std::string const& whole_store()
{
    static std::string const bytes = [] {
        crx_test::TemporaryFolder const folder;
        crx_test::run_fake(folder / "a.db", crx_test::fake_plan(3));
        std::ifstream in(folder / "a.db", std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(in), {}};
    }();
    return bytes;
}

void read(std::string const& file)
{
    try {
        to_csv(make_export(read_store(file), 0.95));
    } catch (InputError const&) {
        // A refusal in words.
    } catch (RunError const&) {
        // As of a disk that fails.
    }
}

} // namespace

/// Stores: the input changes a whole one, five bytes at a time (four for the place, one for the
/// value there); after "raw:" it is the file itself.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    constexpr std::string_view raw = "raw:";
    std::string bytes;
    if (size >= raw.size() && std::memcmp(data, raw.data(), raw.size()) == 0) {
        bytes.assign(reinterpret_cast<char const*>(data) + raw.size(), size - raw.size());
    } else {
        bytes = whole_store();
        for (std::size_t at = 0; at + 5 <= size; at += 5) {
            std::uint32_t place = 0;
            std::memcpy(&place, data + at, 4);
            bytes[place % bytes.size()] = static_cast<char>(data[at + 4]);
        }
    }
    crx_test::InputFile const file(reinterpret_cast<std::uint8_t const*>(bytes.data()),
                                   bytes.size());
    read(file.path());
    check_store(file.path());
    return 0;
}
