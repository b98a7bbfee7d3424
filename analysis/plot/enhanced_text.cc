#include "analysis/plot/enhanced_text.hh"

#include "analysis/plot/replace_all.hh"

#include <array>
#include <cctype>
#include <fmt/core.h>

namespace crx::plot {

namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }

bool is_word(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
           static_cast<unsigned char>(c) >= 128;
}

/// Plain words that have a look of their own.
struct Word
{
    std::string_view plain, enhanced;
};

constexpr std::array words{
    Word{"A_max", "{/:Italic A}_{max}"},
    Word{"A_min", "{/:Italic A}_{min}"},
    Word{"A_l", "{/:Italic A}_{ℓ}"},
    Word{"A_ell", "{/:Italic A}_{ℓ}"},
    Word{"A_ℓ", "{/:Italic A}_{ℓ}"},
    Word{"A_random", "{/:Italic A}_{random}"},
    Word{"alpha", "α"},
};

} // namespace

std::string escape(std::string_view plain)
{
    constexpr std::string_view special = "{}^_@&~\\";
    std::string text;
    for (char const c : plain) {
        if (special.find(c) != std::string_view::npos) text += '\\';
        text += is_control(c) ? ' ' : c;
    }
    return text;
}

std::string typeset(std::string_view plain)
{
    std::string text;
    for (std::size_t at = 0; at < plain.size();) {
        std::size_t end = at;
        while (end < plain.size() && is_word(plain[end])) ++end;
        if (end == at) {
            text += escape(plain.substr(at++, 1));
            continue;
        }
        auto const word = plain.substr(at, end - at);
        std::string shown = escape(word);
        for (auto const& known : words)
            if (word == known.plain) shown = known.enhanced;
        text += shown;
        at = end;
    }
    return text;
}

std::string typeset_legend(std::string enhanced)
{
    replace_all(enhanced, "{/Symbol a}", "α");
    replace_all(enhanced, "{/Symbol \\245}", "∞");
    replace_all(enhanced, "A_{", "{/:Italic A}_{");
    replace_all(enhanced, "_{l}", "_{ℓ}");
    return enhanced;
}

std::string quote(std::string_view text)
{
    std::string quoted = "\"";
    for (char const c : text) {
        if (c == '"' || c == '\\' || c == '`')
            quoted += fmt::format("\\{:03o}", static_cast<unsigned>(c));
        else
            quoted += is_control(c) ? ' ' : c;
    }
    return quoted + '"';
}

} // namespace crx::plot
