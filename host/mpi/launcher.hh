#pragma once

#include "host/mpi/communicator.hh"

#include <memory>

namespace crx {

/// How many processes mpirun or srun started together with this one, by what they say in the
/// environment; 1: it was started alone.
int processes_of_launcher();

/// The ranks of this run; null where the program was started alone. Throws InputError where several
/// were started and MPI cannot be used: each would run all of the sweep.
std::unique_ptr<Communicator> join_ranks();

/// The command line of this process in one line.
std::string command_line();

/// Whether the library that talks to MPI stands beside the program; else why it cannot be used.
std::string why_without_mpi();

} // namespace crx
