#include "host/build_info.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/commands/serve/calls.hh"
#include "host/error.hh"
#include "host/say.hh"
#include "host/simulate/theory_values.hh"
#include "host/sweep/interrupt.hh"

#include <csignal>

namespace crx {

namespace serve {

namespace {

/// A number is a list of one.
CurveLists curve_lists_of(Json const& head)
{
    CurveLists lists;
    auto const at = value_or(head, "at", Json::object());
    for (auto const& [name, value] : at.items())
        lists[name] = value.is_array() ? value.get<std::vector<double>>()
                                       : std::vector{value_or(at, name.c_str(), 0.0)};
    return lists;
}

Answer called(Message& request, Channel& channel)
{
    auto const call = value_or(request.head, "call", std::string());
    if (call == "simulate") return simulate(request);
    if (call == "baseline") return baseline(request);
    if (call == "replay") return replay(request, channel);
    if (call == "sweep") return sweep(request, channel);
    if (call == "search") return search(request, channel);
    if (call == "bounds")
        return {curve_lists(value_or(request.head, "curves", std::vector<std::string>{}),
                            curve_lists_of(request.head))};
    if (call == "version") return {{{"text", build_text()}, {"protocol", 1}}};
    throw InputError("serve: call = " + call +
                     "\n  not accepted: must be one of simulate, baseline, replay, sweep, search, "
                     "bounds, version");
}

Json failure(char const* kind, int status, char const* text)
{
    return {{"ok", false}, {"error", kind}, {"status", status}, {"text", text}};
}

/// One call, and what became of it.
void answer_one(Message& request, Channel& channel, Json& messages)
{
    Json head;
    std::vector<Array> arrays;
    try {
        auto answer = called(request, channel);
        head = {{"ok", true}, {"result", std::move(answer.result)}};
        arrays = std::move(answer.arrays);
    } catch (ConfigError const& error) {
        head = failure("config", exit_bad_input, error.what());
    } catch (InputError const& error) {
        head = failure("input", exit_bad_input, error.what());
    } catch (Stopped const& error) {
        head = failure("stopped", exit_signalled + SIGINT, error.what());
    } catch (std::bad_alloc const&) {
        head = failure("run", exit_run_failed, "there is not enough memory here");
    } catch (std::exception const& error) {
        head = failure("run", exit_run_failed, reason_of(error));
    }
    if (!messages.empty()) head["messages"] = std::move(messages);
    channel.write(std::move(head), arrays);
}

} // namespace

void run_serve()
{
    watch_interrupts();
    Channel channel;
    for (;;) {
        try {
            auto request = channel.read();
            if (!request) return;
            clear_stop();
            auto messages = Json::array();
            // How far a sweep is goes to standard error as ever.
            if (value_or(request->head, "call", std::string()) != "sweep")
                set_error_sink([&](std::string const& text) { messages.push_back(text); });
            answer_one(*request, channel, messages);
            set_error_sink({});
        } catch (InputError const& error) {
            channel.write(failure("usage", exit_bad_input, error.what()), {});
            return;
        }
    }
}

} // namespace serve

void add_serve_command(CLI::App& app)
{
    Command const command(app, "serve",
                          "Answer calls over standard input and output, for the Python package");
    command->footer("The protocol: docs/protocol.md#the-protocol.\n"
                    "Example: echo '{\"call\":\"version\"}' | crx serve");
    command->callback(serve::run_serve);
}

} // namespace crx
