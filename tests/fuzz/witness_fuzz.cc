#include "fuzz/target.hh"
#include "host/error.hh"
#include "host/evidence/certificate/check_optimum.hh"
#include "host/evidence/witness_file.hh"
#include "oracle/witness/witness.hh"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace {

/// Whether a check of it ends soon: no number of more than two digits (a request of 10^12 rounds is
/// walked through token by token), and few of anything.
bool is_small(std::string_view text)
{
    std::size_t digits = 0;
    for (unsigned char const c : text) {
        digits = std::isdigit(c) != 0 || c == 'e' || c == 'E' ? digits + 1 : 0;
        if (digits > 2) return false;
    }
    return std::ranges::count(text, '{') <= 12 && text.find("\"all\"") == text.npos;
}

} // namespace

/// Witness files and certificates of optima: what `crx simulate` reads of one, and what
/// `crx witness` says of small ones.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    crx_test::InputFile const file(data, size);
    try {
        crx::read_witness_run(file.path());
    } catch (crx::InputError const&) {
        // A refusal in words.
    }
    std::string const text(reinterpret_cast<char const*>(data), size);
    if (!is_small(text)) return 0;
    oracle::check_file(text, 1'000);
    auto const json = nlohmann::ordered_json::parse(text, nullptr, false);
    try {
        if (crx::is_optimum_certificate(json)) crx::check_optimum_certificate(json, 1'000);
    } catch (std::invalid_argument const&) {
        // A refusal in words.
    }
    return 0;
}
