#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "oracle/mean.hh"
#include "oracle/oracle.hh"

namespace oracle {

/// A file that does not say what it must, or says what is not so. what() is the reason.
struct Fault : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// Whole numbers of evidence files are below 2^40, but for seeds, which are below 2^64.
inline constexpr std::int64_t most_whole = (std::int64_t{1} << 40) - 1;

/// The JSON of an evidence file. Throws Fault where it is none, is no object, has a key twice in
/// one object, is nested more than 12 deep, has a text or a key longer than 10,000 bytes, or a
/// number with a point, with an exponent or too large for 64 bits anywhere but in `alpha`, `beta`
/// and `times_the_bound`, where it is in [0, 2^31).
nlohmann::json parse_strictly(std::string const& text);

std::string text_of(Fraction const& fraction);

/// One object of an evidence file, read key by key. Everything throws Fault, which names object and
/// key.
class Fields
{
  public:
    /// `name` stands before its keys in messages; empty: nothing.
    Fields(nlohmann::json const& object, std::string name);

    bool has(char const* key) const { return object_.contains(key); }
    /// What is said of the key; it must be there.
    nlohmann::json const& at(char const* key);
    /// The default where the key is missing; without a default it must be there.
    std::int64_t whole(char const* key, std::int64_t least, std::int64_t most,
                       std::optional<std::int64_t> otherwise = {});
    std::vector<std::int64_t> wholes(char const* key, std::int64_t least, std::int64_t most,
                                     std::size_t most_values);
    std::uint64_t seed(char const* key); ///< 0 where it is missing
    bool flag(char const* key);          ///< false where it is missing
    std::string text(char const* key);   ///< empty where it is missing
    /// One of these, or empty where it is missing.
    std::string word(char const* key, std::vector<std::string> const& accepted);
    /// "35/29" or "2": decimal digits, no more than 300, none of them a leading zero.
    Fraction fraction(char const* key);
    /// "0.25" likewise, with digits behind the point.
    double decimal(char const* key);
    /// A number in 0 .. 1 of at most nine places.
    Share share(char const* key);
    /// Throws for a key that was not asked for, as a misspelt one would pass unread.
    void end() const;

    [[noreturn]] void refuse(char const* key, std::string const& why) const;

  private:
    nlohmann::json const& object_;
    std::string name_;
    std::set<std::string> asked_;
};

} // namespace oracle
