#pragma once

#include <optional>
#include <string>

namespace crx {

/// The processes (ranks) of one MPI run, as far as sweeps need them. For one thread. Its only
/// implementation is a library of its own (host/mpi/module), which is loaded where a launcher
/// started several processes: the program itself needs no MPI.
class Communicator
{
  public:
    struct Message
    {
        int from;
        std::string text; ///< any bytes
    };

    /// Waits until all ranks come here, and ends MPI.
    virtual ~Communicator() = default;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual int rank_on_node() const = 0; ///< among the ranks of this machine
    /// Processors for each rank: those that it may run on, shared with the others that may.
    virtual int threads() const = 0;

    /// Returns at once; messages from one rank to another arrive in order.
    virtual void send(int to, std::string text) = 0;
    /// The next message that has arrived; nothing: there is none at the moment.
    virtual std::optional<Message> receive() = 0;
    /// Ends all ranks now.
    [[noreturn]] virtual void abort(int status) = 0;
};

/// What the library's one function is called, and its type.
inline constexpr char const* open_communicator_name = "crx_open_communicator";
using OpenCommunicator = Communicator* (*)();

} // namespace crx
