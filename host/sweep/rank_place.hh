#pragma once

namespace crx {

/// Where a process stands among those that mpirun or srun started together.
struct RankPlace
{
    int rank = 0, size = 1;
    int local_rank = 0, local_size = 1; ///< among those of its machine
};

/// This process's place, as the environment says it that Open MPI's mpirun, MPICH's and srun give
/// to each; rank 0 of 1 where it was started alone. Throws InputError where a launcher started it
/// that does not say how many there are.
RankPlace place_of_process();

/// Threads of a rank whose user asked for none: the processors that the launcher gave it alone, or
/// an equal share of those that all ranks of its machine may run on. At least 1.
int threads_of(RankPlace const& place);

} // namespace crx
