#include "host/sweep/rank_board.hh"

#include "host/error.hh"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
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

namespace {

namespace fs = std::filesystem;

std::string this_machine()
{
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string to_text(RankState const& state, std::int64_t beat)
{
    return nlohmann::ordered_json{{"run", state.run},         {"round", state.round},
                                  {"done", state.is_done},    {"status", state.status},
                                  {"message", state.message}, {"host", state.host},
                                  {"process", ::getpid()},    {"beat", beat}}
        .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// Nothing: the text is damaged.
std::optional<RankState> parse_state(std::string const& text)
try {
    auto const json = nlohmann::ordered_json::parse(text);
    return RankState{json.at("run"),    json.at("round"),   json.at("done"),
                     json.at("status"), json.at("message"), json.at("host")};
} catch (std::exception const&) {
    return std::nullopt;
}

} // namespace

RankBoard::RankBoard(fs::path folder, RankPlace const& place, std::chrono::seconds timeout)
    : folder_(std::move(folder)), place_(place), timeout_(timeout)
{
    std::error_code failed;
    fs::create_directories(folder_, failed);
    if (!fs::is_directory(folder_, failed))
        throw InputError(folder_.string() + ": cannot be made, and ranks keep what they do there" +
                         (failed ? ": " + failed.message() : std::string()));
    own_.host = this_machine();
    if (place.rank == 0)
        for (int rank = 1; rank < place.size; ++rank) peers_[rank].text = read(rank);
    else
        peers_[0].text = read(0);
    thread_ = std::thread([this] { run(); });
}

RankBoard::~RankBoard()
{
    {
        std::lock_guard const lock(mutex_);
        ending_ = true;
    }
    wake_.notify_all();
    thread_.join();
    std::error_code ignored;
    if (own_.status > 0)
        write();
    else
        fs::remove(file_of(place_.rank), ignored);
    fs::remove(folder_, ignored); // where nothing is in it any more
}

fs::path RankBoard::file_of(int rank) const
{
    return folder_ / fmt::format("rank-{}-of-{}.state", rank, place_.size);
}

std::string RankBoard::read(int rank) const
{
    std::ifstream file(file_of(rank), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void RankBoard::post(RankState state)
{
    std::lock_guard const lock(mutex_);
    state.host = own_.host;
    own_ = std::move(state);
    has_news_ = true;
    posted_ = Clock::now();
    wake_.notify_all();
}

std::optional<RankState> RankBoard::latest(int rank) const
{
    std::lock_guard const lock(mutex_);
    auto const& peer = peers_.at(rank);
    return peer.is_current ? std::optional(peer.state) : std::nullopt;
}

bool RankBoard::has_left(int rank) const
{
    std::lock_guard const lock(mutex_);
    return peers_.at(rank).has_left;
}

std::optional<int> RankBoard::silent() const
{
    std::lock_guard const lock(mutex_);
    for (auto const& [rank, peer] : peers_)
        if (is_silent(rank, peer)) return rank;
    return std::nullopt;
}

std::string RankBoard::name(int rank) const
{
    std::lock_guard const lock(mutex_);
    auto const& host = rank == place_.rank ? own_.host : peers_.at(rank).state.host;
    return fmt::format("rank {} of {}{}{}", rank, place_.size, host.empty() ? "" : " on ", host);
}

/// Under another name first: who reads finds all of it. Where that fails, the others will say that
/// this rank is silent.
void RankBoard::write()
{
    auto const file = file_of(place_.rank);
    auto const fresh = file.string() + ".new";
    std::ofstream(fresh, std::ios::binary) << to_text(own_, ++beat_);
    std::error_code ignored;
    fs::rename(fresh, file, ignored);
}

void RankBoard::look()
{
    for (auto& [rank, peer] : peers_) {
        auto text = read(rank);
        auto state = text.empty() ? std::nullopt : parse_state(text);
        std::lock_guard const lock(mutex_);
        peer.has_left = peer.is_current && text.empty();
        if (state && text != peer.text) {
            peer.text = std::move(text);
            peer.state = *std::move(state);
            peer.is_current = true;
            peer.heard_of = Clock::now();
        }
        bool const has_failed = has_ended(rank, peer) && (peer.has_left || peer.state.status > 0);
        if ((has_failed && own_.status < 0) || is_silent(rank, peer)) is_over_ = true;
    }
}

bool RankBoard::has_ended(int rank, Peer const& peer) const
{
    if (peer.has_left) return true;
    bool const is_of_this_run = rank == 0 || peer.state.run == own_.run;
    return peer.is_current && is_of_this_run && peer.state.status >= 0;
}

bool RankBoard::is_silent(int rank, Peer const& peer) const
{
    return !has_ended(rank, peer) && Clock::now() - peer.heard_of > timeout_;
}

/// Looks seldom once nothing has happened for long, so that many ranks do not burden a file system:
/// what happens is seen a tenth of the time later that it took.
void RankBoard::run()
{
    using namespace std::chrono_literals;
    auto written = Clock::now() - 1h;
    std::unique_lock lock(mutex_);
    while (!ending_) {
        auto const now = Clock::now();
        auto const pause =
            std::clamp<Clock::duration>((now - posted_) / 10, Clock::duration(20ms), 2s);
        if (has_news_ || now - written >= pause) {
            has_news_ = false;
            write();
            written = now;
        }
        lock.unlock();
        look();
        lock.lock();
        wake_.wait_for(lock, pause, [&] { return ending_ || has_news_; });
    }
}

} // namespace crx
