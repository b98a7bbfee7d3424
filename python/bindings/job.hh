#pragma once

#include "host/library/library.hh"

#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <pybind11/pybind11.h>
#include <thread>

namespace crx::python {

namespace py = pybind11;

/// The first exception that a function of Python's raised on a thread of ours.
class Raised
{
  public:
    /// Keeps it and throws RunError in its place: ours must not carry Python's between threads.
    /// Contract: the GIL is held.
    [[noreturn]] void keep(py::error_already_set const& error, std::string const& who);
    /// Raises RunError with `text` from it, if there is one. Contract: the GIL is held.
    void raise(std::string const& text) const;

  private:
    std::mutex mutex_;
    std::optional<py::error_already_set> error_;
};

/// Raises what a signal's handler raised; KeyboardInterrupt with what the work said of its end.
[[noreturn]] void raise_interrupt(py::error_already_set& raised, std::string const& text);

/// Calls work(stop_asked) on a thread of its own, without the GIL, and its result. Meanwhile this
/// thread lets Python handle signals: where a handler raises, as Ctrl-C does, the work is asked to
/// stop, and when it has ended the exception goes on. No signal's handler is replaced.
template <class Work>
auto run_job(Work work, std::shared_ptr<Raised> const& from_functions = nullptr)
{
    using Result = std::invoke_result_t<Work, library::StopAsked const&>;
    std::atomic<bool> stop = false;
    std::packaged_task<Result()> task([&] { return work([&] { return stop.load(); }); });
    auto future = task.get_future();
    std::optional<py::error_already_set> raised;
    {
        py::gil_scoped_release const released;
        std::jthread const thread(std::move(task));
        while (future.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
            py::gil_scoped_acquire const held;
            if (raised || PyErr_CheckSignals() == 0) continue;
            raised.emplace();
            stop = true;
        }
    }
    try {
        auto result = future.get();
        if (raised) raise_interrupt(*raised, {});
        return result;
    } catch (py::error_already_set const&) {
        throw;
    } catch (std::exception const& error) {
        if (raised) raise_interrupt(*raised, error.what());
        if (from_functions) from_functions->raise(error.what());
        throw;
    }
}

} // namespace crx::python
