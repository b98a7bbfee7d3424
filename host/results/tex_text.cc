#include "host/results/tex_text.hh"

#include <array>
#include <cctype>

namespace crx {

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
    std::string_view plain, set;
};

constexpr std::array words{
    Word{"A_max", "$A_{\\mathrm{max}}$"}, Word{"A_min", "$A_{\\mathrm{min}}$"},
    Word{"A_l", "$A_{\\ell}$"},           Word{"A_ell", "$A_{\\ell}$"},
    Word{"A_ℓ", "$A_{\\ell}$"},           Word{"A_random", "$A_{\\mathrm{random}}$"},
    Word{"alpha", "$\\alpha$"},
};

} // namespace

std::string escape(std::string_view plain)
{
    std::string text;
    for (char const c : plain) {
        if (c == '$') text += '\\';
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
        auto shown = escape(word);
        for (auto const& known : words)
            if (word == known.plain) shown = known.set;
        text += shown;
        at = end;
    }
    return text;
}

std::string slanted(std::string_view letter) { return "$" + std::string(letter) + "$"; }

std::string with_subscript(std::string_view text, std::string_view below)
{
    if (below == "alpha") return std::string(text) + "$_{\\alpha}$";
    std::string inner;
    for (char const c : below) {
        if (c == ' ' || c == '_' || c == '$') inner += '\\';
        inner += is_control(c) || c == '{' || c == '}' || c == '\\' ? '-' : c;
    }
    return std::string(text) + "$_{\\mathrm{" + inner + "}}$";
}

} // namespace crx
