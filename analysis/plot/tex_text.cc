#include "analysis/plot/tex_text.hh"

#include <array>
#include <utility>

namespace crx::plot {

namespace {

/// Signs beyond ASCII that fonts of LaTeX lack or only have in formulas.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> signs{{
    {"α", "$\\alpha$"},
    {"β", "$\\beta$"},
    {"λ", "$\\lambda$"},
    {"μ", "$\\mu$"},
    {"ρ", "$\\rho$"},
    {"ζ", "$\\zeta$"},
    {"ℓ", "$\\ell$"},
    {"∞", "$\\infty$"},
    {"±", "$\\pm$"},
    {"×", "$\\times$"},
    {"·", "$\\cdot$"},
    {"≤", "$\\le$"},
    {"≥", "$\\ge$"},
    {"√", "$\\surd$"},
    {"→", "$\\to$"},
    {"−", "$-$"},
}};

class Translator
{
  public:
    explicit Translator(std::string_view text) : text_(text) {}

    std::string all()
    {
        std::string out;
        while (at_ < text_.size()) out += element();
        return out;
    }

  private:
    std::string sign()
    {
        for (auto const& [from, to] : signs)
            if (text_.substr(at_).starts_with(from)) {
                at_ += from.size();
                return std::string(to);
            }
        switch (char const c = text_[at_++]) {
        case '\\': return "\\textbackslash{}";
        case '~': return "\\textasciitilde{}";
        case '^': return "\\textasciicircum{}";
        case '<': return "\\textless{}";
        case '>': return "\\textgreater{}";
        case '|': return "\\textbar{}";
        case '{':
        case '}':
        case '_':
        case '&':
        case '%':
        case '$':
        case '#': return {'\\', c};
        default: return {c};
        }
    }

    std::string element()
    {
        char const c = text_[at_];
        if (c == '\\' && at_ + 1 < text_.size()) return ++at_, sign();
        if ((c == '_' || c == '^') && at_ + 1 < text_.size()) {
            ++at_;
            auto const inner = element();
            return (c == '_' ? "\\textsubscript{" : "\\textsuperscript{") + inner + "}";
        }
        if (c != '{') return sign();
        ++at_;
        std::string_view command = "{";
        if (at_ < text_.size() && text_[at_] == '/') { // {/:Italic ..}, {/:Bold ..}, {/Font ..}
            auto const end = text_.find(' ', at_);
            auto const style = text_.substr(at_, end - at_);
            if (style == "/:Italic") command = "\\textit{";
            if (style == "/:Bold") command = "\\textbf{";
            at_ = end == std::string_view::npos ? text_.size() : end + 1;
        }
        std::string inner;
        while (at_ < text_.size() && text_[at_] != '}') inner += element();
        if (at_ < text_.size()) ++at_;
        return std::string(command) + inner + "}";
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

} // namespace

std::string tex_text(std::string_view enhanced) { return Translator(enhanced).all(); }

} // namespace crx::plot
