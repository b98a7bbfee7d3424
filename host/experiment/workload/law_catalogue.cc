#include "host/experiment/workload/law_catalogue.hh"

#include "host/experiment/laws/binomial.hh"
#include "host/experiment/laws/exponential.hh"
#include "host/experiment/laws/geometric.hh"
#include "host/experiment/laws/linear_geometric.hh"
#include "host/experiment/laws/lmsys_like.hh"
#include "host/experiment/laws/mixed.hh"
#include "host/experiment/laws/normal.hh"
#include "host/experiment/laws/two_point.hh"
#include "host/experiment/laws/uniform.hh"

namespace crx {
namespace {

/// Every law, in the order of messages and of docs/reference.md.
constexpr LawShape (*every_law[])(LengthRole) = {
    laws::two_point,
    laws::geometric,
    laws::linear_geometric,
    laws::uniform,
    laws::normal,
    laws::binomial,
    laws::exponential,
    laws::mixed,
    laws::lmsys_like<LmsysSource::chen>,
    laws::lmsys_like<LmsysSource::jaillet>,
    laws::lmsys_like<LmsysSource::ao>,
};

std::vector<LawShape> catalogue_for(LengthRole role)
{
    std::vector<LawShape> all;
    for (auto const law : every_law) all.push_back(law(role));
    return all;
}

/// "`q` in [0, 1]".
std::string documented(LawField const& field)
{
    auto text = "`" + field.name + "`";
    auto const& [low, high, integer, open_low, open_high] = field.range;
    if (!integer && std::isfinite(high))
        text += " in [" + written_number(low) + ", " + written_number(high) + "]";
    else if (!integer && open_low)
        text += " above " + written_number(low);
    return field.note.empty() ? text : text + " (" + field.note + ")";
}

} // namespace

std::vector<LawShape> const& law_catalogue(LengthRole role)
{
    static auto const outputs = catalogue_for(LengthRole::output);
    static auto const prompts = catalogue_for(LengthRole::prompt);
    return role == LengthRole::output ? outputs : prompts;
}

std::string fields_taken(LawShape const& law)
{
    auto text = law.id + " takes ";
    if (law.fields.empty()) return text + (law.source.empty() ? "no fields" : "source");
    for (std::size_t i = 0; i < law.fields.size(); ++i)
        text += (i == 0 ? "" : i + 1 < law.fields.size() ? ", " : " and ") + law.fields[i].name;
    return text;
}

std::string documented_fields(LawShape const& law)
{
    std::string fields;
    for (auto const& field : law.fields) fields += (fields.empty() ? "" : ", ") + documented(field);
    return fields + law.other_fields;
}

} // namespace crx
