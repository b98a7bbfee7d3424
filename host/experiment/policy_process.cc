#include "host/experiment/policy_process.hh"

#include "host/error.hh"
#include "host/say.hh"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // NOLINT: POSIX names it

namespace crx {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kept_words = 2000;
constexpr int step_ms = 50; ///< between questions whether to stop

/// Both ends of a connection; sockets, so that a program that is gone raises no signal.
struct Ends
{
    int ours = -1, theirs = -1;
};
Ends connected(std::string const& name)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw RunError(fmt::format("{}: {}", name, std::strerror(errno)));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return {ends[0], ends[1]};
}

void close_all(std::initializer_list<int> files)
{
    for (int const file : files)
        if (file >= 0) close(file);
}

} // namespace

std::vector<std::string> resolved_words(ProgramCommand const& command)
{
    auto words = command.words;
    for (auto& word : words) {
        std::error_code error;
        auto const file = command.folder / word;
        bool const by_path = &word == &words.front() && word.find('/') == std::string::npos;
        if (!by_path && std::filesystem::is_regular_file(file, error)) word = file.string();
    }
    return words;
}

PolicyProcess::PolicyProcess(ProgramCommand const& command)
    : name_((command.policy.empty() ? "" : "policy " + command.policy + ": ") + "program " +
            command.words.front()),
      timeout_(command.timeout)
{
    auto words = resolved_words(command);
    std::vector<char*> arguments;
    for (auto& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    auto const in = connected(name_), out = connected(name_), errors = connected(name_);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in.theirs, 0);
    posix_spawn_file_actions_adddup2(&actions, out.theirs, 1);
    posix_spawn_file_actions_adddup2(&actions, errors.theirs, 2);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // A group of its own: a key that stops crx stops the program by the end of its input.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGINT);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    auto const failed = posix_spawnp(&pid_, words.front().c_str(), &actions, &attributes,
                                     arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close_all({in.theirs, out.theirs, errors.theirs});
    to_ = in.ours;
    from_ = out.ours;
    errors_ = errors.ours;
    if (failed != 0) {
        pid_ = -1;
        close_all({to_, from_, errors_});
        throw PolicyError(fmt::format("{} cannot be started: {}", name_, std::strerror(failed)));
    }
}

PolicyProcess::~PolicyProcess()
{
    close_all({to_, from_, errors_});
    if (pid_ < 0) return;
    for (int k = 0; k < 20; ++k) { // the end of its input is a reason to end
        if (waitpid(pid_, nullptr, WNOHANG) == pid_) return;
        usleep(10'000);
    }
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
}

std::string PolicyProcess::how_it_ended()
{
    int status = 0;
    for (int k = 0; k < 100; ++k) {
        if (waitpid(pid_, &status, WNOHANG) == pid_) {
            pid_ = -1;
            if (WIFSIGNALED(status)) return fmt::format("was ended by signal {}", WTERMSIG(status));
            return fmt::format("ended with status {}", WEXITSTATUS(status));
        }
        usleep(10'000);
    }
    return "closed its output";
}

void PolicyProcess::read_from(int file, std::string& into, std::size_t keep)
{
    char buffer[65536];
    for (;;) {
        auto const got = recv(file, buffer, sizeof buffer, 0);
        if (got <= 0) return;
        into.append(buffer, static_cast<std::size_t>(got));
        if (keep > 0 && into.size() > keep) into.erase(0, into.size() - keep);
        if (keep == 0) return; // what it answers is looked at before more is read
    }
}

void PolicyProcess::fail(std::string const& what)
{
    read_from(errors_, words_, kept_words);
    auto words = words_;
    while (!words.empty() && (words.back() == '\n' || words.back() == ' ')) words.pop_back();
    throw PolicyError(
        fmt::format("{} {}{}", name_, what, words.empty() ? "" : "\nits last words:\n" + words));
}

template <class Done>
void PolicyProcess::exchange(std::string_view bytes, Done done, StopAsked const& stop_asked)
{
    auto const deadline = SteadyClock::now() + std::chrono::duration<double>(timeout_);
    while (!bytes.empty() || !done()) {
        if (!bytes.empty()) { // as a rule it is taken at once
            auto const sent = send(to_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
            if (sent < 0 && errno != EAGAIN && errno != EINTR) fail(how_it_ended());
            if (bytes.empty()) continue;
        }
        pollfd files[] = {{from_, POLLIN, 0}, {errors_, POLLIN, 0}, {to_, POLLOUT, 0}};
        auto const ready = poll(files, bytes.empty() ? 2 : 3, step_ms);
        if (ready > 0 && (files[1].revents & POLLIN) != 0) read_from(errors_, words_, kept_words);
        if (ready > 0 && (files[0].revents & (POLLIN | POLLHUP)) != 0) {
            auto const before = received_.size();
            read_from(from_, received_, 0);
            if (received_.size() == before) fail(how_it_ended());
        }
        if (ready > 0 && (files[1].revents & POLLHUP) != 0 && files[0].revents == 0) usleep(1000);
        if (ready <= 0 || !done()) {
            if (stop_asked && stop_asked()) throw Aborted{};
            if (SteadyClock::now() > deadline)
                fail(fmt::format("did not answer within {} s (timeout)", timeout_));
        }
    }
}

std::string PolicyProcess::ask_line(std::string_view bytes, std::size_t most,
                                    StopAsked const& stop_asked)
{
    std::size_t end = std::string::npos;
    exchange(
        bytes,
        [&] {
            end = received_.find('\n');
            if (end == std::string::npos ? received_.size() > most : end > most)
                fail(fmt::format("answers with a line of more than {} characters: {}..", most,
                                 received_.substr(0, 60)));
            return end != std::string::npos;
        },
        stop_asked);
    auto line = received_.substr(0, end);
    received_.erase(0, end + 1);
    return line;
}

std::string PolicyProcess::ask_bytes(std::string_view bytes, std::size_t size,
                                     StopAsked const& stop_asked)
{
    exchange(
        bytes, [&] { return received_.size() >= size; }, stop_asked);
    auto answer = received_.substr(0, size);
    received_.erase(0, size);
    if (!received_.empty())
        fail(fmt::format("answers with {} bytes more than it was asked for", received_.size()));
    return answer;
}

} // namespace crx
