#pragma once

#include "kernels/model/generate.cuh"
#include "kernels/model/length_law.cuh"
#include "kernels/random/buffered_words.hh"

#include <algorithm>
#include <vector>

namespace crx {

/// A tabulated law with a guide: for each value of a word's leading bits where the search begins
/// (Chen and Asau 1974, doi:10.1080/05695557408974949). The guide is so fine that one step is
/// enough, where that can be had; a uniform law needs no table. The same values as TableLaw; for
/// the CPU, made once a cell.
class GuidedLaw
{
  public:
    explicit GuidedLaw(TableLaw const& table)
        : value_(table.value.begin(), table.value.end()),
          threshold_(table.threshold.begin(), table.threshold.end())
    {
        if (threshold_.empty()) return; // a composition has values without them
        CRX_EXPECT(threshold_.size() == value_.size());
        uniform_ = UniformLaw::of(table);
        threshold_.back() = UINT64_MAX; // the last value takes all that is left
        value_.push_back(value_.back());
        while (bits_ < most_bits && (std::size_t{1} << bits_) < 16 * value_.size()) ++bits_;
        while (!make_guide() && bits_ < most_bits) ++bits_;
    }

    /// out[i]: the value that words[i] stands for.
    void draw(std::uint64_t const* words, std::int64_t n, std::int32_t* out) const
    {
        if (uniform_) return uniform_->draw(words, n, out);
        auto const* const start = start_.data();
        auto const* const threshold = threshold_.data();
        auto const* const value = value_.data();
        auto const shift = 64 - bits_;
        for (std::int64_t i = 0; i < n; ++i) {
            auto const word = words[i];
            std::size_t k = start[word >> shift];
            k += word >= threshold[k] ? 1 : 0;
            if (!one_step_)
                while (k + 1 < value_.size() && word >= threshold[k]) ++k;
            out[i] = value[k];
        }
    }

  private:
    static constexpr int most_bits = 16;

    /// Whether no two thresholds fall among words with the same leading bits.
    bool make_guide()
    {
        start_.resize(std::size_t{1} << bits_);
        one_step_ = true;
        std::uint32_t k = 0;
        for (std::size_t g = 0; g < start_.size(); ++g) {
            auto const least = static_cast<std::uint64_t>(g) << (64 - bits_);
            auto const most = least + (std::uint64_t{1} << (64 - bits_)) - 1;
            while (least >= threshold_[k] && k + 2 < value_.size()) ++k;
            start_[g] = k;
            if (k + 2 < value_.size() && most >= threshold_[k + 1]) one_step_ = false;
        }
        return one_step_;
    }

    std::optional<UniformLaw> uniform_;
    std::vector<std::int32_t> value_; ///< the last one twice
    std::vector<std::uint64_t> threshold_;
    std::vector<std::uint32_t> start_; ///< by leading bits, the least k that can be drawn
    int bits_ = 1;
    bool one_step_ = true;
};

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
