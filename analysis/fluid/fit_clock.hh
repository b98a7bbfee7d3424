#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace crx {

/// A request that a server was measured on. Times in nanoseconds of one clock.
struct MeasuredRequest
{
    std::int32_t prompt = 0, output = 0;
    std::int64_t scheduled = 0, first_token = 0, last_token = 0;
};

/// A clock fitted to measured requests.
struct ClockFit
{
    /// d0, d1, d2, d3: nanoseconds of a round, a token held, a prompt token that enters, a request
    /// that runs.
    std::array<double, 4> cost = {};
    std::int64_t rows = 0;
    double rms = 0;       ///< root mean square of the residuals of a row's mean round, nanoseconds
    double explained = 0; ///< 1 - residual sum of squares over that about the mean
    std::vector<double> measured, fitted; ///< mean round of each row, nanoseconds
};

/// Least squares with costs of at least 0 over two rows a request. Its decode takes o - 1 rounds
/// from its first to its last token, in which the mean round is d0 + d1 (mean tokens held) + d2
/// (prompt tokens that entered) / (o - 1) + d3 (mean requests running); its prefill, from its
/// scheduling to its first token, is one round with the prompts that enter together. What was held
/// and how many ran is known from all requests, each of which gains its tokens evenly between its
/// first and its last. Requests whose times are out of order are left out. Contract: some are not.
ClockFit fit_clock(std::vector<MeasuredRequest> const& requests);

/// x >= 0 of four entries with the least |A x - b|, by trying which entries are 0.
std::array<double, 4> non_negative_least_squares(std::vector<std::array<double, 4>> const& rows,
                                                 std::vector<double> const& right);

} // namespace crx
