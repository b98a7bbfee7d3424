#include "host/mpi/launcher.hh"

#include "host/error.hh"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>

namespace crx {

namespace {

int number_in_environment(char const* name)
{
    char const* const text = std::getenv(name);
    int value = 0;
    if (text != nullptr) std::from_chars(text, text + std::strlen(text), value);
    return value;
}

std::filesystem::path module_file()
{
    std::error_code failed;
    auto const program = std::filesystem::read_symlink("/proc/self/exe", failed);
    return program.parent_path() / "crx_mpi.so";
}

/// Never closed: MPI registers what is called when the program ends.
void* open_module(std::string& why)
{
    auto const file = module_file();
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) {
        why = "this crx was built without MPI";
        return nullptr;
    }
    // Parts of MPI libraries that are loaded later look for its names among those of the program.
    auto* const module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (module == nullptr) why = ::dlerror();
    return module;
}

} // namespace

int processes_of_launcher()
{
    // Open MPI's mpirun; MPICH's, and srun --mpi=pmi2.
    for (char const* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
        if (int const size = number_in_environment(name); size > 0) return size;
    if (std::getenv("PMIX_RANK") != nullptr) // srun --mpi=pmix
        if (int const size = number_in_environment("SLURM_STEP_NUM_TASKS"); size > 0) return size;
    return 1;
}

std::unique_ptr<Communicator> join_ranks()
{
    int const size = processes_of_launcher();
    if (size < 2) return nullptr;
    std::string why;
    auto* const module = open_module(why);
    auto const open =
        module == nullptr
            ? nullptr
            : reinterpret_cast<OpenCommunicator>(::dlsym(module, open_communicator_name));
    if (open == nullptr)
        throw InputError(fmt::format(
            "started as {} processes, and MPI cannot be used: {}\n  build crx where MPI is found, "
            "or run shards (--shard I/N, docs/cluster.md)",
            size, why.empty() ? "crx_mpi.so is another program's" : why));
    return std::unique_ptr<Communicator>(open());
}

std::string command_line()
{
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::string line{std::istreambuf_iterator<char>(file), {}};
    std::ranges::replace(line, '\0', ' ');
    return line;
}

std::string why_without_mpi()
{
    std::string why;
    open_module(why);
    return why;
}

} // namespace crx
