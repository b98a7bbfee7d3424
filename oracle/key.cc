#include "oracle/key.hh"

#include <cctype>
#include <stdexcept>
#include <vector>

namespace oracle {
namespace {

/// Evaluates as it reads. Loosest first: ?:, ||, &&, comparisons, + -, * /, signs, ^.
class Reader
{
  public:
    Reader(std::string const& text, std::map<std::string, std::int64_t> const& names)
        : names_(names)
    {
        for (char const c : text)
            if (std::isspace(static_cast<unsigned char>(c)) == 0) text_ += c;
    }

    Exact all()
    {
        Exact const value = choice();
        if (at_ != text_.size()) refuse("\"" + text_.substr(at_) + "\" is not understood");
        return value;
    }

  private:
    [[noreturn]] static void refuse(std::string const& why)
    {
        throw std::invalid_argument("key: " + why);
    }
    void expect(char const* sign)
    {
        if (!take(sign)) refuse(std::string("no ") + sign);
    }
    /// Numbers that no key of whole numbers below 2^53 comes to would take for ever.
    static Exact const& held(Exact const& value)
    {
        if (msb(numerator(value) == 0 ? 1
                                      : boost::multiprecision::cpp_int(
                                            boost::multiprecision::abs(numerator(value)))) > 4096 ||
            msb(denominator(value)) > 4096)
            refuse("a number is too large");
        return value;
    }

    bool take(std::string const& word)
    {
        if (text_.compare(at_, word.size(), word) != 0) return false;
        at_ += word.size();
        return true;
    }

    Exact choice()
    {
        Exact const condition = either();
        if (!take("?")) return condition;
        bool const before = skipping_;
        skipping_ = before || condition == 0;
        Exact const yes = choice();
        expect(":");
        skipping_ = before || condition != 0;
        Exact const no = choice();
        skipping_ = before;
        return condition != 0 ? yes : no;
    }
    Exact either()
    {
        Exact value = both();
        while (take("||")) {
            Exact const other = both();
            value = value != 0 || other != 0 ? 1 : 0;
        }
        return value;
    }
    Exact both()
    {
        Exact value = compared();
        while (take("&&")) {
            Exact const other = compared();
            value = value != 0 && other != 0 ? 1 : 0;
        }
        return value;
    }
    Exact compared()
    {
        Exact value = added();
        for (;;) {
            if (take("<=")) {
                Exact const other = added();
                value = value <= other ? 1 : 0;
            } else if (take(">=")) {
                Exact const other = added();
                value = value >= other ? 1 : 0;
            } else if (take("==")) {
                Exact const other = added();
                value = value == other ? 1 : 0;
            } else if (take("!=")) {
                Exact const other = added();
                value = value != other ? 1 : 0;
            } else if (take("<")) {
                Exact const other = added();
                value = value < other ? 1 : 0;
            } else if (take(">")) {
                Exact const other = added();
                value = value > other ? 1 : 0;
            } else {
                return value;
            }
        }
    }
    Exact added()
    {
        Exact value = multiplied();
        for (;;) {
            if (take("+"))
                value += multiplied();
            else if (take("-"))
                value -= multiplied();
            else
                return value;
        }
    }
    Exact multiplied()
    {
        Exact value = with_sign();
        for (;;) {
            if (take("*")) {
                value = held(value * with_sign());
            } else if (take("/")) {
                Exact const by = with_sign();
                if (by != 0) value = held(value / by);
                if (by == 0 && !skipping_) refuse("0 divides");
            } else {
                return value;
            }
        }
    }
    /// Every way deeper passes here.
    Exact with_sign()
    {
        if (++depth_ > 100) refuse("it is nested too deep");
        Exact const value = signed_power();
        --depth_;
        return value;
    }
    Exact signed_power()
    {
        if (take("-")) return -with_sign();
        if (take("+")) return with_sign();
        Exact const base = atom();
        if (!take("^")) return base;
        Exact const exponent = with_sign();
        if (denominator(exponent) != 1 || abs(exponent) > 64)
            refuse("an exponent is no whole number up to 64");
        if (exponent < 0 && base == 0 && !skipping_) refuse("0 divides");
        Exact value = 1;
        for (Exact k = 0; k < abs(exponent); ++k) value = held(value * base);
        return exponent < 0 && value != 0 ? 1 / value : value;
    }
    Exact atom()
    {
        if (take("(")) {
            Exact const inner = choice();
            expect(")");
            return inner;
        }
        std::string word;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                      text_[at_] == '_' || text_[at_] == '.'))
            word += text_[at_++];
        if (word.empty() || word == ".")
            refuse(at_ == text_.size() ? "it ends too soon"
                                       : "\"" + text_.substr(at_) + "\" is not understood");
        if (std::isalpha(static_cast<unsigned char>(word[0])) != 0) {
            if (take("(")) return function(word);
            auto const named = names_.find(word);
            if (named == names_.end()) refuse("there is no " + word);
            return Exact(named->second);
        }
        Exact value = 0, unit = 1;
        bool behind_point = false;
        for (char const c : word) {
            if (c == '.' && !behind_point) {
                behind_point = true;
                continue;
            }
            if (std::isdigit(static_cast<unsigned char>(c)) == 0 || word.size() > 40)
                refuse(word + " is no number");
            value = value * 10 + (c - '0');
            if (behind_point) unit *= 10;
        }
        return value / unit;
    }
    Exact function(std::string const& name)
    {
        std::vector<Exact> of{choice()};
        while (take(",")) of.push_back(choice());
        expect(")");
        bool const several = name == "min" || name == "max";
        if (!several && of.size() != 1) refuse(name + " takes one value");
        if (name == "min" || name == "max") {
            Exact best = of[0];
            for (Exact const& x : of)
                if (name == "min" ? x < best : x > best) best = x;
            return best;
        }
        if (name == "abs") return abs(of[0]);
        if (name == "floor") return floor(of[0]);
        if (name == "ceil") return -floor(-of[0]);
        if (name == "round")
            return of[0] < 0 ? Exact(-floor(-of[0] + Exact(1, 2))) : floor(of[0] + Exact(1, 2));
        refuse("there is no function " + name);
    }
    static Exact abs(Exact const& x) { return x < 0 ? Exact(-x) : x; }
    static Exact floor(Exact const& x)
    {
        boost::multiprecision::cpp_int const above = numerator(x), below = denominator(x);
        boost::multiprecision::cpp_int down = above / below;
        if (down * below > above) --down;
        return Exact(down);
    }

    std::string text_;
    std::map<std::string, std::int64_t> const& names_;
    std::size_t at_ = 0;
    bool skipping_ = false; ///< in a branch that is not taken
    int depth_ = 0;
};

} // namespace

Exact key_value(std::string const& text, std::map<std::string, std::int64_t> const& names)
{
    return Reader(text, names).all();
}

} // namespace oracle
