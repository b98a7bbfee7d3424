#include "host/experiment/law_catalogue.hh"

#include "analysis/laws/clipped_laws.hh"
#include "analysis/laws/discrete_laws.hh"
#include "analysis/laws/lmsys_like.hh"

namespace crx {

namespace {

std::int32_t whole(LawValues const& values, char const* name)
{
    return static_cast<std::int32_t>(values.at(name));
}

std::int32_t one(LawValues const&) { return 1; }
std::int32_t fifty(LawValues const&) { return 50; }
std::int32_t forty_nine(LawValues const&) { return 49; }
std::int32_t lower(LawValues const& v) { return whole(v, "lower"); }
std::int32_t upper(LawValues const& v) { return whole(v, "upper"); }

/// The stand-in for one source's lengths.
template <LmsysSource source, LmsysPart part>
LawShape lmsys_like()
{
    return {"lmsys-like",
            "fitted to what `source` (\"chen\", \"jaillet\" or \"ao\") prints of its sample",
            {},
            one,
            [](LawValues const&) { return lmsys_law(source, part).published.largest; },
            [](LawValues const&) { return tabulate_lmsys(source, part); },
            std::string(lmsys_law(source, part).id)};
}

template <LmsysPart part>
void add_lmsys_like(std::vector<LawShape>& laws)
{
    laws.push_back(lmsys_like<LmsysSource::chen, part>());
    laws.push_back(lmsys_like<LmsysSource::jaillet, part>());
    laws.push_back(lmsys_like<LmsysSource::ao, part>());
}

std::vector<LawShape> catalogue_for(LengthRole role)
{
    double const least = role == LengthRole::output ? 1 : 0;
    auto const lengths = integers_in(least, longest_length);
    auto const tabled = integers_in(least, longest_table);
    NumberRange const any;
    std::vector<LawShape> laws;
    laws.push_back(
        {"two-point",
         "`lower` with probability `short_fraction`, else `upper`",
         {{"lower", lengths, {}}, {"upper", lengths, {}}, {"short_fraction", numbers_in(0, 1), {}}},
         lower,
         upper,
         [](LawValues const& v) {
             return two_point_law(lower(v), upper(v), v.at("short_fraction"));
         }});
    laws.push_back({"geometric",
                    "P(k) proportional to (1-q) q^(k-1) on 1 .. `upper`; q = 1 is uniform",
                    {{"q", numbers_in(0, 1), {}}, {"upper", integers_in(1, longest_table), {}}},
                    one,
                    upper,
                    [](LawValues const& v) { return geometric_law(v.at("q"), upper(v)); }});
    laws.push_back({"linear-geometric",
                    "P(k) proportional to k (1-q)^2 q^(k-1) on 1 .. `upper`",
                    {{"q", numbers_in(0, 1), {}}, {"upper", integers_in(1, longest_table), {}}},
                    one,
                    upper,
                    [](LawValues const& v) { return linear_geometric_law(v.at("q"), upper(v)); }});
    laws.push_back({"uniform",
                    "each integer from `lower` to `upper`",
                    {{"lower", tabled, {}}, {"upper", tabled, {}}},
                    lower,
                    upper,
                    [](LawValues const& v) { return uniform_law(lower(v), upper(v)); }});
    laws.push_back({"normal",
                    "normal, truncated to an integer, then clipped to [`lower`, `upper`]",
                    {{"mean", any, {}},
                     {"deviation", positive_numbers(), {}},
                     {"lower", tabled, {}},
                     {"upper", tabled, {}}},
                    lower,
                    upper,
                    [](LawValues const& v) {
                        return normal_law(v.at("mean"), v.at("deviation"), lower(v), upper(v));
                    }});
    laws.push_back({"binomial",
                    "successes of `trials` with `probability`, plus `shift`",
                    {{"trials", integers_in(0, longest_table), {}},
                     {"probability", numbers_in(0, 1), {}},
                     {"shift", tabled, least}},
                    [](LawValues const& v) { return whole(v, "shift"); },
                    [](LawValues const& v) { return whole(v, "shift") + whole(v, "trials"); },
                    [](LawValues const& v) {
                        return binomial_law(whole(v, "trials"), v.at("probability"),
                                            whole(v, "shift"));
                    }});
    laws.push_back(
        {"exponential",
         "exponential of mean `scale`, truncated, then clipped to [`lower`, `upper`]",
         {{"scale", positive_numbers(), {}}, {"lower", tabled, {}}, {"upper", tabled, {}}},
         lower,
         upper,
         [](LawValues const& v) { return exponential_law(v.at("scale"), lower(v), upper(v)); }});
    laws.push_back({"mixed",
                    role == LengthRole::output
                        ? "outputs of WANG's mixed data: exponential of mean 5 clipped to [1, 50]"
                        : "prompts of WANG's mixed data: 80 % exponential of mean 10, 20 % "
                          "lognormal, at most 49",
                    {},
                    one,
                    role == LengthRole::output ? fifty : forty_nine,
                    role == LengthRole::output
                        ? [](LawValues const&) { return exponential_law(5, 1, 50); }
                        : [](LawValues const&) { return mixed_prompt_law(); }});
    if (role == LengthRole::output)
        add_lmsys_like<LmsysPart::output>(laws);
    else
        add_lmsys_like<LmsysPart::prompt>(laws);
    return laws;
}

} // namespace

std::vector<LawShape> const& law_catalogue(LengthRole role)
{
    static auto const outputs = catalogue_for(LengthRole::output);
    static auto const prompts = catalogue_for(LengthRole::prompt);
    return role == LengthRole::output ? outputs : prompts;
}

} // namespace crx
