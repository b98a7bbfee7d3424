#include "host/mpi/messages.hh"

#include "host/mpi/pack.hh"

#include <fmt/core.h>

namespace crx {

namespace {

// Each message's parts in order, for writing and for reading: `each` is called with all of them.
template <class Each>
void parts(BeginRun& m, Each each)
{
    each(m.program, m.arguments, m.name, m.text, m.folder, m.overrides, m.backend, m.threads,
         m.chunk_seconds);
}
template <class Each>
void parts(RunChunk& m, Each each)
{
    each(m.number, m.sweep, m.coordinates, m.identity, m.range, m.missing);
}
template <class Each>
void parts(StopChunks&, Each)
{
}
template <class Each>
void parts(EndRun&, Each)
{
}
template <class Each>
void parts(RankReady& m, Each each)
{
    each(m.refusal, m.host, m.device, m.threads, m.chunks_at_once);
}
template <class Each>
void parts(ChunkEnded& m, Each each)
{
    each(m.number, m.sums.count, m.sums.engines, m.seconds, m.failure);
}
template <class Each>
void parts(SignalAsked& m, Each each)
{
    each(m.signal);
}
template <class Each>
void parts(StillThere&, Each)
{
}

template <class Each>
void parts(RankLeft&, Each)
{
}

// Sums, whose parts are no plain values.
void put(Packer& to, ChunkResult const& sums)
{
    to.put(sums.tally.size());
    for (auto const& policy : sums.tally) {
        to.put(policy.sums);
        for (auto const& histogram : policy.histogram) to.put(histogram);
    }
    to.put(sums.paths.size());
    for (auto const& policy : sums.paths) {
        to.put(policy.size());
        for (auto const& path : policy) {
            to.put(path.path);
            to.put(path.tallies);
            to.put(path.types);
        }
    }
}

void get(Unpacker& from, ChunkResult& sums)
{
    sums.tally.resize(from.get<std::size_t>());
    for (auto& policy : sums.tally) {
        from.get(policy.sums);
        for (auto& histogram : policy.histogram) from.get(histogram);
    }
    sums.paths.resize(from.get<std::size_t>());
    for (auto& policy : sums.paths) {
        policy.resize(from.get<std::size_t>());
        for (auto& path : policy) {
            from.get(path.path);
            from.get(path.tallies);
            from.get(path.types);
        }
    }
}

template <class Message>
void put_message(Packer& to, Message const& message)
{
    auto copy = message;
    parts(copy, [&](auto const&... each) { (to.put(each), ...); });
    if constexpr (std::is_same_v<Message, ChunkEnded>) put(to, message.sums);
}

template <std::size_t Kind = 0>
RankMessage get_message(std::size_t kind, Unpacker& from)
{
    if constexpr (Kind == std::variant_size_v<RankMessage>) {
        throw std::runtime_error(fmt::format("a rank sent a message of unknown kind {}", kind));
    } else {
        if (kind != Kind) return get_message<Kind + 1>(kind, from);
        std::variant_alternative_t<Kind, RankMessage> message;
        parts(message, [&](auto&... each) { (from.get(each), ...); });
        if constexpr (std::is_same_v<decltype(message), ChunkEnded>) get(from, message.sums);
        return message;
    }
}

} // namespace

std::string to_bytes(RankMessage const& message)
{
    Packer to;
    to.put(message.index());
    std::visit([&](auto const& one) { put_message(to, one); }, message);
    return std::move(to).bytes();
}

RankMessage parse_message(std::string const& bytes)
{
    Unpacker from(bytes);
    auto const kind = from.get<std::size_t>();
    return get_message(kind, from);
}

} // namespace crx
