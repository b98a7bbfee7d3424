#include "fuzz/target.hh"
#include "host/error.hh"
#include "host/experiment/experiment.hh"

/// Experiment files. Traces are looked for in a folder that is not there.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    try {
        std::string const text(reinterpret_cast<char const*>(data), size);
        crx::Experiment::parse(text, "e.toml", "/nonexistent", {});
    } catch (crx::InputError const&) {
        // A refusal in words.
    }
    return 0;
}
