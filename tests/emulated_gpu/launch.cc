#include "emulated_gpu/launch.hh"

#include "emulated_gpu/memory.hh"
#include "emulated_gpu/shim/cuda_runtime.h"

#include <map>
#include <sys/mman.h>

namespace emulated {
namespace {

constexpr std::int64_t most_threads = 1024;
constexpr std::size_t most_shared = 48 * 1024; ///< without asking for more

std::vector<std::int64_t> launched; ///< threads of each launch

std::map<std::string, Kernel>& kernels()
{
    static std::map<std::string, Kernel> all;
    return all;
}

/// The name in the host's code of what the GPU's calls crd (tests/CMakeLists.txt).
std::string host_name(std::string name)
{
    for (auto at = name.find("3crd"); at != std::string::npos; at = name.find("3crd", at))
        name.replace(at, 4, "3crx");
    return name;
}

/// Whether a word looks like the address of something in the host's memory.
bool is_of_host(std::uint64_t word)
{
    constexpr std::uint64_t page = 4096;
    if (word < std::uint64_t{1} << 32 || word >= std::uint64_t{1} << 47) return false;
    auto* const at = reinterpret_cast<void*>(word / page * page);
    return !near_gpu(reinterpret_cast<void*>(word), 1) && msync(at, 1, MS_ASYNC) == 0;
}

void check(Argument const& argument, std::size_t number, std::string const& name)
{
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= argument.bytes;
         at += sizeof(std::uint64_t)) {
        std::uint64_t word;
        std::memcpy(&word, static_cast<char const*>(argument.at) + at, sizeof word);
        if (is_of_host(word))
            fail("a kernel is given an address of the host: argument " + std::to_string(number) +
                 ", byte " + std::to_string(at) + ", of " + name);
    }
}

} // namespace

void enter_kernel(std::string const& name, Kernel const& kernel)
{
    if (!kernels().emplace(host_name(name), kernel).second) fail("two kernels are called " + name);
}

std::int64_t launches() { return std::ssize(launched); }
std::vector<std::int64_t> const& launched_threads() { return launched; }

void launch_kernel(std::string const& name, Config const& config,
                   std::vector<Argument> const& arguments)
{
    OneAtATime const turn;
    auto const found = kernels().find(name);
    if (found == kernels().end()) fail("no kernel is called " + name);
    auto const& kernel = found->second;
    if (arguments.size() != kernel.sizes.size()) fail("another number of arguments: " + name);
    if (config.blocks < 1 || config.blocks > INT32_MAX || config.threads < 1 ||
        config.threads > most_threads || config.shared > most_shared)
        return set_last_error(cudaErrorInvalidConfiguration);
    std::vector<void const*> at;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        if (arguments[k].bytes != kernel.sizes[k])
            fail("argument " + std::to_string(k) + " has another size on the GPU: " + name);
        check(arguments[k], k, name);
        at.push_back(arguments[k].at);
    }
    launched.push_back(config.blocks * config.threads);
    if (has_fault()) return;
    if (gpu().launches_to_fault >= 0 && gpu().launches_to_fault-- == 0)
        return set_fault(cudaErrorIllegalAddress);
    if (gpu().launches_to_lose >= 0 && gpu().launches_to_lose-- == 0) return;
    OpenMemory const open;
    if (!run_threads(config, [&] { kernel.run(at.data()); })) set_fault(cudaErrorLaunchFailure);
}

} // namespace emulated
