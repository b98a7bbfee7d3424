#include "host/search/found_file.hh"

#include "host/output_file.hh"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace crx {

struct FoundKeeper::State
{
    std::filesystem::path file;
    mutable std::mutex mutex;
    std::condition_variable changed;
    std::optional<std::string> waiting; ///< to be written
    bool end = false;
    std::exception_ptr error;
    std::thread writer;

    void write()
    {
        std::unique_lock lock(mutex);
        for (;;) {
            changed.wait(lock, [&] { return end || waiting; });
            if (!waiting) return;
            auto const content = std::move(*waiting);
            waiting.reset();
            lock.unlock();
            try {
                write_file(file, content);
                lock.lock();
            } catch (...) {
                lock.lock();
                error = std::current_exception();
                return;
            }
            // Early on better ones follow each other fast.
            changed.wait_for(lock, std::chrono::milliseconds(500), [&] { return end; });
        }
    }
};

FoundKeeper::FoundKeeper(std::filesystem::path file) : state_(std::make_unique<State>())
{
    state_->file = std::move(file);
    state_->writer = std::thread([state = state_.get()] { state->write(); });
}

FoundKeeper::~FoundKeeper()
{
    {
        std::lock_guard const lock(state_->mutex);
        state_->end = true;
    }
    state_->changed.notify_all();
    if (state_->writer.joinable()) state_->writer.join();
}

void FoundKeeper::offer(std::string content)
{
    {
        std::lock_guard const lock(state_->mutex);
        state_->waiting = std::move(content);
    }
    state_->changed.notify_all();
}

bool FoundKeeper::failed() const
{
    std::lock_guard const lock(state_->mutex);
    return state_->error != nullptr;
}

void FoundKeeper::finish()
{
    {
        std::lock_guard const lock(state_->mutex);
        state_->end = true;
    }
    state_->changed.notify_all();
    if (state_->writer.joinable()) state_->writer.join();
    if (state_->error) std::rethrow_exception(state_->error);
}

} // namespace crx
