#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace crx {

/// How a user's program is run.
struct ProgramCommand
{
    std::vector<std::string> words; ///< program and arguments, as they were written
    std::filesystem::path folder;   ///< where words that name files start
    double timeout = 60;            ///< seconds for an answer
    std::string policy = {};        ///< its label, for messages; empty: the only one
};

/// The words with those that name a file in the folder replaced by its path.
std::vector<std::string> resolved_words(ProgramCommand const& command);

/// A user's program while it runs, with lines and bytes to and from it. What it writes to its
/// standard error is kept, the end of it, for messages.
class PolicyProcess
{
  public:
    /// Asked now and then while it is waited for: true ends the wait with Stopped.
    using StopAsked = std::function<bool()>;

    /// Throws PolicyError where it cannot be started.
    explicit PolicyProcess(ProgramCommand const& command);
    ~PolicyProcess();
    PolicyProcess(PolicyProcess const&) = delete;

    /// Sends bytes and reads a line of at most `most` characters, without its end. Throws
    /// PolicyError with the program's last words where it ends, takes longer than its timeout, or
    /// writes a longer line; Aborted where `stop_asked` says so.
    std::string ask_line(std::string_view bytes, std::size_t most, StopAsked const& stop_asked);
    /// Sends bytes and reads `size` bytes.
    std::string ask_bytes(std::string_view bytes, std::size_t size, StopAsked const& stop_asked);

    /// Throws PolicyError: what it did, and its last words.
    [[noreturn]] void fail(std::string const& what);

    struct Aborted
    {
    };

  private:
    template <class Done>
    void exchange(std::string_view bytes, Done done, StopAsked const& stop_asked);
    void read_from(int file, std::string& into, std::size_t keep);
    std::string how_it_ended();

    std::string name_; ///< "program python3"
    double timeout_;
    pid_t pid_ = -1;
    int to_ = -1, from_ = -1, errors_ = -1;
    std::string received_, words_; ///< not yet read; the end of its standard error
};

} // namespace crx
