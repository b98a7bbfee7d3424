#include "host/mpi/communicator.hh"

#include <cstdlib>
#include <list>
#include <mpi.h>
#include <sched.h>
#include <stdexcept>
#include <vector>

namespace crx {

namespace {

constexpr int tag = 0;

void check(int status, char const* call)
{
    if (status != MPI_SUCCESS) throw std::runtime_error(std::string(call) + " failed");
}

/// Processors for this rank where those of its machine are shared evenly among the ranks that may
/// run on each.
int share_of_processors(MPI_Comm node)
{
    cpu_set_t mine;
    CPU_ZERO(&mine);
    ::sched_getaffinity(0, sizeof mine, &mine);
    int ranks = 1;
    MPI_Comm_size(node, &ranks);
    std::vector<cpu_set_t> all(static_cast<std::size_t>(ranks));
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, node);
    double share = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &mine)) continue;
        int users = 0;
        for (auto const& set : all) users += CPU_ISSET(cpu, &set) ? 1 : 0;
        share += 1.0 / users;
    }
    return share < 1 ? 1 : static_cast<int>(share + 1e-6);
}

class MpiCommunicator final : public Communicator
{
  public:
    MpiCommunicator()
    {
        int provided = 0;
        // Signals are handled by the program, and MPI is called by one thread alone.
        check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        MPI_Comm node = MPI_COMM_NULL;
        check(
            MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node),
            "MPI_Comm_split_type");
        MPI_Comm_rank(node, &rank_on_node_);
        threads_ = share_of_processors(node);
        MPI_Comm_free(&node);
    }

    ~MpiCommunicator() override
    {
        for (auto& sent : sent_) MPI_Wait(&sent.request, MPI_STATUS_IGNORE);
        MPI_Finalize();
    }

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    int rank_on_node() const override { return rank_on_node_; }
    int threads() const override { return threads_; }

    void send(int to, std::string text) override
    {
        forget_arrived();
        auto& sent = sent_.emplace_back();
        sent.text = std::move(text);
        check(MPI_Isend(sent.text.data(), static_cast<int>(sent.text.size()), MPI_BYTE, to, tag,
                        MPI_COMM_WORLD, &sent.request),
              "MPI_Isend");
    }

    std::optional<Message> receive() override
    {
        forget_arrived();
        int arrived = 0, bytes = 0;
        MPI_Status status;
        check(MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &arrived, &status), "MPI_Iprobe");
        if (arrived == 0) return std::nullopt;
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        Message message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(bytes), '\0')};
        check(MPI_Recv(message.text.data(), bytes, MPI_BYTE, message.from, tag, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE),
              "MPI_Recv");
        return message;
    }

    [[noreturn]] void abort(int status) override
    {
        MPI_Abort(MPI_COMM_WORLD, status);
        std::abort();
    }

  private:
    struct Sent
    {
        std::string text;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    void forget_arrived()
    {
        for (auto sent = sent_.begin(); sent != sent_.end();) {
            int done = 0;
            MPI_Test(&sent->request, &done, MPI_STATUS_IGNORE);
            sent = done != 0 ? sent_.erase(sent) : std::next(sent);
        }
    }

    int rank_ = 0, size_ = 1, rank_on_node_ = 0, threads_ = 1;
    std::list<Sent> sent_; ///< whose bytes must stay where they are
};

} // namespace

} // namespace crx

extern "C" __attribute__((visibility("default"))) crx::Communicator* crx_open_communicator();

crx::Communicator* crx_open_communicator() { return new crx::MpiCommunicator; }
