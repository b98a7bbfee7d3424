#include "host/results/policy_text.hh"

#include "kernels/policies/policy_info.hh"

#include <array>
#include <cctype>

namespace crx {

namespace {

/// How the papers write a policy; `over_time` where requests arrive over time, if otherwise.
struct PolicyName
{
    std::string_view id, text, over_time = {};
};

constexpr PolicyName policy_names[] = {
    {"a-max", "$A_{\\mathrm{max}}$"},
    {"a-random", "$A_{\\mathrm{random}}$"},
    {"a-min", "$A_{\\mathrm{min}}$"},
    {"a-min-evict", "$A_{\\mathrm{min}}$ (evict)"},
    {"a-ell", "$A_{\\ell}$"},
    {"a-ladder", "$A_{\\mathrm{ladder}}$"},
    {"mc-sf", "H-SF", "MC-SF"},
    {"mc-sf-total", "MC-SF by $s$+$o$"},
    {"mc-benchmark", "MC-Benchmark"},
    {"protect", "Protect"},
    {"clear", "Clear"},
    {"fcfs", "FCFS"},
    {"sorted-f", "Sorted-$F$"},
    {"sorted-lp", "Sorted-LP"},
    {"lp-swap", "LP-Swap"},
};

struct CurveEntry
{
    std::string_view curve;
    CurveSubject subject;
};

constexpr CurveEntry curve_entries[] = {
    {"chen-3.3", {"a-max", "upper"}},
    {"chen-3.4-printed", {"a-max", "lower"}},
    {"chen-3.4-corrected", {"a-max", "construction"}},
    {"a-max-any-outputs", {"a-max", "general"}},
    {"a-max-dyadic", {"a-max", "construction"}},
    {"a-max-workers", {"a-max", "fluid"}},
    {"a-max-two-point", {"a-max", "fluid"}},
    {"chen-8.6", {"a-random", "upper"}},
    {"chen-8.6-general", {"a-random", "fluid"}},
    {"a-random-two-point", {"a-random", "fluid"}},
    {"chen-5.1", {"a-min", "upper"}},
    {"chen-5.1-general", {"a-min", "fluid"}},
    {"a-min-two-point", {"a-min", "fluid"}},
    {"chen-5.2", {"a-ell", "upper"}},
    {"chen-5.2-general", {"a-ell", "fluid"}},
    {"a-ell-two-point", {"a-ell", "fluid"}},
    {"chen-4.6-geometric", {"a-min", "fluid"}},
    {"chen-4.6-geometric-unbounded", {"a-min", "construction"}},
    {"chen-4.6-linear-geometric", {"a-min", "fluid"}},
    {"chen-5.3", {"a-min", "construction"}},
    {"chen-4.3-trace", {"a-min", "upper"}},
    {"chen-fig-1-fit", {"a-min", "lower"}},
    {"log-bound", {"a-min", "general"}},
    {"svf-3.2", {"by-key", "upper"}},
};

} // namespace

std::string policy_variant(PolicyEntry const& policy)
{
    return policy.label.starts_with(policy.id) ? policy.label.substr(policy.id.size()) : "";
}

std::string policy_text(PolicyEntry const& policy, bool all_at_zero)
{
    auto const rest = policy_variant(policy);
    bool const after_id =
        policy.label.starts_with(policy.id) && (rest.empty() || rest[0] == ' ' || rest[0] == ',');
    for (auto const& name : policy_names)
        if (name.id == policy.id && after_id)
            return std::string(all_at_zero || name.over_time.empty() ? name.text : name.over_time) +
                   typeset(rest);
    return typeset(policy.label);
}

CurveSubject curve_subject(std::string_view curve)
{
    for (auto const& entry : curve_entries)
        if (entry.curve == curve) return entry.subject;
    return {};
}

bool speaks_of(std::string_view curve, std::string const& policy)
{
    auto const subject = curve_subject(curve).policy;
    if (subject.empty()) return false;
    if (subject == policy) return true;
    auto const *const info = find_policy(policy), *const of = find_policy(std::string(subject));
    return info != nullptr && of != nullptr && info->curves_of == of->kind;
}

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
