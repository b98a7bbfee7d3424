#include "fuzz/target.hh"
#include "host/error.hh"
#include "host/experiment/small_experiment.hh"

#include <sstream>

/// --set: each line of the input, on a small experiment.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    std::istringstream lines(std::string(reinterpret_cast<char const*>(data), size));
    std::vector<std::string> overrides;
    for (std::string line; std::getline(lines, line);) overrides.push_back(line);
    try {
        crx::Experiment::parse(crx::small_experiment, "e.toml", "/nonexistent", overrides);
    } catch (crx::InputError const&) {
        // A refusal in words.
    }
    return 0;
}
