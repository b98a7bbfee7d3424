#include "host/commands/serve/channel.hh"

#include "host/error.hh"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace crx::serve {

namespace {

std::atomic<bool> interrupted = false;

void write_bytes(void const* from, std::size_t bytes)
{
    auto const* at = static_cast<char const*>(from);
    while (bytes > 0) {
        auto const written = ::write(STDOUT_FILENO, at, bytes);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) throw RunError("serve: the other end of standard output is gone");
        at += written;
        bytes -= static_cast<std::size_t>(written);
    }
}

/// Arrays that a line announces: a list of {"name", "type", "length"}.
std::vector<Array> announced(Json const& head)
{
    std::vector<Array> arrays;
    if (!head.is_object() || !head.contains("arrays")) return arrays;
    try {
        for (auto const& array : head.at("arrays")) {
            auto const length = array.at("length").get<std::int64_t>();
            if (length < 0 || length > (std::int64_t{1} << 32))
                throw InputError("serve: an array of length " + std::to_string(length));
            auto const n = static_cast<std::size_t>(length);
            auto const type = array.at("type").get<std::string>();
            auto name = array.at("name").get<std::string>();
            if (type == "int32")
                arrays.push_back({std::move(name), Lengths(n)});
            else if (type == "int64")
                arrays.push_back({std::move(name), Times(n)});
            else
                throw InputError("serve: an array of type " + type +
                                 "\n  not accepted: must be int32 or int64");
        }
    } catch (Json::exception const& error) {
        throw InputError(std::string("serve: arrays: ") + reason_of(error));
    }
    return arrays;
}

template <class Values>
Values& values_of(Message& message, std::string const& name)
{
    for (auto& array : message.arrays)
        if (array.name == name)
            if (auto* values = std::get_if<Values>(&array.values)) return *values;
    throw InputError("serve: there is no array " + name + " of " +
                     (std::is_same_v<Values, Lengths> ? "int32" : "int64"));
}

} // namespace

bool stop_asked() { return interrupted.load(std::memory_order_relaxed); }
void clear_stop() { interrupted = false; }
void watch_interrupts()
{
    struct sigaction action = {};
    action.sa_handler = [](int) { interrupted = true; };
    ::sigaction(SIGINT, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

bool Message::has(std::string const& name) const
{
    return std::ranges::any_of(arrays, [&](auto const& array) { return array.name == name; });
}
Lengths& Message::lengths(std::string const& name) { return values_of<Lengths>(*this, name); }
Times& Message::times(std::string const& name) { return values_of<Times>(*this, name); }

bool Channel::fill()
{
    for (;;) {
        auto const got = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        begin_ = 0;
        end_ = static_cast<std::size_t>(got);
        return true;
    }
}

bool Channel::read_bytes(void* to, std::size_t bytes)
{
    auto* at = static_cast<char*>(to);
    auto const here = std::min(bytes, end_ - begin_);
    std::memcpy(at, buffer_.data() + begin_, here);
    begin_ += here;
    at += here;
    bytes -= here;
    while (bytes > 0) { // past the buffer, where the numbers belong
        auto const got = ::read(STDIN_FILENO, at, bytes);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        bytes -= static_cast<std::size_t>(got);
    }
    return true;
}

std::optional<Message> Channel::read()
{
    std::string line;
    for (;;) {
        if (begin_ == end_ && !fill()) return std::nullopt;
        auto const* const first = buffer_.data() + begin_;
        auto const* const newline =
            static_cast<char const*>(std::memchr(first, '\n', end_ - begin_));
        auto const length =
            newline == nullptr ? end_ - begin_ : static_cast<std::size_t>(newline - first);
        line.append(first, length);
        begin_ += length + (newline == nullptr ? 0 : 1);
        if (newline != nullptr) break;
    }
    Message message;
    try {
        message.head = Json::parse(line);
    } catch (Json::exception const& error) {
        throw InputError(std::string("serve: not a line of JSON: ") + reason_of(error));
    }
    message.arrays = announced(message.head);
    for (auto& array : message.arrays) {
        bool const whole = std::visit(
            [&](auto& values) {
                return read_bytes(values.data(), values.size() * sizeof(values[0]));
            },
            array.values);
        if (!whole) return std::nullopt;
    }
    return message;
}

void Channel::write(Json head, std::vector<Array> const& arrays)
{
    for (auto const& array : arrays)
        std::visit(
            [&](auto const& values) {
                head["arrays"].push_back({{"name", array.name},
                                          {"type", sizeof(values[0]) == 4 ? "int32" : "int64"},
                                          {"length", values.size()}});
            },
            array.values);
    // One call of the system for a small answer.
    auto text = head.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    constexpr std::size_t small = 1 << 16;
    for (auto const& array : arrays)
        std::visit(
            [&](auto const& values) {
                auto const bytes = values.size() * sizeof(values[0]);
                if (text.size() + bytes <= small) {
                    text.append(reinterpret_cast<char const*>(values.data()), bytes);
                } else {
                    write_bytes(text.data(), text.size());
                    text.clear();
                    write_bytes(values.data(), bytes);
                }
            },
            array.values);
    write_bytes(text.data(), text.size());
}

Message Channel::ask(Json head, std::vector<Array> const& arrays)
{
    std::lock_guard const lock(mutex_);
    write(std::move(head), arrays);
    auto answer = read();
    if (!answer) throw RunError("serve: the other end of standard input is gone");
    if (answer->head.contains("error")) {
        auto const& words = answer->head["error"];
        throw PolicyError(words.is_string() ? words.get<std::string>() : words.dump());
    }
    return std::move(*answer);
}

} // namespace crx::serve
