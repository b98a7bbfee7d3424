#include "host/experiment/reading/nesting.hh"

#include <algorithm>
#include <vector>

namespace crx {

namespace {

/// Walks over TOML text bracket by bracket and key by key, past its texts and comments.
class Nesting
{
  public:
    explicit Nesting(std::string_view text) : text_(text) {}

    std::string place_too_deep()
    {
        while (at_ < text_.size() && depth_ + parts_ <= most_nested) step();
        return depth_ + parts_ <= most_nested ? "" : place();
    }

  private:
    void step()
    {
        char const c = text_[at_];
        if (c == '"' || c == '\'') return skip_text(c);
        if (c == '#') {
            at_ = std::min(text_.find('\n', at_), text_.size());
            return;
        }
        if (c == '.') ++parts_;
        if (c == ',' || (c == '\n' && open_.empty())) parts_ = 0;
        if (c == '[' || c == '{') {
            open_.push_back(parts_ + 1);
            depth_ += open_.back();
            parts_ = 0;
        }
        if ((c == ']' || c == '}') && !open_.empty()) {
            depth_ -= open_.back();
            open_.pop_back();
            parts_ = 0;
        }
        ++at_;
    }

    void skip_text(char quote)
    {
        std::string const three(3, quote);
        bool const lines = text_.substr(at_, 3) == three;
        auto const end = lines ? std::string_view(three) : std::string_view(three).substr(0, 1);
        for (at_ += end.size(); at_ < text_.size(); ++at_) {
            if (quote == '"' && text_[at_] == '\\') {
                ++at_;
                continue;
            }
            if (text_.substr(at_, end.size()) == end) break;
            if (!lines && text_[at_] == '\n') return; // not TOML: its reader says so
        }
        at_ = std::min(at_ + end.size(), text_.size());
    }

    std::string place() const
    {
        auto const before = text_.substr(0, at_);
        auto const line = std::count(before.begin(), before.end(), '\n') + 1;
        auto const begin = before.rfind('\n'); // npos + 1 is 0
        return std::to_string(line) + ":" + std::to_string(at_ - (begin + 1));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<int> open_; ///< levels that each open bracket added
    int depth_ = 0;         ///< their sum
    int parts_ = 0;         ///< of the key since
};

} // namespace

std::string place_nested_too_deep(std::string_view text) { return Nesting(text).place_too_deep(); }

} // namespace crx
