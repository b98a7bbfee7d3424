#include "analysis/plot/enhanced_text.hh"

#include <array>

namespace crx::plot {

namespace {

/// Widths of the signs from space to ~ in thousandths of an em (Adobe, Helvetica's font metrics).
constexpr std::array<int, 95> helvetica{
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};

constexpr double script_scale = 0.8; ///< of subscripts and superscripts in gnuplot

/// Width of the sign at `at`, which moves behind it; bytes that go on a UTF-8 sign count nothing.
double sign_width(std::string_view text, std::size_t& at)
{
    auto const byte = static_cast<unsigned char>(text[at++]);
    if (byte >= 32 && byte < 127) return helvetica[byte - 32u] / 1000.0;
    return (byte & 0xC0) == 0x80 ? 0 : 0.6;
}

double element_width(std::string_view text, std::size_t& at);

/// Width up to the closing brace or the end; moves behind it.
double group_width(std::string_view text, std::size_t& at)
{
    double width = 0;
    while (at < text.size() && text[at] != '}') width += element_width(text, at);
    if (at < text.size()) ++at;
    return width;
}

double element_width(std::string_view text, std::size_t& at)
{
    char const c = text[at];
    if (c == '\\' && at + 1 < text.size()) return sign_width(text, ++at);
    if ((c == '_' || c == '^') && at + 1 < text.size())
        return script_scale * element_width(text, ++at);
    if (c != '{') return sign_width(text, at);
    ++at;
    if (at < text.size() && text[at] == '/') { // a font, up to the first space
        auto const space = text.find(' ', at);
        at = space == std::string_view::npos ? text.size() : space + 1;
    }
    return group_width(text, at);
}

} // namespace

double text_width(std::string_view enhanced)
{
    double width = 0;
    for (std::size_t at = 0; at < enhanced.size();) width += element_width(enhanced, at);
    return width;
}

std::vector<std::string> wrap(std::string const& enhanced, double width)
{
    std::vector<std::string> lines;
    std::string line, word;
    auto const end_word = [&] {
        if (word.empty()) return;
        if (!line.empty() && text_width(line + ' ' + word) > width) {
            lines.push_back(line);
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
        word.clear();
    };
    int depth = 0;
    for (std::size_t at = 0; at < enhanced.size(); ++at) {
        char const c = enhanced[at];
        if (c == ' ' && depth == 0) {
            end_word();
            continue;
        }
        word += c;
        if (c == '\\' && at + 1 < enhanced.size())
            word += enhanced[++at];
        else
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    }
    end_word();
    if (!line.empty()) lines.push_back(line);
    return lines;
}

std::vector<std::string> wrap_evenly(std::string const& enhanced, double width)
{
    auto const lines = wrap(enhanced, width);
    double tight = width, step = width / 2;
    for (; lines.size() > 1 && step > 0.1; step /= 2)
        if (wrap(enhanced, tight - step).size() == lines.size()) tight -= step;
    return wrap(enhanced, tight);
}

} // namespace crx::plot
