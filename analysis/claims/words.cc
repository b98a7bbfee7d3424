#include "analysis/claims/words.hh"

namespace crx::claims {

std::string_view name_of(Paper paper)
{
    switch (paper) {
    case Paper::jaillet: return "JAILLET";
    case Paper::wang: return "WANG";
    case Paper::chen: return "CHEN";
    case Paper::ao: return "AO";
    }
    return {};
}

std::string_view name_of(Method method)
{
    switch (method) {
    case Method::identity: return "exact identity";
    case Method::exhaustion: return "exhaustion";
    case Method::search: return "search";
    case Method::simulation: return "simulation with intervals";
    case Method::closed_form: return "closed form";
    case Method::proof: return "proof";
    case Method::reproduction: return "reproduction";
    }
    return {};
}

std::string_view name_of(Verdict verdict)
{
    switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::proved: return "proved";
    case Verdict::sharpened: return "sharpened";
    case Verdict::broken: return "broken";
    case Verdict::broken_as_printed: return "broken as printed";
    case Verdict::loose: return "loose";
    case Verdict::open: return "open";
    case Verdict::not_testable: return "not testable";
    }
    return {};
}

} // namespace crx::claims
