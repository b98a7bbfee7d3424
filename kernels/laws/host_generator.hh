#pragma once

#include "kernels/laws/guided_law.hh"
#include "kernels/random/buffered_words.hh"

namespace crx {

/// generate() on the CPU for many instances of one workload: the same requests, with tables that
/// are made once and words made many at a time.
class HostGenerator
{
  public:
    explicit HostGenerator(WorkloadView const& workload)
        : workload_(workload),
          output_law_(TableLaw{workload.output_value, workload.output_threshold}),
          prompt_law_(TableLaw{workload.prompt_value, workload.prompt_threshold})
    {
    }

    void generate(std::uint64_t instance, Requests const& requests) const
    {
        auto const& w = workload_;
        if (w.output_kind != OutputKind::table) {
            auto const words = [&](Stream stream) {
                return BufferedWords(w.seed, stream, instance, w.requests);
            };
            generate_by(w, words(stream_lengths), words(stream_prompts), requests);
            return generate_arrivals(w, instance, requests);
        }
        draw(output_law_, stream_lengths, instance, requests.output);
        if (w.prompt_kind == PromptKind::constant)
            std::fill_n(requests.prompt, w.requests, w.prompt_constant);
        else
            draw(prompt_law_, stream_prompts, instance, requests.prompt);
        tell_intervals(w, requests);
        generate_arrivals(w, instance, requests);
    }

  private:
    void draw(GuidedLaw const& law, Stream stream, std::uint64_t instance, std::int32_t* out) const
    {
        constexpr std::int64_t batch = 128;
        std::uint64_t words[batch];
        for (std::int64_t i = 0; i < workload_.requests; i += batch) {
            auto const count = std::min(batch, workload_.requests - i);
            auto const blocks = static_cast<int>((count + 15) / 16 * 8);
            philox_words(workload_.seed, stream, instance, static_cast<std::uint64_t>(i / 2),
                         blocks, words);
            law.draw(words, count, out + i);
        }
    }

    WorkloadView workload_;
    GuidedLaw output_law_, prompt_law_;
};

} // namespace crx
