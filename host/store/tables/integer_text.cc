#include "host/store/tables/integer_text.hh"

#include "analysis/statistics/wide_integer.hh"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace crx {

namespace {

BigInteger parse_natural(std::string const& text, unsigned bits)
{
    bool const digits =
        !text.empty() && text.size() < 60 &&
        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits) throw std::invalid_argument("not a natural number: '" + text.substr(0, 60) + "'");
    // A leading zero would make it octal.
    auto const first = std::min(text.find_first_not_of('0'), text.size() - 1);
    BigInteger value(text.substr(first));
    if ((value >> bits) != 0) throw std::invalid_argument("too large: " + text);
    return value;
}

std::uint64_t word(BigInteger const& value, unsigned number)
{
    return static_cast<std::uint64_t>((value >> (64 * number)) & ~std::uint64_t{0});
}

} // namespace

std::string to_text(Unsigned128 value) { return to_big(value).str(); }
std::string to_text(Unsigned192 const& value) { return to_big(value).str(); }

std::string to_text(Histogram const& histogram)
{
    std::string text = "{";
    for (auto const& [bin, count] : histogram) {
        if (text.size() > 1) text += ',';
        text += '"' + std::to_string(bin) + "\":" + std::to_string(count);
    }
    return text + "}";
}

Unsigned128 parse_unsigned128(std::string const& text)
{
    auto const value = parse_natural(text, 128);
    return (Unsigned128{word(value, 1)} << 64) | word(value, 0);
}

Unsigned192 parse_unsigned192(std::string const& text)
{
    auto const value = parse_natural(text, 192);
    return {word(value, 0), word(value, 1), word(value, 2)};
}

Histogram parse_histogram(std::string_view text)
{
    auto const damaged = [&] {
        return std::invalid_argument("not a histogram: " + std::string(text.substr(0, 60)));
    };
    if (text.size() < 2 || text.front() != '{' || text.back() != '}') throw damaged();
    Histogram histogram;
    char const* at = text.data() + 1;
    char const* const end = text.data() + text.size() - 1;
    auto const expect = [&](char c) {
        if (at == end || *at++ != c) throw damaged();
    };
    auto const number = [&](auto& value) {
        auto const [next, error] = std::from_chars(at, end, value);
        if (error != std::errc()) throw damaged();
        at = next;
    };
    while (at != end) {
        if (!histogram.empty()) expect(',');
        std::uint32_t bin = 0;
        std::int64_t count = 0;
        expect('"');
        number(bin);
        expect('"');
        expect(':');
        number(count);
        if (count < 1 || !histogram.emplace(bin, count).second) throw damaged();
    }
    return histogram;
}

} // namespace crx
