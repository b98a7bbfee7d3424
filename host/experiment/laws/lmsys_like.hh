#pragma once

#include "analysis/laws/lmsys_like.hh"
#include "host/experiment/workload/law_shape.hh"

namespace crx::laws {

/// The stand-in for one source's lengths.
template <LmsysSource source, LmsysPart part>
LawShape lmsys_like_of()
{
    return {.id = "lmsys-like",
            .meaning = "stand-in for that paper's unpublished sample of LMSYS-Chat-1M: "
                       "[lmsys-like.md](lmsys-like.md)",
            .fields = {},
            .least = one,
            .largest = [](LawValues const&) { return lmsys_law(source, part).published.largest; },
            .tabulate = [](LawValues const&) { return tabulate_lmsys(source, part); },
            .source = std::string(lmsys_law(source, part).id),
            .other_fields = "`source` = `\"chen\"`, `\"jaillet\"` or `\"ao\"`"};
}

template <LmsysSource source>
LawShape lmsys_like(LengthRole role)
{
    return role == LengthRole::output ? lmsys_like_of<source, LmsysPart::output>()
                                      : lmsys_like_of<source, LmsysPart::prompt>();
}

} // namespace crx::laws
