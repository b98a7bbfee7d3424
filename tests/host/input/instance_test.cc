#include "host/input/trace.hh"

#include "host/error.hh"
#include "scratch_file.hh"

#include <gtest/gtest.h>

namespace crx {

namespace {

std::vector<Request> read(std::string const& content)
{
    ScratchFile const file(content);
    return read_trace(file.path()).requests;
}

std::string error_of(std::string const& content)
{
    ScratchFile const file(content);
    try {
        read_trace(file.path());
    } catch (InputError const& error) {
        return without_path(error.what(), file.path());
    }
    return {};
}

TEST(Instance, ReadsEveryColumnInAnyOrder)
{
    auto const requests = read("upper,id,arrival,lower,output,prompt\n9,a,5,2,4,3\n7,b,0,7,7,0\n");
    ASSERT_EQ(requests.size(), 2u);
    EXPECT_EQ(requests[0].id, "a");
    EXPECT_EQ(requests[0].arrival, 5);
    EXPECT_EQ(requests[0].prompt, 3);
    EXPECT_EQ(requests[0].output, 4);
    EXPECT_EQ(requests[0].lower, 2);
    EXPECT_EQ(requests[0].upper, 9);
    EXPECT_EQ(requests[0].line, 2);
    EXPECT_EQ(requests[1].id, "b");
}

TEST(Instance, TwoColumnsForOneLengthMayDisagree)
{
    EXPECT_EQ(error_of("prompt,output,num_decode_tokens\n1,2,3\n"),
              "FILE:1: two columns for the output: output and num_decode_tokens");
}

TEST(Instance, DefaultsAreRowNumberZeroAndOutput)
{
    auto const requests = read("prompt,output\n3,4\n0,7\n");
    ASSERT_EQ(requests.size(), 2u);
    EXPECT_EQ(requests[1].id, "1");
    EXPECT_EQ(requests[1].arrival, 0);
    EXPECT_EQ(requests[1].lower, 7);
    EXPECT_EQ(requests[1].upper, 7);
}

TEST(Instance, ReadsTracesByTheirOwnNames)
{
    EXPECT_EQ(read("num_prefill_tokens,num_decode_tokens,num_total_tokens,pd_ratio\n3,4,7,0.75\n")
                  .at(0)
                  .output,
              4);
    EXPECT_EQ(read("question_length,answer_length\n24,10\n").at(0).prompt, 24);
    EXPECT_EQ(
        read("arrived_at,num_prefill_tokens,num_decode_tokens\n4.314579,396,109\n").at(0).arrival,
        4'314'579'000);
}

TEST(Instance, TimesUnderTheAffineClock)
{
    auto const arrivals = [](std::string const& content) {
        ScratchFile const file(content);
        std::vector<Rounds> times;
        TraceReading reading;
        reading.latest_arrival = 4'000'000'000'000'000'000;
        for (auto const& r : read_trace(file.path(), reading).requests) times.push_back(r.arrival);
        return times;
    };
    EXPECT_EQ(arrivals("arrived_at,prompt,output\n4.314579,3,1\n0,3,1\n"),
              (std::vector<Rounds>{4'314'579'000, 0}));
    EXPECT_EQ(arrivals("arrival,prompt,output\n4000000000000000000,3,1\n"),
              (std::vector<Rounds>{4'000'000'000'000'000'000}));
    EXPECT_THROW(arrivals("arrived_at,prompt,output\n-1,3,1\n"), InputError);
    EXPECT_THROW(arrivals("arrival,arrived_at,prompt,output\n1,1,3,1\n"), InputError);
}

TEST(Instance, TakesCrlfByteOrderMarkQuotesAndBlankLastLines)
{
    auto const requests =
        read("\xEF\xBB\xBFid,\"prompt\",output\r\n\"a, \"\"b\"\"\",3, 4 \r\nc,\"5\",6\r\n\r\n\n");
    ASSERT_EQ(requests.size(), 2u);
    EXPECT_EQ(requests[0].id, "a, \"b\"");
    EXPECT_EQ(requests[0].output, 4);
    EXPECT_EQ(requests[1].prompt, 5);
    EXPECT_EQ(read("prompt,output\n1,2").size(), 1u); // no newline at the end
}

TEST(Instance, ErrorsNameFileLineAndField)
{
    std::pair<std::string, std::string> const answers[] = {
        {"", "FILE: the file is empty; it needs a header line"},
        {"prompt,output\n", "FILE: no request after the header"},
        {"id,prompt\na,1\n",
         "FILE:1: no column is known to be the output; the columns are: id, prompt\n  name it: "
         "--columns output=COLUMN (in an experiment prompt = \"COLUMN\", output = \"COLUMN\")"},
        {"prompt,output,arival\n1,2,3\n",
         "FILE:1: unknown column \"arival\"; known are: arrival, id, lower, order, upper (did you "
         "mean arrival?)"},
        {"prompt,prompt,output\n1,2,3\n", "FILE:1: the header names column \"prompt\" twice"},
        {"prompt,output\n1,2\n3\n", "FILE:3: the row has 1 fields, the header has 2"},
        {"prompt,output\n1,2,3\n", "FILE:2: the row has 3 fields, the header has 2"},
        {"prompt,output\n1,x\n", "FILE:2: output = \"x\" is not an integer in [0, 2147483647]"},
        {"prompt,output\n1,\n", "FILE:2: output = \"\" is not an integer in [0, 2147483647]"},
        {"prompt,output\n1,2.0\n", "FILE:2: output = \"2.0\" is not an integer in [0, 2147483647]"},
        {"prompt,output\n1,0\n", "FILE: no row with a prompt and an output"},
        {"prompt,output\n-1,2\n", "FILE:2: prompt = \"-1\" is not an integer in [0, 2147483647]"},
        {"prompt,output\n1,99999999999999999999\n",
         "FILE:2: output = \"99999999999999999999\" is not an integer in [0, 2147483647]"},
        {"prompt,output,arrival\n1,2,-1\n",
         "FILE:2: arrival = \"-1\" is not an integer in [0, 1000000000000]"},
        {"prompt,output,lower\n1,2,3\n", "FILE:2: lower = \"3\" is not an integer in [1, 2]"},
        {"prompt,output,upper\n1,2,1\n",
         "FILE:2: upper = \"1\" is not an integer in [2, 2147483647]"},
        {"prompt,output\n1,2\n\n3,4\n", "FILE:3: an empty line before the end of the file"},
        {"prompt,output\n\"1,2\n", "FILE:2: a quoted field does not end on its line"},
        {"prompt,output\n\"1\"x,2\n", "FILE:2: text after the closing quote of a field"},
        {"prompt,output\n1\"1,2\n",
         "FILE:2: a quote inside the field \"1\"1\" that has none around it"},
        {"id,prompt,output\na,1,2\nb,1,2\na,1,2\nb,1,2\n",
         "FILE:4: id a was given before, on line 2"},
        {"id,prompt,output\n,1,2\n", "FILE:2: the id is empty"},
        {std::string("prompt,output\n1,2\0\n", 18),
         "FILE:2: holds a NUL byte; this is not a text file"},
        {"prompt,output\n" + std::string(65537, '1') + "\n",
         "FILE:2: the line is longer than 65536 bytes"},
    };
    for (auto const& [content, answer] : answers)
        EXPECT_EQ(error_of(content), answer) << content.substr(0, 100);
}

TEST(Instance, MissingFilesAndDirectoriesSayWhy)
{
    auto const error = [](std::filesystem::path const& file) -> std::string {
        try {
            read_trace(file);
        } catch (InputError const& refused) {
            return refused.what();
        }
        return {};
    };
    EXPECT_EQ(error("/nowhere.csv"), "/nowhere.csv: cannot be read: No such file or directory");
    EXPECT_EQ(error("/tmp"), "/tmp: cannot be read: is a directory");
}

TEST(Instance, AnEndlessLineIsRefusedAtOnce)
{
    // Two gigabytes without a newline, as a file with a hole: read whole, this would take seconds
    // and 2 GB; NUL bytes beyond the limit are never looked at.
    ScratchFile const file("prompt,output\n");
    std::filesystem::resize_file(file.path(), std::uintmax_t{2} << 30);
    try {
        read_trace(file.path());
        FAIL() << "accepted";
    } catch (InputError const& error) {
        EXPECT_EQ(without_path(error.what(), file.path()),
                  "FILE:2: the line is longer than 65536 bytes");
    }
}

TEST(Instance, LinesMayStandAnywhereInTheBlocksRead)
{
    // Line lengths that share no factor with the block size cross every block's end.
    std::string content = "id,prompt,output\n";
    for (int i = 0; i < 30000; ++i)
        content += std::string(static_cast<std::size_t>(1 + i % 97), 'x') + std::to_string(i) +
                   "," + std::to_string(i) + ",7\n";
    auto const requests = read(content);
    ASSERT_EQ(requests.size(), 30000u);
    for (int i = 0; i < 30000; ++i) ASSERT_EQ(requests[static_cast<std::size_t>(i)].prompt, i);
}

TEST(CheckFits, NamesTheRequest)
{
    auto const requests = read("id,prompt,output,lower,upper\na,1,2,1,3\nb,12,90,80,95\n");
    auto const error = [&](Tokens memory, bool upper) -> std::string {
        try {
            check_fits(requests, "a.csv", memory, upper);
        } catch (InputError const& refused) {
            return refused.what();
        }
        return {};
    };
    EXPECT_EQ(error(100, false), "a.csv:3: request b: s + o = 12 + 90 = 102 exceeds M = 100");
    EXPECT_EQ(error(102, false), "");
    EXPECT_EQ(error(102, true), "a.csv:3: request b: s + u = 12 + 95 = 107 exceeds M = 102");
    EXPECT_EQ(error(107, true), "");
}

} // namespace

} // namespace crx
