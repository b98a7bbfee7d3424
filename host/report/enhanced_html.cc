#include "host/report/html.hh"

namespace crx::report {

namespace {

enum class Target
{
    html,
    plain
};

/// Reads enhanced text from its start to its end.
class EnhancedReader
{
  public:
    EnhancedReader(std::string_view text, Target target) : text_(text), target_(target) {}

    std::string all()
    {
        std::string out;
        while (at_ < text_.size()) out += element();
        return out;
    }

  private:
    /// One sign or group with its meaning.
    std::string element()
    {
        char const c = text_[at_];
        if (c == '{') return group();
        if (c == '}' || c == '@' || c == '~' || c == '&') { // placing of gnuplot's own
            ++at_;
            return "";
        }
        if (c == '_' || c == '^') {
            ++at_;
            auto const what = at_ < text_.size() ? element() : "";
            if (target_ == Target::plain) return c + what;
            return c == '_' ? "<sub>" + what + "</sub>" : "<sup>" + what + "</sup>";
        }
        if (c == '\\' && at_ + 1 < text_.size()) ++at_;
        return sign();
    }

    /// A whole sign of UTF-8.
    std::string sign()
    {
        auto const from = at_++;
        while (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xC0) == 0x80) ++at_;
        auto const one = text_.substr(from, at_ - from);
        return target_ == Target::plain ? std::string(one) : escaped(one);
    }

    std::string group()
    {
        ++at_;
        std::string font;
        if (at_ < text_.size() && text_[at_] == '/') {
            while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != '}')
                font += text_[at_++];
            if (at_ < text_.size() && text_[at_] == ' ') ++at_;
        }
        std::string inside;
        while (at_ < text_.size() && text_[at_] != '}') inside += element();
        if (at_ < text_.size()) ++at_;
        if (target_ == Target::plain) return inside;
        if (font.ends_with(":Italic")) return "<i>" + inside + "</i>";
        if (font.ends_with(":Bold")) return "<b>" + inside + "</b>";
        return inside;
    }

    std::string_view text_;
    Target target_;
    std::size_t at_ = 0;
};

} // namespace

std::string html_of_enhanced(std::string_view enhanced)
{
    return EnhancedReader(enhanced, Target::html).all();
}

std::string plain_of_enhanced(std::string_view enhanced)
{
    return EnhancedReader(enhanced, Target::plain).all();
}

} // namespace crx::report
