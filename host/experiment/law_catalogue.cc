#include "host/experiment/law_catalogue.hh"

#include "analysis/laws/clipped_laws.hh"
#include "analysis/laws/discrete_laws.hh"
#include "analysis/laws/lmsys_like.hh"

namespace crx {
namespace laws {
namespace {

LawShape two_point(LengthRole role)
{
    auto const lengths = integers_in(role == LengthRole::output ? 1 : 0, longest_length);
    return {
        .id = "two-point",
        .meaning = "`lower` with probability `short_fraction`, else `upper`; exact: "
                   "round(`short_fraction` n) requests have `lower`, order random",
        .fields = {{"lower", lengths}, {"upper", lengths}, {"short_fraction", numbers_in(0, 1)}},
        .least = lower,
        .largest = upper,
        .tabulate =
            [](LawValues const& v) {
                return two_point_law(lower(v), upper(v), v.at("short_fraction"));
            },
        .other_fields = "; `counts` = `\"random\"` (as it is) or `\"exact\"`"};
}

LawShape geometric(LengthRole)
{
    return {.id = "geometric",
            .meaning = "P(k) ∝ (1-q) q^(k-1) on 1 .. `upper`; q = 1 is uniform",
            .fields = {{"q", numbers_in(0, 1)}, {"upper", integers_in(1, longest_table)}},
            .least = one,
            .largest = upper,
            .tabulate = [](LawValues const& v) { return geometric_law(v.at("q"), upper(v)); },
            .instead = {{"mean", "a mean of m needs q = 1 - 1 / m, and an upper far above m"},
                        {"p", "q is 1 - p"}}};
}

LawShape linear_geometric(LengthRole)
{
    return {
        .id = "linear-geometric",
        .meaning = "P(k) ∝ k (1-q)^2 q^(k-1) on 1 .. `upper`",
        .fields = {{"q", numbers_in(0, 1)}, {"upper", integers_in(1, longest_table)}},
        .least = one,
        .largest = upper,
        .tabulate = [](LawValues const& v) { return linear_geometric_law(v.at("q"), upper(v)); },
        .instead = {{"p", "q is 1 - p"}}};
}

LawShape uniform(LengthRole role)
{
    return {.id = "uniform",
            .meaning = "each integer",
            .fields = {{"lower", lengths_in_table(role)}, {"upper", lengths_in_table(role)}},
            .least = lower,
            .largest = upper,
            .tabulate = [](LawValues const& v) { return uniform_law(lower(v), upper(v)); }};
}

LawShape normal(LengthRole role)
{
    return {.id = "normal",
            .meaning = "truncated to an integer, then clipped",
            .fields = {{"mean", {}},
                       {"deviation", positive_numbers()},
                       {"lower", lengths_in_table(role)},
                       {"upper", lengths_in_table(role)}},
            .least = lower,
            .largest = upper,
            .tabulate =
                [](LawValues const& v) {
                    return normal_law(v.at("mean"), v.at("deviation"), lower(v), upper(v));
                },
            .instead = {{"variance", "deviation is its square root"},
                        {"sigma", "its name here is deviation"}}};
}

LawShape binomial(LengthRole role)
{
    return {.id = "binomial",
            .meaning = "successes + `shift`, which is 1 where left out (0 for prompts)",
            .fields = {{"trials", integers_in(0, longest_table)},
                       {"probability", numbers_in(0, 1)},
                       {"shift", lengths_in_table(role), role == LengthRole::output ? 1 : 0}},
            .least = [](LawValues const& v) { return whole(v, "shift"); },
            .largest = [](LawValues const& v) { return whole(v, "shift") + whole(v, "trials"); },
            .tabulate =
                [](LawValues const& v) {
                    return binomial_law(whole(v, "trials"), v.at("probability"), whole(v, "shift"));
                },
            .instead = {{"n", "its name here is trials"}, {"p", "its name here is probability"}}};
}

LawShape exponential(LengthRole role)
{
    return {
        .id = "exponential",
        .meaning = "truncated to an integer, then clipped",
        .fields = {{"scale", positive_numbers(), {}, "the mean"},
                   {"lower", lengths_in_table(role)},
                   {"upper", lengths_in_table(role)}},
        .least = lower,
        .largest = upper,
        .tabulate =
            [](LawValues const& v) { return exponential_law(v.at("scale"), lower(v), upper(v)); },
        .instead = {{"mean", "scale is the mean"}, {"rate", "scale is 1 / rate"}}};
}

/// WANG's mixed data (EC.4).
LawShape mixed(LengthRole role)
{
    bool const output = role == LengthRole::output;
    return {.id = "mixed",
            .meaning = "WANG's mixed data: outputs exponential of mean 5 on 1 .. 50; prompts 80 % "
                       "exponential of mean 10, 20 % lognormal(ln 40, 0.25), draws above 50 "
                       "replaced by uniform ones on (40, 50)",
            .fields = {},
            .least = one,
            .largest = output ? [](LawValues const&) { return std::int32_t{50}; }
                              : [](LawValues const&) { return std::int32_t{49}; },
            .tabulate = output ? [](LawValues const&) { return exponential_law(5, 1, 50); }
                               : [](LawValues const&) { return mixed_prompt_law(); }};
}

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

} // namespace
} // namespace laws

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
