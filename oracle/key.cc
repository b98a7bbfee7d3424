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
        if (at_ != text_.size()) throw std::invalid_argument("key: " + text_.substr(at_));
        return value;
    }

  private:
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
        if (!take(":")) throw std::invalid_argument("key: no :");
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
                value *= with_sign();
            } else if (take("/")) {
                Exact const by = with_sign();
                if (by != 0) value /= by;
                if (by == 0 && !skipping_) throw std::invalid_argument("key: 0 divides");
            } else {
                return value;
            }
        }
    }
    Exact with_sign()
    {
        if (take("-")) return -with_sign();
        if (take("+")) return with_sign();
        Exact const base = atom();
        if (!take("^")) return base;
        Exact const exponent = with_sign();
        Exact value = 1;
        for (Exact k = 0; k < abs(exponent); ++k) value *= base;
        return exponent < 0 ? 1 / value : value;
    }
    Exact atom()
    {
        if (take("(")) {
            Exact const inner = choice();
            take(")");
            return inner;
        }
        std::string word;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                      text_[at_] == '_' || text_[at_] == '.'))
            word += text_[at_++];
        if (word.empty()) throw std::invalid_argument("key: " + text_.substr(at_));
        if (std::isalpha(static_cast<unsigned char>(word[0])) != 0)
            return take("(") ? function(word) : Exact(names_.at(word));
        Exact value = 0, unit = 1;
        bool behind_point = false;
        for (char const c : word) {
            if (c == '.') {
                behind_point = true;
                continue;
            }
            value = value * 10 + (c - '0');
            if (behind_point) unit *= 10;
        }
        return value / unit;
    }
    Exact function(std::string const& name)
    {
        std::vector<Exact> of{choice()};
        while (take(",")) of.push_back(choice());
        take(")");
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
        throw std::invalid_argument("key: " + name);
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
};

} // namespace

Exact key_value(std::string const& text, std::map<std::string, std::int64_t> const& names)
{
    return Reader(text, names).all();
}

} // namespace oracle
