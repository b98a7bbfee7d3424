#include "host/sweep/threads.hh"

#include "host/error.hh"
#include "kernels/base/counted.hh"

#include <condition_variable>
#include <fmt/core.h>
#include <fstream>
#include <mutex>
#include <system_error>
#include <tbb/task_arena.h>
#include <thread>
#include <vector>

namespace crx {

namespace {

/// Starts so many threads at once and ends them; how many there were before one could not be
/// started, and why.
std::pair<int, std::string> try_threads(int count)
{
    std::mutex mutex;
    std::condition_variable all_are_there;
    bool end = false;
    std::vector<std::thread> threads;
    std::string why;
    try {
        threads.reserve(static_cast<std::size_t>(count));
        while (static_cast<int>(threads.size()) < count)
            threads.emplace_back([&] {
                std::unique_lock lock(mutex);
                all_are_there.wait(lock, [&] { return end; });
            });
    } catch (std::system_error const& error) {
        why = error.code().message();
    } catch (std::bad_alloc const&) {
        why = "there is not enough memory";
    }
    {
        std::lock_guard const lock(mutex);
        end = true;
    }
    all_are_there.notify_all();
    for (auto& thread : threads) thread.join();
    return {static_cast<int>(threads.size()), why};
}

} // namespace

int threads_to_use(int asked)
{
    int const count = asked > 0 ? asked : tbb::this_task_arena::max_concurrency();
    if (count < 2) return count;
    auto const [started, why] = try_threads(count - 1); // this one is there
    if (!why.empty())
        throw ConfigError("command line", "--threads", std::to_string(count),
                          fmt::format("at most {} here, where no more threads can be started ({}): "
                                      "each takes some 10 MB of address space (ulimit -v) and "
                                      "counts as a process (ulimit -u)",
                                      started + 1, why));
    return count;
}

std::string processor_text(int threads)
{
    std::string name = "processor";
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("model name"))
            if (auto const at = line.find(": "); at != std::string::npos) {
                name = line.substr(at + 2);
                break;
            }
    return name + ", " + counted(threads, "thread");
}

} // namespace crx
