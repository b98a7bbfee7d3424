#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace crx {

/// A fraction in lowest terms. Numerator and denominator are below 2^53.
struct ExactNumber
{
    std::int64_t numerator = 0, denominator = 1;

    bool operator<(ExactNumber const& other) const
    {
        return static_cast<__int128>(numerator) * other.denominator <
               static_cast<__int128>(other.numerator) * denominator;
    }
    bool operator==(ExactNumber const&) const = default;
};

/// Of by-key, taken as kind{12} of a policy would be: it names the random stream of ties.
inline constexpr std::uint32_t by_key_stream = 12;

/// What a key may read of a request (docs/model.md#by-key).
enum class KeyField : std::uint8_t
{
    prompt,
    output,
    lower,
    upper,
    arrival,
    memory,    ///< M
    waited,    ///< rounds or nanoseconds since arrival less those in which it ran
    generated, ///< most tokens that it ever had
};
inline constexpr char const* key_fields[] = {"prompt",  "output", "lower",  "upper",
                                             "arrival", "memory", "waited", "generated"};
inline constexpr int key_field_count = 8;

/// Values of the fields, by KeyField.
struct KeyValues
{
    std::int64_t of[key_field_count] = {};
    std::int64_t& operator[](KeyField field) { return of[static_cast<int>(field)]; }
};

/// An expression over the fields of a request, in the language of experiment files, of which it
/// has what is exact: + - * / ^ ( ) comparisons && || ?: min max abs floor ceil round. It is
/// evaluated in fractions: nothing is rounded.
class KeyExpression
{
  public:
    /// Throws std::invalid_argument saying why the text is no such expression.
    explicit KeyExpression(std::string const& text);

    std::string const& text() const { return text_; }
    /// Names that are no fields, each once.
    std::vector<std::string> const& names() const { return names_; }
    /// The same with a text in the place of each name, by number in names().
    KeyExpression with(std::vector<std::string> const& values) const;
    bool reads(KeyField field) const { return fields_ >> static_cast<int>(field) & 1; }

    /// Throws std::range_error where a number on the way is 2^53 or more, and where 0 divides.
    /// Contract for this and values(): there are no names.
    ExactNumber value(KeyValues const& values) const { return value_of(root_, values); }

    /// Values of n requests at a time, where each is a whole number: column[f] holds field f of
    /// each, as far as it is read. Whether all are, and no number on the way is 2^53 or more; if
    /// not, value() says what is wrong, or gives a fraction.
    bool values(std::int64_t const* const column[key_field_count], std::int64_t n,
                std::int64_t* out) const;

  private:
    enum class Op : std::uint8_t
    {
        number,
        field,
        name,
        negate,
        absolute,
        floor,
        ceil,
        round,
        add,
        subtract,
        multiply,
        divide,
        power,
        less,
        at_most,
        equal,
        unequal,
        both,
        either,
        least,
        largest,
        choose,
    };
    struct Node
    {
        Op op;
        int a = -1, b = -1, c = -1; ///< operands; a field's number is a
        ExactNumber number = {};
        int depth = 1;
    };
    class Parser;

    ExactNumber value_of(int node, KeyValues const& values) const;
    bool columns_of(int node, std::int64_t const* const* column, std::int64_t n,
                    std::int64_t* out) const;

    std::string text_;
    std::vector<Node> nodes_;
    std::vector<std::string> names_;
    struct Place
    {
        std::size_t from, size, name;
    };
    std::vector<Place> places_; ///< of names in the text
    std::uint32_t fields_ = 0;
    int root_ = -1;
};

/// The fraction that a decimal is as it is written: "0.1" is 1/10. Throws std::range_error where
/// that needs 2^53 or more, std::invalid_argument where the text is no decimal.
ExactNumber exact_decimal(std::string const& text);

} // namespace crx
