#pragma once

#include "kernels/model/tally.cuh"

#include <string>
#include <string_view>

namespace crx {

// Sums wider than 64 bits stand in the store as decimal text, histograms as JSON {"bin":count}, so
// that sqlite3 alone can read them. Parsing throws std::invalid_argument for anything but what
// these functions write.

std::string to_text(Unsigned128 value);
std::string to_text(Unsigned192 const& value);
std::string to_text(Histogram const& histogram);

Unsigned128 parse_unsigned128(std::string const& text);
Unsigned192 parse_unsigned192(std::string const& text);
Histogram parse_histogram(std::string_view text);

} // namespace crx
