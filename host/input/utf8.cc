#include "host/input/utf8.hh"

#include <cstdint>

namespace crx {

bool is_utf8(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();) {
        auto const first = static_cast<unsigned char>(text[at++]);
        if (first < 0x80) continue;
        int const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
        if (first < 0xc2 || first > 0xf4) return false;
        std::uint32_t letter = first & (0x3fu >> more);
        for (int k = 0; k < more; ++k) {
            if (at == text.size()) return false;
            auto const next = static_cast<unsigned char>(text[at++]);
            if ((next & 0xc0) != 0x80) return false;
            letter = letter << 6 | (next & 0x3fu);
        }
        constexpr std::uint32_t least[] = {0, 0x80, 0x800, 0x10000};
        if (letter < least[more] || letter > 0x10ffff) return false;
        if (letter >= 0xd800 && letter < 0xe000) return false;
    }
    return true;
}

} // namespace crx
