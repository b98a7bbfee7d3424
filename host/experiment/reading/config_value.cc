#include "host/experiment/reading/config_value.hh"

#include <charconv>
#include <utility>

namespace crx {

ConfigValue const* ConfigValue::find(std::string const& key) const
{
    for (auto const& [name, value] : table)
        if (name == key) return &value;
    return nullptr;
}

ConfigValue* ConfigValue::find(std::string const& key)
{
    return const_cast<ConfigValue*>(std::as_const(*this).find(key));
}

namespace {

std::string written_real(double x)
{
    char buffer[40];
    auto const end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
    return {buffer, end};
}

std::string quoted(std::string const& text)
{
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n')
            out += "\\n";
        else
            out += c;
    }
    return out + '"';
}

} // namespace

std::string shortened(std::string const& text)
{
    constexpr std::size_t most = 200;
    if (text.size() <= most) return text;
    auto end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end; // a letter
    return text.substr(0, end) + " ..";
}

std::string ConfigValue::written() const
{
    switch (kind) {
    case Kind::boolean: return boolean ? "true" : "false";
    case Kind::integer: return std::to_string(integer);
    case Kind::real: return written_real(real);
    case Kind::text: return quoted(text);
    case Kind::other: return text;
    case Kind::list: {
        std::string out = "[";
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (i == 6 && list.size() > 8)
                return out + ", .. " + std::to_string(list.size()) + " elements]";
            out += (i == 0 ? "" : ", ") + list[i].written();
        }
        return out + "]";
    }
    case Kind::table: {
        std::string out;
        for (auto const& [name, value] : table)
            out += (out.empty() ? "" : ", ") + name + " = " + value.written();
        return out.empty() ? "{}" : "{ " + out + " }";
    }
    }
    return {};
}

} // namespace crx
