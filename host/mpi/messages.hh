#pragma once

#include "host/sweep/remote_workers.hh"

#include <string>
#include <variant>
#include <vector>

namespace crx {

/// What rank 0 sends first: the run that all are part of.
struct BeginRun
{
    std::string program;            ///< build_text(): ranks must run one program
    std::string arguments;          ///< of the command line, which must be the same
    std::string name, text, folder; ///< of the experiment, as StoreHeader has them
    std::vector<std::string> overrides;
    std::string backend; ///< as rank 0 runs: "cpu" or "cuda"
    int threads = 0;     ///< a rank; 0: its processors
    double chunk_seconds = 0;
};

/// A chunk to run.
struct RunChunk
{
    std::int64_t number = 0; ///< names it in the answer
    std::string sweep;
    Coordinates coordinates;
    std::string identity; ///< hash of the cell's
    InstanceRange range;
    std::string missing; ///< holdings_text of the sums that are to be made; empty: all
};

/// Ends the chunks that run: what they have by then is sent.
struct StopChunks
{
};

/// The last message of rank 0.
struct EndRun
{
};

/// The answer to BeginRun.
struct RankReady
{
    std::string refusal; ///< why the rank cannot take part; empty: it does
    std::string host;    ///< the machine's name
    std::string device;  ///< the GPU; empty: the CPU
    int threads = 0;
    int chunks_at_once = 0;
};

/// The answer to RunChunk.
struct ChunkEnded
{
    std::int64_t number = 0;
    ChunkResult sums;
    double seconds = 0;
    std::string failure; ///< why there are no sums; empty: there are
};

/// A signal asked the rank to stop.
struct SignalAsked
{
    int signal = 0;
};

/// Sent every two seconds, so that rank 0 notices a rank that is gone.
struct StillThere
{
};

/// The last message of a rank, after EndRun.
struct RankLeft
{
};

using RankMessage = std::variant<BeginRun, RunChunk, StopChunks, EndRun, RankReady, ChunkEnded,
                                 SignalAsked, StillThere, RankLeft>;

std::string to_bytes(RankMessage const& message);
/// Throws std::runtime_error where the bytes are no message.
RankMessage parse_message(std::string const& bytes);

} // namespace crx
