#include "host/evidence/claims/relation.hh"

#include "host/error.hh"

#include <algorithm>
#include <cmath>

namespace crx::claims {

namespace {

constexpr char const* accepted =
    "LEFT <= RIGHT with one of <=, >=, <, > and ==, each side an expression";

/// Where the one comparison outside of brackets is, and how long; npos: there is none or several.
std::pair<std::size_t, std::size_t> find_sign(std::string const& text)
{
    int depth = 0;
    std::size_t at = std::string::npos, length = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')') --depth;
        if (depth != 0 || std::string("<>=").find(text[i]) == std::string::npos) continue;
        if (at != std::string::npos) return {std::string::npos, 0};
        at = i;
        length = i + 1 < text.size() && text[i + 1] == '=' ? 2 : 1;
        i += length - 1;
    }
    if (length == 1 && text[at] == '=') return {std::string::npos, 0};
    return {at, length};
}

std::string trimmed(std::string const& text)
{
    auto const first = text.find_first_not_of(" \t\n"), last = text.find_last_not_of(" \t\n");
    return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

Interval evaluate(Expression const& side, std::function<Interval(std::string const&)> const& value)
{
    auto const& names = side.names();
    std::vector<Interval> known;
    std::vector<std::size_t> uncertain;
    for (std::size_t k = 0; k < names.size(); ++k) {
        known.push_back(value(names[k]));
        if (known[k].low < known[k].high) uncertain.push_back(k);
    }
    auto const at = [&](auto choose) {
        return side.evaluate([&](std::string const& name) {
            auto const k = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
            return choose(k);
        });
    };
    auto const middle = at([&](std::size_t k) { return known[k].value; });
    Interval all(middle);
    for (std::size_t corner = 0; corner < std::size_t{1} << uncertain.size(); ++corner) {
        auto const end = at([&](std::size_t k) {
            auto const place = std::ranges::find(uncertain, k) - uncertain.begin();
            if (place == std::ssize(uncertain)) return known[k].value;
            return (corner >> place & 1) != 0 ? known[k].high : known[k].low;
        });
        all.low = std::min(all.low, end);
        all.high = std::max(all.high, end);
    }
    return all;
}

} // namespace

Relation::Relation(ConfigValue const& value, std::string const& key) : text_(value.text)
{
    if (value.kind != ConfigValue::Kind::text)
        throw ConfigError(value.where, key, value.written(), accepted);
    auto const [at, length] = find_sign(text_);
    if (at == std::string::npos) throw ConfigError(value.where, key, value.written(), accepted);
    sign_ = text_.substr(at, length);
    auto const side = [&](std::string const& written) {
        ConfigValue one;
        one.kind = ConfigValue::Kind::text;
        one.text = trimmed(written);
        one.where = value.where;
        return Expression(one, key, accepted);
    };
    left_ = side(text_.substr(0, at));
    right_ = side(text_.substr(at + length));
}

std::vector<std::string> Relation::names() const
{
    auto all = left_->names();
    all.insert(all.end(), right_->names().begin(), right_->names().end());
    return all;
}

Compared Relation::compare(std::function<Interval(std::string const&)> const& value,
                           double slack) const
{
    Compared out{evaluate(*left_, value), evaluate(*right_, value)};
    auto small = out.left, large = out.right; // small <= large
    if (sign_[0] == '>') std::swap(small, large);
    auto const allowance = slack * std::abs(out.right.value);
    if (sign_ == "==") {
        out.kept = small.low <= large.high + allowance && small.high >= large.low - allowance;
        out.missed = !out.kept;
        out.nearness = 1 + std::abs(small.value - large.value);
        return out;
    }
    bool const strict = sign_.size() == 1;
    auto const below = [&](double a, double b) { return strict ? a < b : a <= b; };
    out.kept = below(small.high, large.low + allowance);
    out.missed = !below(small.low, large.high + allowance);
    // NaN keeps nothing and is no miss: unclear.
    if (std::isnan(small.value) || std::isnan(large.value)) out.kept = out.missed = false;
    out.nearness = large.value > 0 ? small.value / large.value
                                   : 1 + (small.value - large.value); // of exponents and gaps
    return out;
}

} // namespace crx::claims
