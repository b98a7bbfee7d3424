#pragma once

#include "host/commands/serve/channel.hh"
#include "host/error.hh"
#include "host/experiment/own_order.hh"
#include "host/simulate/run_report.hh"
#include "host/simulate/simulate.hh"

namespace crx::serve {

/// What a call gives: the object `result` of its answer and the arrays behind it.
struct Answer
{
    Json result;
    std::vector<Array> arrays = {};
};

// Each is one call of docs/protocol.md#the-protocol. They throw InputError, ConfigError and
// RunError with the words of the program.

Answer simulate(Message& request);
Answer baseline(Message& request);
Answer replay(Message& request, Channel& channel);
Answer sweep(Message& request, Channel& channel);
Answer search(Message& request, Channel& channel);

/// A value of the request, or `otherwise` where it has none. Throws InputError where it is of
/// another type.
template <class Value>
Value value_or(Json const& head, char const* key, Value otherwise)
{
    if (!head.contains(key) || head[key].is_null()) return otherwise;
    try {
        return head[key].get<Value>();
    } catch (Json::exception const& error) {
        throw InputError(std::string("serve: ") + key + ": " + reason_of(error));
    }
}

/// A policy of the other side's: its order of an instance is asked for.
OrderFunction asked_order(Channel& channel, std::string label);
/// Likewise its decisions.
DecideFunction asked_decisions(Channel& channel, std::string label);
/// Those of the key "own".
OwnOrders asked_orders(Channel& channel, Json const& head);

/// Joins the arrays that runs have one after the other.
class RunArrays
{
  public:
    RunArrays(Json const& head);
    /// Adds a run's arrays and gives its object. `id` is that of the policy.
    Json add(RunSubject const& subject, std::string const& id, bool all_at_zero,
             SingleRun const& run);
    Answer answer(Json runs);

  private:
    bool detail_, timeline_, attempts_;
    Times start_, completion_, first_token_, timeline_rows_, attempt_rows_;
    Times timeline_lengths_, attempt_lengths_;
    Lengths cancelled_;
};

/// The arrays of an instance.
void add_instance(OwnedInstance const& instance, Answer& answer);

} // namespace crx::serve
