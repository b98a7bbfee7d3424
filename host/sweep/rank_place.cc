#include "host/sweep/rank_place.hh"

#include "host/error.hh"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sched.h>
#include <unistd.h>

namespace crx {

namespace {

/// The variables in which a launcher says a process's place. `size` is set by it alone.
struct Variables
{
    char const *rank, *size, *local_rank, *local_size;
};

constexpr Variables launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE"},                                 // Open MPI
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"}, // MPICH, srun --mpi=pmi2
    // SLURM_NTASKS is also there in a batch script, which is no task of a step.
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", nullptr},
};

std::optional<int> variable(char const* name)
{
    char const* const text = name == nullptr ? nullptr : std::getenv(name);
    if (text == nullptr) return std::nullopt;
    int value = 0;
    auto const* const end = text + std::strlen(text);
    auto const read = std::from_chars(text, end, value);
    if (read.ec != std::errc() || read.ptr != end || value < 0) return std::nullopt;
    return value;
}

/// Slurm says how many tasks each machine has in a list; they are about equally many.
int tasks_of_a_node(int size)
{
    int const nodes = std::max(1, variable("SLURM_STEP_NUM_NODES").value_or(1));
    return (size + nodes - 1) / nodes;
}

/// Processors that a process may run on; 0: unknown.
int processors_of(::pid_t process)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    return ::sched_getaffinity(process, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

} // namespace

RankPlace place_of_process()
{
    for (auto const& launcher : launchers) {
        int const size = variable(launcher.size).value_or(0);
        auto const rank = variable(launcher.rank);
        if (size < 1 || !rank || *rank >= size) continue;
        int const local_size = variable(launcher.local_size).value_or(tasks_of_a_node(size));
        return {*rank, size,
                variable(launcher.local_rank).value_or(*rank % std::max(1, local_size)),
                std::max(1, local_size)};
    }
    if (variable("PMIX_RANK"))
        throw InputError("started with PMIX_RANK, and nothing says how many processes there are\n"
                         "  run shards (--shard I/N, docs/cluster.md), or unset PMIX_RANK to run "
                         "one process");
    return {};
}

int threads_of(RankPlace const& place)
{
    int const mine = std::max(1, processors_of(0));
    // All that the ranks of this machine have: Slurm says it, and a launcher may use all of them.
    int const all = variable("SLURM_CPUS_ON_NODE").value_or(processors_of(::getppid()));
    bool const is_mine_alone = mine < all;
    return is_mine_alone ? mine : std::max(1, mine / place.local_size);
}

} // namespace crx
