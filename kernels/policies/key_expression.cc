#include "kernels/policies/key_expression.hh"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <stdexcept>

namespace crx {
namespace {

using Wide = __int128;
constexpr std::int64_t limit = std::int64_t{1} << 53;

Wide absolute(Wide x) { return x < 0 ? -x : x; }

/// The fraction of two whole numbers below 2^108.
ExactNumber fraction(Wide numerator, Wide denominator)
{
    if (denominator == 0) throw std::range_error("0 divides");
    if (denominator < 0) {
        numerator = -numerator;
        denominator = -denominator;
    }
    if (denominator != 1) {
        Wide a = absolute(numerator), b = denominator;
        while (b != 0) {
            auto const rest = a % b;
            a = b;
            b = rest;
        }
        numerator /= a;
        denominator /= a;
    }
    if (absolute(numerator) >= limit || denominator >= limit)
        throw std::range_error("a number is 2^53 or more");
    return {static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
}

ExactNumber sum(ExactNumber x, ExactNumber y)
{
    return fraction(Wide{x.numerator} * y.denominator + Wide{y.numerator} * x.denominator,
                    Wide{x.denominator} * y.denominator);
}
ExactNumber negative(ExactNumber x) { return {-x.numerator, x.denominator}; }
ExactNumber product(ExactNumber x, ExactNumber y)
{
    return fraction(Wide{x.numerator} * y.numerator, Wide{x.denominator} * y.denominator);
}
ExactNumber quotient(ExactNumber x, ExactNumber y)
{
    return fraction(Wide{x.numerator} * y.denominator, Wide{x.denominator} * y.numerator);
}
ExactNumber power(ExactNumber x, ExactNumber y)
{
    if (y.denominator != 1) throw std::range_error("an exponent is no whole number");
    if (y.numerator < 0) return quotient({1, 1}, power(x, negative(y)));
    ExactNumber result{1, 1};
    bool const stays = x.denominator == 1 && x.numerator >= -1 && x.numerator <= 1;
    auto const times = stays && y.numerator > 2 ? 2 - y.numerator % 2 : y.numerator;
    for (std::int64_t k = 0; k < times; ++k) result = product(result, x); // soon 2^53 or 0
    return result;
}
std::int64_t floor_of(ExactNumber x)
{
    auto const down = x.numerator / x.denominator;
    return down - (x.numerator % x.denominator < 0 ? 1 : 0);
}
/// Halves away from 0.
ExactNumber rounded(ExactNumber x)
{
    if (x.numerator < 0) return negative(rounded(negative(x)));
    return {floor_of(fraction(2 * Wide{x.numerator} + x.denominator, 2 * Wide{x.denominator})), 1};
}
bool is_true(ExactNumber x) { return x.numerator != 0; }
ExactNumber truth(bool x) { return {x ? 1 : 0, 1}; }

} // namespace

ExactNumber exact_decimal(std::string const& text)
{
    std::size_t at = 0;
    Wide numerator = 0;
    std::int64_t places = 0;
    bool any = false, point = false;
    for (; at < text.size(); ++at) {
        if (text[at] == '.' && !point) {
            point = true;
            continue;
        }
        if (std::isdigit(static_cast<unsigned char>(text[at])) == 0) break;
        any = true;
        numerator = 10 * numerator + (text[at] - '0');
        if (point) ++places;
        if (numerator >= Wide{1} << 100) throw std::range_error("a number is 2^53 or more");
    }
    if (any && at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        char* end = nullptr;
        places -= std::strtol(text.c_str() + at + 1, &end, 10);
        at = end == text.c_str() + at + 1 ? at : static_cast<std::size_t>(end - text.c_str());
    }
    if (!any || at != text.size()) throw std::invalid_argument(text + " is no decimal");
    if (numerator == 0) return {};
    ExactNumber result{1, 1};
    for (; places > 0 && numerator % 10 == 0; --places) numerator /= 10;
    result = fraction(numerator, 1);
    for (; places < 0; ++places) result = product(result, {10, 1});
    for (; places > 0; --places) result = quotient(result, {10, 1});
    return result;
}

/// By recursive descent, with the precedences of muParser.
class KeyExpression::Parser
{
  public:
    explicit Parser(KeyExpression& to) : to_(to), text_(to.text_) {}

    int parse()
    {
        auto const root = choice();
        if (skip() < text_.size()) fail("\"" + text_.substr(at_) + "\" is left over");
        return root;
    }

  private:
    [[noreturn]] static void fail(std::string const& why) { throw std::invalid_argument(why); }

    std::size_t skip()
    {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
            ++at_;
        return at_;
    }
    bool take(std::string const& word)
    {
        skip();
        if (text_.compare(at_, word.size(), word) != 0) return false;
        at_ += word.size();
        return true;
    }
    void need(std::string const& word)
    {
        if (!take(word))
            fail("\"" + word + "\" is missing" +
                 (at_ < text_.size() ? " before \"" + text_.substr(at_) + "\"" : " at the end"));
    }
    int add(Node node)
    {
        for (auto const operand : {node.op == Op::field ? -1 : node.a, node.b, node.c})
            if (operand >= 0)
                node.depth =
                    std::max(node.depth, to_.nodes_[static_cast<std::size_t>(operand)].depth + 1);
        to_.nodes_.push_back(node);
        return static_cast<int>(to_.nodes_.size()) - 1;
    }
    int add(Op op, int a, int b = -1, int c = -1) { return add(Node{op, a, b, c}); }

    int choice()
    {
        auto const condition = either();
        if (!take("?")) return condition;
        auto const yes = choice();
        need(":");
        return add(Op::choose, condition, yes, choice());
    }
    int either()
    {
        auto left = both();
        while (take("||")) left = add(Op::either, left, both());
        return left;
    }
    int both()
    {
        auto left = comparison();
        while (take("&&")) left = add(Op::both, left, comparison());
        return left;
    }
    int comparison()
    {
        auto left = sum_of_terms();
        for (;;) {
            if (take("<=")) {
                left = add(Op::at_most, left, sum_of_terms());
            } else if (take(">=")) {
                auto const right = sum_of_terms();
                left = add(Op::at_most, right, left);
            } else if (take("==")) {
                left = add(Op::equal, left, sum_of_terms());
            } else if (take("!=")) {
                left = add(Op::unequal, left, sum_of_terms());
            } else if (take("<")) {
                left = add(Op::less, left, sum_of_terms());
            } else if (take(">")) {
                auto const right = sum_of_terms();
                left = add(Op::less, right, left);
            } else {
                return left;
            }
        }
    }
    int sum_of_terms()
    {
        auto left = term();
        for (;;) {
            if (take("+"))
                left = add(Op::add, left, term());
            else if (take("-"))
                left = add(Op::subtract, left, term());
            else
                return left;
        }
    }
    int term()
    {
        auto left = signed_power();
        for (;;) {
            if (take("*"))
                left = add(Op::multiply, left, signed_power());
            else if (take("/"))
                left = add(Op::divide, left, signed_power());
            else
                return left;
        }
    }
    int signed_power()
    {
        if (take("-")) return add(Op::negate, signed_power());
        if (take("+")) return signed_power();
        auto const base = primary();
        return take("^") ? add(Op::power, base, signed_power()) : base;
    }
    int primary()
    {
        if (skip() == text_.size()) fail("it ends where a number or a name must come");
        if (take("(")) {
            auto const inner = choice();
            need(")");
            return inner;
        }
        auto const c = static_cast<unsigned char>(text_[at_]);
        if (std::isdigit(c) != 0 || c == '.') return number();
        if (std::isalpha(c) != 0 || c == '_') return name();
        fail("\"" + text_.substr(at_) + "\" begins with neither a number nor a name");
    }
    int number()
    {
        auto const from = at_;
        auto const digit = [&] {
            return at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0;
        };
        while (digit() || (at_ < text_.size() && text_[at_] == '.')) ++at_;
        if (at_ + 1 < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E') &&
            (std::isdigit(static_cast<unsigned char>(text_[at_ + 1])) != 0 ||
             ((text_[at_ + 1] == '-' || text_[at_ + 1] == '+') && at_ + 2 < text_.size()))) {
            at_ += 2;
            while (digit()) ++at_;
        }
        try {
            return add(Node{Op::number, -1, -1, -1, exact_decimal(text_.substr(from, at_ - from))});
        } catch (std::range_error const& error) {
            fail(error.what());
        }
    }
    int name()
    {
        auto const from = at_;
        while (at_ < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
            ++at_;
        auto const word = text_.substr(from, at_ - from);
        if (take("(")) return function(word);
        if (auto const* const field = std::ranges::find(key_fields, word);
            field != std::end(key_fields)) {
            auto const number = static_cast<int>(field - key_fields);
            to_.fields_ |= std::uint32_t{1} << number;
            return add(Op::field, number);
        }
        auto const known = std::ranges::find(to_.names_, word);
        to_.places_.push_back(
            {from, word.size(), static_cast<std::size_t>(known - to_.names_.begin())});
        if (known == to_.names_.end()) to_.names_.push_back(word);
        return add(Op::name, -1);
    }
    int function(std::string const& word)
    {
        std::vector<int> arguments{choice()};
        while (take(",")) arguments.push_back(choice());
        need(")");
        if (word == "min" || word == "max") {
            auto left = arguments[0];
            for (std::size_t k = 1; k < arguments.size(); ++k)
                left = add(word == "min" ? Op::least : Op::largest, left, arguments[k]);
            return left;
        }
        static constexpr std::pair<char const*, Op> of_one[] = {
            {"abs", Op::absolute}, {"floor", Op::floor}, {"ceil", Op::ceil}, {"round", Op::round}};
        for (auto const& [known, op] : of_one)
            if (word == known) {
                if (arguments.size() != 1) fail(word + " takes one number");
                return add(op, arguments[0]);
            }
        fail(word + " is not exact, or unknown: a key has min, max, abs, floor, ceil and round");
    }

    KeyExpression& to_;
    std::string const& text_;
    std::size_t at_ = 0;
};

KeyExpression::KeyExpression(std::string const& text) : text_(text)
{
    if (text.size() > 1000) throw std::invalid_argument("it is longer than 1000 characters");
    root_ = Parser(*this).parse();
}

KeyExpression KeyExpression::with(std::vector<std::string> const& values) const
{
    std::string text;
    std::size_t done = 0;
    for (auto const& place : places_) {
        text += text_.substr(done, place.from - done) + values.at(place.name);
        done = place.from + place.size;
    }
    return KeyExpression(text + text_.substr(done));
}

ExactNumber KeyExpression::value_of(int at, KeyValues const& values) const
{
    auto const& node = nodes_[static_cast<std::size_t>(at)];
    auto const a = [&] { return value_of(node.a, values); };
    auto const b = [&] { return value_of(node.b, values); };
    switch (node.op) {
    case Op::number: return node.number;
    case Op::name: break;
    case Op::field: {
        auto const value = values.of[node.a];
        if (value >= limit) throw std::range_error("a number is 2^53 or more");
        return {value, 1};
    }
    case Op::negate: return negative(a());
    case Op::absolute: {
        auto const x = a();
        return x.numerator < 0 ? negative(x) : x;
    }
    case Op::floor: return {floor_of(a()), 1};
    case Op::ceil: return {-floor_of(negative(a())), 1};
    case Op::round: return rounded(a());
    case Op::add: return sum(a(), b());
    case Op::subtract: return sum(a(), negative(b()));
    case Op::multiply: return product(a(), b());
    case Op::divide: return quotient(a(), b());
    case Op::power: return power(a(), b());
    case Op::less: return truth(a() < b());
    case Op::at_most: return truth(!(b() < a()));
    case Op::equal: return truth(a() == b());
    case Op::unequal: return truth(!(a() == b()));
    case Op::both: return truth(is_true(a()) && is_true(b()));
    case Op::either: return truth(is_true(a()) || is_true(b()));
    case Op::least: {
        auto const x = a(), y = b();
        return y < x ? y : x;
    }
    case Op::largest: {
        auto const x = a(), y = b();
        return x < y ? y : x;
    }
    case Op::choose: return is_true(a()) ? b() : value_of(node.c, values);
    }
    throw std::logic_error("a name without a value");
}

namespace {

constexpr std::int64_t block = 256;
constexpr int most_column_depth = 64; ///< each level keeps two blocks on the stack

/// out[k] of each k; whether every |out[k]| is below 2^53.
template <class F>
bool fill(std::int64_t n, std::int64_t* out, F f)
{
    constexpr std::uint64_t most = 2 * (limit - 1);
    bool beyond = false;
    for (std::int64_t k = 0; k < n; ++k) {
        out[k] = f(k);
        beyond |= static_cast<std::uint64_t>(out[k]) + (limit - 1) > most;
    }
    return !beyond;
}

} // namespace

// A product of two numbers below 2^53 may be beyond 64 bits: as a double, which rounds 2^53 - 1 up
// at most, its size is known well enough.
bool KeyExpression::columns_of(int at, std::int64_t const* const* column, std::int64_t n,
                               std::int64_t* x) const
{
    auto const& node = nodes_[static_cast<std::size_t>(at)];
    std::int64_t y[block], z[block];
    auto const a = [&] { return columns_of(node.a, column, n, x); };
    auto const b = [&] { return columns_of(node.b, column, n, y); };
    auto const of_both = [&](auto f) { return a() && b() && fill(n, x, f); };
    switch (node.op) {
    case Op::name: return false;
    case Op::number:
        return node.number.denominator == 1 &&
               fill(n, x, [&](std::int64_t) { return node.number.numerator; });
    case Op::field:
        return fill(n, x, [&, from = column[node.a]](std::int64_t k) { return from[k]; });
    case Op::negate: return a() && fill(n, x, [&](std::int64_t k) { return -x[k]; });
    case Op::absolute:
        return a() && fill(n, x, [&](std::int64_t k) { return x[k] < 0 ? -x[k] : x[k]; });
    case Op::floor:
    case Op::ceil:
    case Op::round: return a();
    case Op::add: return of_both([&](std::int64_t k) { return x[k] + y[k]; });
    case Op::subtract: return of_both([&](std::int64_t k) { return x[k] - y[k]; });
    case Op::multiply:
        return of_both([&](std::int64_t k) {
            auto const size = static_cast<double>(x[k]) * static_cast<double>(y[k]);
            bool const fits = size < 0x1p53 && size > -0x1p53;
            return fits ? x[k] * y[k] : 2 * limit;
        });
    case Op::less: return of_both([&](std::int64_t k) { return std::int64_t{x[k] < y[k]}; });
    case Op::at_most: return of_both([&](std::int64_t k) { return std::int64_t{x[k] <= y[k]}; });
    case Op::equal: return of_both([&](std::int64_t k) { return std::int64_t{x[k] == y[k]}; });
    case Op::unequal: return of_both([&](std::int64_t k) { return std::int64_t{x[k] != y[k]}; });
    case Op::both:
        return of_both([&](std::int64_t k) { return std::int64_t{x[k] != 0 && y[k] != 0}; });
    case Op::either:
        return of_both([&](std::int64_t k) { return std::int64_t{x[k] != 0 || y[k] != 0}; });
    case Op::least: return of_both([&](std::int64_t k) { return y[k] < x[k] ? y[k] : x[k]; });
    case Op::largest: return of_both([&](std::int64_t k) { return x[k] < y[k] ? y[k] : x[k]; });
    case Op::choose:
        return a() && b() && columns_of(node.c, column, n, z) &&
               fill(n, x, [&](std::int64_t k) { return x[k] != 0 ? y[k] : z[k]; });
    case Op::divide:
    case Op::power: return false;
    }
    return false;
}

bool KeyExpression::values(std::int64_t const* const column[key_field_count], std::int64_t n,
                           std::int64_t* out) const
{
    if (nodes_[static_cast<std::size_t>(root_)].depth > most_column_depth) return false;
    std::int64_t x[block];
    for (std::int64_t from = 0; from < n; from += block) {
        std::int64_t const* here[key_field_count];
        for (int f = 0; f < key_field_count; ++f)
            here[f] = column[f] == nullptr ? nullptr : column[f] + from;
        auto const count = std::min(block, n - from);
        if (!columns_of(root_, here, count, x)) return false;
        std::copy_n(x, count, out + from);
    }
    return true;
}

} // namespace crx
