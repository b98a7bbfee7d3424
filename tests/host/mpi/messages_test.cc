#include "host/mpi/messages.hh"
#include "tests/host/sweep/fake_experiment.hh"

/// What ranks send each other arrives as it was.
namespace crx_test {
namespace {

template <class Message>
Message sent(Message const& message)
{
    return std::get<Message>(parse_message(to_bytes(message)));
}

TEST(RankMessages, ARunArrivesAsItWas)
{
    BeginRun const run{"crx 1",     "crx sweep x", "x", "text\n", "/folder",
                       {"a=1", ""}, "cpu",         3,   0.25};
    auto const there = sent(run);
    EXPECT_EQ(there.program, run.program);
    EXPECT_EQ(there.arguments, run.arguments);
    EXPECT_EQ(there.name, run.name);
    EXPECT_EQ(there.text, run.text);
    EXPECT_EQ(there.folder, run.folder);
    EXPECT_EQ(there.overrides, run.overrides);
    EXPECT_EQ(there.backend, run.backend);
    EXPECT_EQ(there.threads, run.threads);
    EXPECT_EQ(there.chunk_seconds, run.chunk_seconds);
}

TEST(RankMessages, AChunkArrivesAsItWas)
{
    RunChunk const chunk{7, "alpha", {{"w", 0.1}, {"alpha", 3}}, "abc", {5, 9}, "{}"};
    auto const there = sent(chunk);
    EXPECT_EQ(there.number, 7);
    EXPECT_EQ(there.sweep, chunk.sweep);
    EXPECT_EQ(there.coordinates, chunk.coordinates);
    EXPECT_EQ(there.identity, chunk.identity);
    EXPECT_EQ(there.range, chunk.range);
    EXPECT_EQ(there.missing, chunk.missing);
}

TEST(RankMessages, SumsArriveAsTheyWere)
{
    auto const cell = fake_plan(30).make_cell("first", {{"alpha", 0.25}, {"w", 0.3}}).cell;
    ChunkEnded ended;
    ended.number = 3;
    ended.seconds = 1.5;
    ended.sums.count = 30;
    ended.sums.engines = {"one", ""};
    ended.sums.tally = fake_launch(cell, {10, 30});
    PathRecord path;
    path.path = 4;
    path.tallies.resize(2);
    path.tallies[1].arrivals = 12;
    path.types.resize(2);
    path.types[0].resize(3);
    path.types[0][2].completed = 5;
    ended.sums.paths = {{path}, {}};
    auto const there = sent(ended);
    EXPECT_EQ(there.number, 3);
    EXPECT_EQ(there.seconds, 1.5);
    EXPECT_EQ(there.failure, "");
    EXPECT_EQ(there.sums.count, 30);
    EXPECT_EQ(there.sums.engines, ended.sums.engines);
    EXPECT_EQ(there.sums.tally, ended.sums.tally);
    EXPECT_EQ(there.sums.paths, ended.sums.paths);
}

TEST(RankMessages, WhatIsCutOffOrUnknownIsRefused)
{
    auto const bytes = to_bytes(RankReady{"", "node", "gpu", 4, 4});
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_THROW(parse_message(bytes.substr(0, size)), std::runtime_error) << size;
    auto unknown = bytes;
    unknown[0] = 99;
    EXPECT_THROW(parse_message(unknown), std::runtime_error);
}

} // namespace
} // namespace crx_test
