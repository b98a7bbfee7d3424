#include "fuzz/mutation.hh"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

namespace crx_test {

namespace {

constexpr std::size_t most_bytes = 1 << 16;

// clang-format off
constexpr std::string_view awkward_numbers[] = {
    "0", "-1", "-0.0", "1e308", "nan", "inf", "0x7f", "1_000", "2147483647", "2147483648",
    "4294967296", "9223372036854775807", "9223372036854775808", "0.00000000000000000001"};
// clang-format on

constexpr char awkward_characters[] = "[]{}\"'=,.#\\\n\r\t \0\xff\xc3(;:-+/*";
constexpr std::string_view awkward_bytes{awkward_characters, sizeof(awkward_characters) - 1};

std::size_t below(std::mt19937_64& dice, std::size_t count) { return dice() % count; }

/// A place and a length of the text, mostly short.
std::pair<std::size_t, std::size_t> part_of(std::string const& text, std::mt19937_64& dice)
{
    auto const at = below(dice, text.size());
    auto const most = std::min(text.size() - at, std::size_t{1} << below(dice, 12));
    return {at, 1 + below(dice, most)};
}

void replace_a_number(std::string& text, std::mt19937_64& dice)
{
    auto const is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    auto const start = text.begin() + static_cast<std::ptrdiff_t>(below(dice, text.size()));
    auto const first = std::find_if(start, text.end(), is_digit);
    auto const last = std::find_if_not(first, text.end(), is_digit);
    text.replace(first, last, awkward_numbers[below(dice, std::size(awkward_numbers))]);
}

void change(std::string& text, std::vector<std::string> const& corpus, std::mt19937_64& dice)
{
    if (text.empty()) text = " ";
    auto const [at, length] = part_of(text, dice);
    switch (below(dice, 7)) {
    case 0: text[at] = static_cast<char>(text[at] ^ (1 << below(dice, 8))); break;
    case 1: text[at] = awkward_bytes[below(dice, awkward_bytes.size())]; break;
    case 2: text.erase(at, length); break;
    case 3: text.insert(at, text.substr(at, length)); break;
    case 4: text.insert(at, 1, awkward_bytes[below(dice, awkward_bytes.size())]); break;
    case 5: {
        auto const& other = corpus[below(dice, corpus.size())];
        if (other.empty()) break;
        auto const [from, many] = part_of(other, dice);
        text.insert(at, other.substr(from, many));
        break;
    }
    default: replace_a_number(text, dice);
    }
}

} // namespace

std::string mutated(std::vector<std::string> const& corpus, std::mt19937_64& dice)
{
    auto text = corpus[below(dice, corpus.size())];
    for (auto left = std::size_t{1} << below(dice, 5); left > 0; --left) change(text, corpus, dice);
    if (text.size() > most_bytes) text.resize(most_bytes);
    return text;
}

} // namespace crx_test
