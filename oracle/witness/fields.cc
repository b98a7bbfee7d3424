#include "oracle/witness/fields.hh"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace oracle {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_depth = 12, most_bytes = 10'000, most_digits = 300;

/// Hears of every part of a JSON text, keeps nothing of it, and refuses what evidence must not
/// have.
class Strict : public nlohmann::json_sax<Json>
{
  public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(std::int64_t) override { return true; }
    bool number_unsigned(std::uint64_t) override { return true; }
    bool number_float(double value, std::string const& text) override
    {
        if (key_ != "alpha" && key_ != "beta" && key_ != "times_the_bound")
            throw Fault(key_ + ": " + text.substr(0, 40) + " is no whole number");
        if (!(value >= 0 && value < 0x1p31))
            throw Fault(key_ + ": " + text.substr(0, 40) + " is not in [0, 2^31)");
        return true;
    }
    bool string(std::string& text) override { return check_length(text); }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override
    {
        keys_.emplace_back();
        return check_depth();
    }
    bool key(std::string& name) override
    {
        check_length(name);
        key_ = name;
        if (!keys_.back().insert(name).second)
            throw Fault("the key " + name + " stands there twice");
        return true;
    }
    bool end_object() override
    {
        keys_.pop_back();
        return true;
    }
    bool start_array(std::size_t) override
    {
        keys_.emplace_back();
        return check_depth();
    }
    bool end_array() override
    {
        keys_.pop_back();
        return true;
    }
    bool parse_error(std::size_t, std::string const&,
                     nlohmann::detail::exception const& error) override
    {
        // Without the name of the exception that the JSON library puts first.
        std::string const text = error.what();
        std::size_t const end = text.find("] ");
        throw Fault(end == std::string::npos ? text : text.substr(end + 2));
    }

  private:
    bool check_depth() const
    {
        if (keys_.size() > most_depth)
            throw Fault("nested more than " + std::to_string(most_depth) + " deep");
        return true;
    }
    static bool check_length(std::string const& text)
    {
        if (text.size() > most_bytes)
            throw Fault("a text of more than " + std::to_string(most_bytes) + " bytes");
        return true;
    }

    std::vector<std::set<std::string>> keys_; // of each object around; nothing of lists
    std::string key_;                         // the last
};

/// Digits without a leading zero.
bool is_whole(std::string const& text)
{
    return !text.empty() && text.size() <= most_digits && (text.size() == 1 || text[0] != '0') &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string short_dump(Json const& value)
{
    std::string const text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

} // namespace

Json parse_strictly(std::string const& text)
{
    Strict strict;
    Json::sax_parse(text, &strict);
    Json file = Json::parse(text);
    if (!file.is_object()) throw Fault("it is no JSON object");
    return file;
}

std::string text_of(Fraction const& fraction)
{
    if (denominator(fraction) == 1) return numerator(fraction).str();
    return numerator(fraction).str() + "/" + denominator(fraction).str();
}

Fields::Fields(Json const& object, std::string name) : object_(object), name_(std::move(name))
{
    if (!object.is_object()) throw Fault((name_.empty() ? "" : name_ + ": ") + "no JSON object");
}

void Fields::refuse(char const* key, std::string const& why) const
{
    throw Fault((name_.empty() ? "" : name_ + ": ") + key + ": " + why);
}

Json const& Fields::at(char const* key)
{
    asked_.insert(key);
    if (!object_.contains(key)) refuse(key, "is missing");
    return object_[key];
}

namespace {

/// Nothing where the value is no whole number of this range.
std::optional<std::int64_t> whole_in(Json const& value, std::int64_t least, std::int64_t most)
{
    if (!value.is_number_integer()) return {};
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(most))
        return {};
    auto const number = value.get<std::int64_t>();
    if (number < least || number > most) return {};
    return number;
}

std::string not_in(Json const& value, std::int64_t least, std::int64_t most)
{
    return short_dump(value) + " is no whole number in " + std::to_string(least) + " .. " +
           std::to_string(most);
}

} // namespace

std::int64_t Fields::whole(char const* key, std::int64_t least, std::int64_t most,
                           std::optional<std::int64_t> otherwise)
{
    asked_.insert(key);
    if (otherwise && !has(key)) return *otherwise;
    Json const& value = at(key);
    auto const number = whole_in(value, least, most);
    if (!number) refuse(key, not_in(value, least, most));
    return *number;
}

std::vector<std::int64_t> Fields::wholes(char const* key, std::int64_t least, std::int64_t most,
                                         std::size_t most_values)
{
    Json const& list = at(key);
    if (!list.is_array() || list.size() > most_values)
        refuse(key, "no list of at most " + std::to_string(most_values) + " numbers");
    std::vector<std::int64_t> numbers;
    for (Json const& value : list) {
        auto const number = whole_in(value, least, most);
        if (!number) refuse(key, not_in(value, least, most));
        numbers.push_back(*number);
    }
    return numbers;
}

std::uint64_t Fields::seed(char const* key)
{
    asked_.insert(key);
    if (!has(key)) return 0;
    if (!at(key).is_number_unsigned())
        refuse(key, short_dump(at(key)) + " is no whole number from 0");
    return at(key);
}

bool Fields::flag(char const* key)
{
    asked_.insert(key);
    if (!has(key)) return false;
    if (!at(key).is_boolean()) refuse(key, short_dump(at(key)) + " is neither true nor false");
    return at(key);
}

std::string Fields::text(char const* key)
{
    asked_.insert(key);
    if (!has(key)) return {};
    if (!at(key).is_string()) refuse(key, short_dump(at(key)) + " is no text");
    return at(key);
}

std::string Fields::word(char const* key, std::vector<std::string> const& accepted)
{
    asked_.insert(key);
    if (!has(key)) return {};
    std::string list;
    for (std::string const& one : accepted) {
        if (at(key) == one) return one;
        list += (list.empty() ? "\"" : " or \"") + one + "\"";
    }
    refuse(key, short_dump(at(key)) + " is not " + list);
}

Fraction Fields::fraction(char const* key)
{
    Json const& value = at(key);
    std::string const text = value.is_string() ? value.get<std::string>() : "";
    std::size_t const slash = text.find('/');
    std::string const above = text.substr(0, slash);
    std::string const below = slash == std::string::npos ? "1" : text.substr(slash + 1);
    if (!is_whole(above) || !is_whole(below) || below == "0")
        refuse(key, short_dump(value) + " is no fraction as \"35/29\" or \"2\"");
    return Fraction(boost::multiprecision::cpp_int(above), boost::multiprecision::cpp_int(below));
}

double Fields::decimal(char const* key)
{
    Json const& value = at(key);
    std::string const text = value.is_string() ? value.get<std::string>() : "";
    std::size_t const point = text.find('.');
    std::string const behind = point == std::string::npos ? "" : text.substr(point + 1);
    if (!is_whole(text.substr(0, point)) || text.size() > most_digits ||
        (point != std::string::npos && (behind.empty() || !is_whole("1" + behind))))
        refuse(key, short_dump(value) + " is no number as \"0.25\"");
    return std::stod(text);
}

Share Fields::share(char const* key)
{
    Json const& value = at(key);
    double const billionths = value.is_number() ? value.get<double>() * 1e9 : -1;
    std::int64_t const whole = billionths >= 0 && billionths <= 1e9 ? std::llround(billionths) : -1;
    if (whole < 0 || !(std::abs(billionths - static_cast<double>(whole)) < 1e-3))
        refuse(key, short_dump(value) + " is no number in 0 .. 1 of at most nine places");
    std::int64_t const common = std::gcd(whole, std::int64_t{1'000'000'000});
    return {whole / common, 1'000'000'000 / common};
}

void Fields::end() const
{
    for (auto const& [key, value] : object_.items())
        if (asked_.count(key) == 0)
            throw Fault((name_.empty() ? "" : name_ + ": ") + "unknown key " + key);
}

} // namespace oracle
