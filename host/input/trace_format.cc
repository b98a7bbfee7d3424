#include "host/input/trace_format.hh"

#include <algorithm>

namespace crx {

std::vector<TraceFormat> const& trace_formats()
{
    static std::vector<TraceFormat> const formats{
        {"azure",
         "Azure LLM inference traces 2023 and 2024",
         "ContextTokens",
         "GeneratedTokens",
         "TIMESTAMP",
         TimesAs::dates,
         true,
         {},
         {}},
        {"burstgpt",
         "BurstGPT",
         "Request tokens",
         "Response tokens",
         "Timestamp",
         TimesAs::seconds,
         true,
         {},
         {}},
        {"llmservingsim",
         "workloads of LLMServingSim",
         "input_toks",
         "output_toks",
         "arrival_time_ns",
         TimesAs::nanoseconds,
         true,
         {},
         {}},
        {"mooncake",
         "Mooncake (FAST 25)",
         "input_length",
         "output_length",
         "timestamp",
         TimesAs::milliseconds,
         true,
         {"hash_ids"},
         {"chat_id"}},
        {"qwen",
         "Qwen Bailian usage traces",
         "input_length",
         "output_length",
         "timestamp",
         TimesAs::seconds,
         true,
         {"chat_id"},
         {}},
        {"splitwise",
         "traces of splitwise-sim",
         "prompt_size",
         "token_size",
         "arrival_timestamp",
         TimesAs::seconds,
         true,
         {},
         {}},
        {"vidur",
         "processed traces of Vidur",
         "num_prefill_tokens",
         "num_decode_tokens",
         "arrived_at",
         TimesAs::seconds,
         false,
         {},
         {}},
        {"vllm",
         "requests measured on vLLM",
         "input_toks",
         "output_toks",
         "arrival_time",
         TimesAs::seconds,
         true,
         {"first_token_ts", "last_token_ts"},
         {}},
    };
    return formats;
}

std::vector<std::string> trace_format_names()
{
    std::vector<std::string> names{rate_windows_format};
    for (auto const& format : trace_formats()) names.push_back(format.name);
    std::ranges::sort(names);
    return names;
}

TraceFormat const* trace_format_named(std::string const& name)
{
    for (auto const& format : trace_formats())
        if (format.name == name) return &format;
    return nullptr;
}

TraceFormat const* recognised_format(TableReader const& table)
{
    auto const has = [&](std::string const& name) { return table.find_column({name}).has_value(); };
    for (auto const& format : trace_formats())
        if (has(format.prompt) && has(format.output) &&
            (!format.always_timed || has(format.arrival)) &&
            std::ranges::all_of(format.also, has) && std::ranges::none_of(format.never, has))
            return &format;
    return nullptr;
}

std::vector<std::string> const& prompt_columns()
{
    static std::vector<std::string> const names{
        "prompt",         "num_prefill_tokens", "question_length", "ContextTokens",
        "Request tokens", "input_length",       "input_toks",      "prompt_size",
        "prompt_tokens",  "input_tokens",       "prompt_len",      "input_len"};
    return names;
}

std::vector<std::string> const& output_columns()
{
    static std::vector<std::string> const names{
        "output",          "num_decode_tokens", "answer_length", "GeneratedTokens",
        "Response tokens", "output_length",     "output_toks",   "token_size",
        "output_tokens",   "completion_tokens", "output_len",    "generated_tokens"};
    return names;
}

std::vector<std::string> const& time_columns()
{
    static std::vector<std::string> const names{"arrived_at",        "timestamp",    "Timestamp",
                                                "TIMESTAMP",         "time",         "arrival_time",
                                                "arrival_timestamp", "request_time", "created_at"};
    return names;
}

} // namespace crx
