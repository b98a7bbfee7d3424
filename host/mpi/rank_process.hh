#pragma once

#include "host/mpi/communicator.hh"

#include <string>

namespace crx {

/// What ranks 1, 2, .. do in place of the command: they run what rank 0 deals until it says that
/// the run is over, and print nothing. `arguments` are those of their own command line. What goes
/// wrong is told to rank 0.
void serve_rank(Communicator& ranks, std::string const& arguments);

} // namespace crx
