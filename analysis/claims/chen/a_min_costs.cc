#include "analysis/claims/chen/claims.hh"
#include "analysis/claims/chen/counted_min.hh"
#include "analysis/claims/tools/runs.hh"
#include "analysis/claims/trial.hh"
#include "kernels/random/word_stream.cuh"

#include <cmath>
#include <fmt/format.h>

namespace crx::claims {
namespace {

struct CountedRequest
{
    std::int64_t arrival = 0, prompt = 0, output = 1, lower = 1;
};

/// The words of a-min in instance 0 of seed 1.
struct Words
{
    WordStream words;
    std::uint64_t bounded(std::uint64_t k) { return bounded_draw(words, k); }
};

/// Operations of the costliest round, checked against 4 M H_M + M (log2 M + 6).
double most_operations(Trial& trial, std::vector<CountedRequest> const& requests, Tokens memory)
{
    auto const stream = stream_policy + static_cast<std::uint32_t>(policy("a-min").kind);
    CountedMin counted(requests, memory, Words{WordStream(1, stream, 0)});
    counted.run();
    double harmonic = 0;
    for (Tokens r = memory; r > 0; --r)
        harmonic += static_cast<double>(memory) / static_cast<double>(r);
    auto const m = static_cast<double>(memory);
    auto const most = static_cast<double>(counted.most_operations);
    trial.at_most(most, 4 * harmonic + m * (std::log2(m) + 6));
    return most;
}

// Loads with many cancellations a round, and with lower ends that fill memory at every time.
Fresh test(Stated const& stated)
{
    Trial trial(stated);
    std::vector<double> cancelling, filling;
    for (Tokens const memory : {64, 256, 1024}) {
        std::vector<CountedRequest> const alike(static_cast<std::size_t>(2 * memory),
                                                {0, 0, 16, 1});
        cancelling.push_back(most_operations(trial, alike, memory));
        std::vector<CountedRequest> divisors;
        for (Tokens l = 1; l <= memory; ++l)
            divisors.insert(divisors.end(), static_cast<std::size_t>(memory / l - memory / (l + 1)),
                            {0, 0, l, l});
        filling.push_back(most_operations(trial, divisors, memory));
    }
    auto const slope = [](std::vector<double> const& most) {
        return std::log(most[2] / most[1]) / std::log(4);
    };
    trial.expect(slope(cancelling) < 1.25 && slope(filling) < 1.25);
    return trial.verdict(Verdict::broken_as_printed,
                         fmt::format("exponents of the costliest round {:.2f} and {:.2f}",
                                     slope(cancelling), slope(filling)));
}

} // namespace

Claim chen_theorem_4_1()
{
    return {
        .id = "C-4.1",
        .paper = Paper::chen,
        .place = "Theorem 4.1",
        .statement = "A_min takes O(M log M) operations a round.",
        .hypotheses = {{"reading 1, equal prompts, waiting requests kept in order"}},
        .method = Method::proof,
        .verdict = Verdict::broken_as_printed,
        .evidence =
            "The proof sorts n waiting requests, which M does not bound. Kept in order, a round "
            "takes at most 4 M H_M + M (log2 M + 6) operations (proof), insertions apart.",
        .command = "crx claims C-4.1 --run",
        .page = "docs/proofs/rounds_of_a_min.md",
        .test = test,
    };
}

} // namespace crx::claims
