#include "host/input/trace_rows.hh"

#include "host/error.hh"
#include "host/input/time_text.hh"
#include "scratch_file.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

namespace crx {

namespace {

constexpr std::int64_t second = 1'000'000'000;

Trace read(std::string const& content, TraceReading const& reading = {})
{
    ScratchFile const file(content);
    return read_trace(file.path(), reading);
}

std::string error_of(std::string const& content, TraceReading const& reading = {})
{
    ScratchFile const file(content);
    try {
        read_trace(file.path(), reading);
    } catch (InputError const& error) {
        return without_path(error.what(), file.path());
    }
    return "accepted";
}

std::vector<std::int64_t> arrivals(Trace const& trace)
{
    std::vector<std::int64_t> out;
    for (auto const& request : trace.requests) out.push_back(request.arrival);
    return out;
}

std::string gzip(std::string const& text)
{
    std::string out(text.size() + 100, '\0');
    z_stream state = {};
    deflateInit2(&state, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    state.avail_in = static_cast<uInt>(text.size());
    state.next_out = reinterpret_cast<Bytef*>(out.data());
    state.avail_out = static_cast<uInt>(out.size());
    deflate(&state, Z_FINISH);
    out.resize(state.total_out);
    deflateEnd(&state);
    return out;
}

std::string zstd(std::string const& text)
{
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
    return out;
}

// Columns and units as published, numbers invented.
constexpr char const* azure = "TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
                              "2023-11-16 18:15:46.6805900,374,44\r\n"
                              "2023-11-16 18:15:50.9951690,396,109\r\n";
constexpr char const* burstgpt = "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log "
                                 "Type\n5,ChatGPT,472,18,490,Conversation log\n120,GPT-4,300,0,300,"
                                 "API log\n121,ChatGPT,0,0,0,API log\n121.5,GPT-4,0,7,7,API log\n";
constexpr char const* mooncake =
    "{\"timestamp\": 27000, \"input_length\": 6758, \"output_length\": 500, \"hash_ids\": [0, 1]}\n"
    "{\"timestamp\": 27500, \"input_length\": 7322, \"output_length\": 490, \"hash_ids\": [0]}\n";
constexpr char const* qwen =
    "{\"chat_id\": 55, \"timestamp\": 0.114, \"input_length\": 389, \"output_length\": 132, "
    "\"hash_ids\": [1]}\n{\"chat_id\": 159, \"timestamp\": 61.114, \"input_length\": 521, "
    "\"output_length\": 132, \"hash_ids\": [1]}\n";

TEST(Trace, FormatsAreRecognisedByTheirColumns)
{
    auto const conversation = read(azure);
    EXPECT_EQ(conversation.format, "azure");
    EXPECT_EQ(arrivals(conversation), (std::vector<std::int64_t>{0, 4'314'579'000}));
    EXPECT_EQ(conversation.requests[1].prompt, 396);
    EXPECT_EQ(conversation.times_as, "dates without offsets");

    auto const calls = read(burstgpt);
    EXPECT_EQ(calls.format, "burstgpt");
    EXPECT_EQ(calls.rows, 4);
    EXPECT_EQ(calls.requests.size(), 1u);
    EXPECT_EQ(calls.left_out, (LeftOut{{"no output", 2}, {"no prompt", 1}}));
    EXPECT_EQ(calls.unused, (std::vector<std::string>{"Model", "Total tokens", "Log Type"}));

    EXPECT_EQ(arrivals(read(mooncake)), (std::vector<std::int64_t>{0, second / 2}));
    EXPECT_EQ(read(mooncake).format, "mooncake");
    EXPECT_EQ(arrivals(read(qwen)), (std::vector<std::int64_t>{0, 61 * second}));
    EXPECT_EQ(read(qwen).format, "qwen");
}

TEST(Trace, ArrivalsOfAnInstanceAreOfTheClock)
{
    auto const instance = read("prompt,output,arrival\n1,2,7\n");
    EXPECT_EQ(instance.times, TraceTimes::of_clock);
    EXPECT_EQ(instance.requests[0].arrival, 7);
    ScratchFile const file("x");
    EXPECT_NE(trace_line(instance, file.path())
                  .find("arrival is in rounds, on a clock in "
                        "nanoseconds"),
              std::string::npos);
}

// A prompt of no tokens is one of the model's; in a trace it is a call that failed.
TEST(Trace, ZeroPromptsCountInTheColumnPromptAlone)
{
    EXPECT_EQ(read("prompt,output\n1,2\n0,3\n4,0\n").requests.size(), 2u);
    auto const lengths = read("question_length,answer_length\n1,2\n0,3\n4,0\n5,6\n");
    EXPECT_EQ(lengths.requests.size(), 2u);
    EXPECT_EQ(lengths.requests[1].id, "3");
    EXPECT_EQ(lengths.left_out, (LeftOut{{"no output", 1}, {"no prompt", 1}}));
}

TEST(Trace, EveryFormIsOneTable)
{
    std::vector<std::int64_t> const times{0, 4'314'579'000};
    std::string tabs(azure), semicolons(azure);
    std::ranges::replace(tabs, ',', '\t');
    std::ranges::replace(semicolons, ',', ';');
    EXPECT_EQ(arrivals(read(tabs)), times);
    EXPECT_EQ(arrivals(read(semicolons)), times);
    EXPECT_EQ(arrivals(read("\xEF\xBB\xBF" + std::string(azure))), times);
    std::string const list = "[\n {\"ContextTokens\": 374, \"GeneratedTokens\": 44, \"TIMESTAMP\": "
                             "\"2023-11-16T18:15:46.68059Z\"},\n {\"GeneratedTokens\": 109, "
                             "\"TIMESTAMP\": \"2023-11-16 20:15:50.995169+02:00\", "
                             "\"ContextTokens\": 396}\n]\n";
    auto const from_list = read(list);
    EXPECT_EQ(arrivals(from_list), times);
    EXPECT_EQ(from_list.form, "JSON list");
    EXPECT_EQ(from_list.requests[1].prompt, 396);
    EXPECT_EQ(from_list.requests[1].line, 3);
    EXPECT_EQ(from_list.times_as, "dates with offsets from UTC");
    EXPECT_EQ(arrivals(read(gzip(azure))), times);
    EXPECT_EQ(arrivals(read(zstd(mooncake))), (std::vector<std::int64_t>{0, second / 2}));
    EXPECT_EQ(read(zstd(mooncake)).form, "JSON lines, zstd");
    // Members and frames one after the other are one file.
    EXPECT_EQ(read(gzip("prompt,output\n1,2\n") + gzip("3,4\n")).requests.size(), 2u);
    EXPECT_EQ(read(zstd("prompt,output\n1,2\n") + zstd("3,4\n")).requests.size(), 2u);
}

TEST(Trace, PackedFilesOfManyBlocks)
{
    std::string text = "prompt,output\n";
    for (int i = 1; i <= 200'000; ++i)
        text += std::to_string(i * 7919 % 100'003 + 1) + "," + std::to_string(i) + "\n";
    auto const plain = read(text), packed = read(gzip(text)), other = read(zstd(text));
    ASSERT_EQ(packed.requests.size(), 200'000u);
    ASSERT_EQ(other.requests.size(), 200'000u);
    for (std::size_t i = 0; i < plain.requests.size(); i += 997) {
        ASSERT_EQ(plain.requests[i].prompt, packed.requests[i].prompt);
        ASSERT_EQ(plain.requests[i].prompt, other.requests[i].prompt);
    }
}

TEST(Trace, ColumnsByNameAndTimesByUnit)
{
    std::string const text = "in,when,out\n5,100,7\n6,250,8\n";
    TraceReading reading;
    reading.prompt = "in";
    reading.output = "out";
    reading.arrival = "when";
    EXPECT_EQ(error_of(text, reading),
              "FILE: column when has times and no unit: in s: 150 s from first to last (0.006667 "
              "requests/s), in ms: 0.15 s from first to last (6.667 requests/s)\n  say which: "
              "--unit s or --unit ms (in an experiment unit = \"s\"), or --at-zero to leave times "
              "out");
    reading.unit = "ms";
    auto const trace = read(text, reading);
    EXPECT_EQ(arrivals(trace), (std::vector<std::int64_t>{0, 150'000'000}));
    EXPECT_EQ(trace.requests[0].prompt, 5);
    EXPECT_EQ(trace.requests[1].output, 8);
    reading.output = "ot";
    EXPECT_EQ(error_of(text, reading),
              "FILE:1: no column for the output (ot); the columns are: in, when, out (did you mean "
              "out?)");
    reading = {};
    reading.format = "mooncake";
    EXPECT_EQ(
        error_of(azure, reading),
        "FILE:1: no column for the prompt in format mooncake (input_length); the columns are: "
        "TIMESTAMP, ContextTokens, GeneratedTokens");
}

TEST(Trace, RowsOutOfOrderAreSortedForSweeps)
{
    ScratchFile const file("arrived_at,prompt,output\n3,30,1\n1,10,1\n2,20,1\n");
    auto const trace = read_trace(file.path());
    EXPECT_FALSE(trace.ascending);
    EXPECT_EQ(trace.requests[0].prompt, 30); // the file's order
    auto const rows = rows_of(trace, file.path());
    EXPECT_EQ(rows.prompt, (std::vector<std::int32_t>{10, 20, 30}));
    EXPECT_EQ(rows.arrival, (std::vector<std::int64_t>{second, 2 * second, 3 * second}));
    EXPECT_NE(rows.line.find("sorted by time"), std::string::npos);
}

TEST(Trace, WindowsOfRates)
{
    auto const trace = read("0,0,0,,0,0\n600,0.15,0.8,Gamma,1.5,0.4\n1200,0,0,,0,0\n");
    EXPECT_EQ(trace.format, "servegen");
    ASSERT_EQ(trace.windows.size(), 3u);
    EXPECT_EQ(trace.windows[1].begin, 600 * second);
    EXPECT_EQ(trace.windows[1].rate, 0.15);
    EXPECT_EQ(trace.windows[1].variation, 0.8);
    EXPECT_EQ(trace.span_seconds(), 1800);
}

TEST(Trace, SpoiltFilesAreRefusedWithTheirReason)
{
    std::string cut = gzip(azure);
    cut.resize(cut.size() - 6);
    std::string damaged = gzip(azure);
    damaged[damaged.size() / 2] ^= 0x55;
    std::string cut_frame = zstd(azure);
    cut_frame.resize(cut_frame.size() - 3);
    std::pair<std::string, std::string> const answers[] = {
        {"", "FILE: the file is empty; it needs a header line"},
        {"1,2\n3,4\n", "FILE:1: no header: the first line has numbers alone\n  a first line that "
                       "names the columns, as prompt,output, is needed"},
        {"{\"prompt\": 1, \"output\": 2}\n{\"prompt\": 1, \"output\": 2\n",
         "FILE:2: not a whole JSON object, and JSON lines have one object a line: parse error at "
         "line 1, column 26: syntax error while parsing object - unexpected end of input; expected "
         "'}'\n  one object over several lines is read in a list: [{..}, {..}]"},
        {"{\"prompt\": 1, \"output\": 2}\n[1, 2]\n",
         "FILE:2: not a whole JSON object, and JSON lines have one object a line: a list where an "
         "object is needed, as {\"prompt\": 5, \"output\": 9}\n  one object over several lines is "
         "read in a list: [{..}, {..}]"},
        {"{\"prompt\": 1, \"output\": 2, \"output\": 3}\n",
         "FILE:1: JSON lines: the object names \"output\" twice"},
        {"[{\"prompt\": 1, \"output\": 2}\n{\"prompt\": 1}]",
         "FILE:2: JSON list: a comma or ] after an object is needed, not \"{\""},
        {"[{\"prompt\": 1, \"output\": 2},\n{\"prompt\": 1",
         "FILE:2: JSON list: the file ends within an object"},
        {"[]", "FILE: the JSON list is empty"},
        {"{\"prompt\": 1, \"output\": 2}\n{\"prompt\": 1, \"output\": null}\n",
         "FILE:2: output = \"\" is not an integer in [0, 2147483647]"},
        {"prompt,output\n1,2\n{\"prompt\": 1}\n",
         "FILE:3: a JSON object in a CSV file, whose first line is no object"},
        {cut, "FILE: the gzip data end early: the file was cut off"},
        {cut_frame, "FILE: the zstd data end early: the file was cut off"},
        {"PK\x03\x04xxxxxxxxxxxxxxxxxxxx",
         "FILE: is a zip archive, as spreadsheets are too: unpack it, or save the table as CSV"},
        {"prompt,output\r3,2\r",
         "FILE:1: its lines end in carriage returns alone\n  tr '\\r' '\\n' "
         "makes lines of them"},
        {"# made by x\nprompt,output\n3,2\n",
         "FILE:1: begins with a comment, where the names of columns belong\n  grep -v '^#' leaves "
         "it out"},
        {std::string("\xFF\xFEp\0r\0", 6),
         "FILE: is UTF-16 text: write it as UTF-8 with iconv -f utf-16 -t utf-8"},
        {"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46,3,4\n5,3,4\n",
         "FILE:3: TIMESTAMP = \"5\" is not a date as 2023-11-16 18:15:46.5 (+00:00), as the first "
         "is"},
        {"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-02-29 18:15:46,3,4\n",
         "FILE:2: TIMESTAMP = \"2023-02-29 18:15:46\" is not a date as 2023-11-16 18:15:46.5 "
         "(+00:00), or a number"},
        {"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-02-28 18:15:46+00:00,3,4\n2023-02-28 "
         "18:15:47,3,4\n",
         "FILE:3: TIMESTAMP = \"2023-02-28 18:15:47\" is not a date with an offset from UTC, as "
         "the "
         "first is"},
    };
    for (auto const& [content, answer] : answers)
        EXPECT_EQ(error_of(content), answer) << content.substr(0, 100);
    EXPECT_TRUE(error_of(damaged).starts_with("FILE: the gzip data are damaged: "))
        << error_of(damaged);
}

TEST(TimeText, NumbersAreRoundedToTheNearestNanosecond)
{
    auto const s = TimeUnit::seconds;
    EXPECT_EQ(time_number("4.314579", s), 4'314'579'000);
    EXPECT_EQ(time_number("0.0000000005", s), 1);
    EXPECT_EQ(time_number("0.00000000049999", s), 0);
    EXPECT_EQ(time_number("0.9999999995", s), second);
    EXPECT_EQ(time_number("1.25e1", s), 12'500'000'000);
    EXPECT_EQ(time_number("1e-9", s), 1);
    EXPECT_EQ(time_number("27482", TimeUnit::milliseconds), 27'482'000'000);
    EXPECT_EQ(time_number("46926808", TimeUnit::nanoseconds), 46'926'808);
    EXPECT_EQ(time_number("0.5", TimeUnit::nanoseconds), 1);
    EXPECT_EQ(time_number("4000000000", s), last_nanosecond);
    EXPECT_EQ(time_number("1787267980.0827403", s), 1'787'267'980'082'740'300);
    for (auto const* wrong : {"", ".", "-1", "4000000000.1", "1e300", "1e", "nan", "0x1", "1,5"})
        EXPECT_FALSE(time_number(wrong, s)) << wrong;
}

TEST(TimeText, DatesByTheCalendar)
{
    EXPECT_EQ(date_time("1970-01-01 00:00:00")->nanoseconds, 0);
    EXPECT_EQ(date_time("2000-03-01T00:00:00Z")->nanoseconds, 951'868'800 * second);
    EXPECT_EQ(date_time("2024-02-29 23:59:59.5+01:30")->nanoseconds, 1'709'245'799'500'000'000);
    EXPECT_EQ(date_time("2024-05-10 00:00:00+0000")->nanoseconds,
              date_time("2024-05-09 19:00:00-05")->nanoseconds);
    EXPECT_FALSE(date_time("2024-05-10 00:00:00")->has_offset);
    for (auto const* wrong : {"2023-02-29 00:00:00", "2023-13-01 00:00:00", "2023-01-01",
                              "2023-01-01 24:00:00", "2023-01-01 00:00:00+", "2023-1-1 00:00:00"})
        EXPECT_FALSE(date_time(wrong)) << wrong;
}

TEST(Trace, HashTellsLengthsApart)
{
    auto const hash = [](std::string const& content) {
        ScratchFile const file(content);
        return rows_of(read_trace(file.path()), file.path()).hash;
    };
    EXPECT_NE(hash("prompt,output\n1,2\n"), hash("prompt,output\n2,1\n"));
    EXPECT_EQ(hash("prompt,output\n1,2\n"), hash("output,prompt\n2,1\n"));
}

TEST(Trace, PublishedFilesHaveTheRowsThatAreSaidOfThem)
{
    auto const folder = std::filesystem::path(CRX_SOURCE_DIR) / "../shared/data";
    if (!std::filesystem::exists(folder / "lmsys_lengths_sample.csv"))
        GTEST_SKIP() << "no trace data in " << folder.lexically_normal();
    auto const lmsys = read_trace(folder / "lmsys_lengths_sample.csv");
    EXPECT_EQ(lmsys.rows, 100000);
    EXPECT_EQ(lmsys.requests.size(), 100000u - 151u);
    EXPECT_EQ(read_trace(folder / "arxiv_summarization.csv").requests.size(), 28257u);
    EXPECT_EQ(read_trace(folder / "azure_conv_2023.csv").requests.size(), 19366u);
}

TEST(Trace, SamplesOfPublishedTracesAreReadWithoutAnOption)
{
    auto const folder = std::filesystem::path(CRX_SOURCE_DIR) / "../shared/data/samples";
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << "no samples in " << folder.lexically_normal();
    struct Sample
    {
        char const *file, *format;
        std::int64_t rows, used;
        double span;
    };
    for (auto const& sample : std::initializer_list<Sample>{
             {"azure2023_conv_600.csv", "azure", 599, 599, 147.995623},
             {"handmade_azure2024_offset_times.csv", "azure", 4, 4, 777'599.99546},
             {"handmade_burstgpt1_6columns.csv", "burstgpt", 5, 3, 113},
             {"handmade_burstgpt3_8columns.csv", "burstgpt", 5, 3, 113},
             {"handmade_qwen_bailian.jsonl", "qwen", 2, 2, 61},
             {"llmservingsim_example.jsonl", "llmservingsim", 10, 10, 0},
             {"mooncake_conversation_500.jsonl", "mooncake", 347, 347, 0},
             {"servegen_r1_chunk52_trace.csv", "servegen", 144, 0, 86'400},
             {"splitwise_sim_test.csv", "splitwise", 3, 3, 3},
             {"vllm_rtx4090_requests.jsonl", "vllm", 300, 300, 0}}) {
        auto const trace = read_trace(folder / sample.file);
        EXPECT_EQ(trace.format, sample.format) << sample.file;
        EXPECT_EQ(trace.rows, sample.rows) << sample.file;
        EXPECT_EQ(static_cast<std::int64_t>(trace.requests.size()), sample.used) << sample.file;
        if (sample.span > 0) EXPECT_NEAR(trace.span_seconds(), sample.span, 1e-6) << sample.file;
    }
}

} // namespace

} // namespace crx
