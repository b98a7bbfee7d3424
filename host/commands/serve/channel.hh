#pragma once

#include "kernels/model/clock.cuh"

#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace crx::serve {

using Json = nlohmann::ordered_json;
using Lengths = std::vector<std::int32_t>;
using Times = std::vector<std::int64_t>;

/// Numbers that follow a line of JSON, by name.
struct Array
{
    std::string name;
    std::variant<Lengths, Times> values;
};

/// A line of JSON and the arrays behind it, whose names, types and lengths stand in the line.
struct Message
{
    Json head;
    std::vector<Array> arrays;

    bool has(std::string const& name) const;
    /// Contract: none. Throws InputError where it is not there or of the other type.
    Lengths& lengths(std::string const& name);
    Times& times(std::string const& name);
};

/// The program's end of the pipes (docs/protocol.md#the-protocol).
class Channel
{
  public:
    /// The next message; none at the end of the input. Throws InputError for a line that is not
    /// JSON or does not describe its arrays, after which nothing more can be read.
    std::optional<Message> read();
    void write(Json head, std::vector<Array> const& arrays);
    /// Asks the other side something in the middle of a call and gives its answer. From any
    /// thread. Throws RunError with the other side's words where it answers with an error, or
    /// where it is gone.
    Message ask(Json head, std::vector<Array> const& arrays);

  private:
    bool fill();
    bool read_bytes(void* to, std::size_t bytes);

    std::mutex mutex_;
    std::vector<char> buffer_ = std::vector<char>(1 << 16);
    std::size_t begin_ = 0, end_ = 0;
};

/// Set by SIGINT; cleared when a request begins.
bool stop_asked();
void clear_stop();
/// From now on SIGINT sets it and does nothing else.
void watch_interrupts();

} // namespace crx::serve
