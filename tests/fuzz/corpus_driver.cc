#include "fuzz/mutation.hh"
#include "fuzz/target.hh"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

void try_input(std::string const& bytes)
{
    LLVMFuzzerTestOneInput(reinterpret_cast<std::uint8_t const*>(bytes.data()), bytes.size());
}

/// Tries changed inputs until the time is over. The last one stands in `kept`, so that it is there
/// where it ended the program.
void try_mutations(std::vector<std::string> const& corpus, double seconds, std::uint64_t seed,
                   std::string const& kept)
{
    std::mt19937_64 dice(seed);
    auto const begin = std::chrono::steady_clock::now();
    std::int64_t tried = 0;
    for (; std::chrono::steady_clock::now() - begin < std::chrono::duration<double>(seconds);
         ++tried) {
        auto const input = crx_test::mutated(corpus, dice);
        std::ofstream(kept, std::ios::binary) << input;
        try_input(input);
    }
    std::filesystem::remove(kept);
    std::printf("%lld changed inputs, seed %llu\n", static_cast<long long>(tried),
                static_cast<unsigned long long>(seed));
}

} // namespace

/// Runs a target on every file of a folder, by name: what a fuzzer found once is tried in every
/// run of the tests. With SECONDS, SEED and FILE goes on with changed inputs for that long, as a
/// fuzzer would that sees no coverage; FILE holds the input that ended the program.
int main(int argc, char** argv)
{
    if (argc != 2 && argc != 5) {
        std::fprintf(stderr, "usage: %s FOLDER [SECONDS SEED FILE]\n", argv[0]);
        return 2;
    }
    std::vector<std::filesystem::path> files;
    for (auto const& entry : std::filesystem::directory_iterator(argv[1]))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<std::string> corpus;
    for (auto const& file : files) {
        std::printf("%s\n", file.filename().c_str());
        std::fflush(stdout); // the last line says which one ended the program
        std::ifstream in(file, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        try_input(corpus.back());
    }
    std::printf("%zu inputs\n", files.size());
    std::fflush(stdout);
    if (files.empty()) return 1;
    if (argc == 5)
        try_mutations(corpus, std::atof(argv[2]), std::strtoull(argv[3], nullptr, 10), argv[4]);
    return 0;
}
