#include "analysis/laws/lmsys_like.hh"

#include "kernels/base/host_device.cuh"

#include <mutex>

namespace crx {

namespace {

TabulatedLaw binned_law(LmsysLaw const& law)
{
    std::vector<std::int32_t> value;
    std::vector<Real> mass;
    for (int weight : law.bins)
        for (std::int32_t k = 0; k < law.bin; ++k) {
            value.push_back(static_cast<std::int32_t>(value.size()) + 1);
            mass.emplace_back(weight);
        }
    return tabulate_masses(value, mass);
}

std::size_t place_of(LmsysLaw const& law)
{
    for (std::size_t i = 0; i < lmsys_catalogue.size(); ++i)
        if (lmsys_catalogue[i].source == law.source && lmsys_catalogue[i].part == law.part)
            return i;
    CRX_EXPECT(false); // every source has both parts
    return 0;
}

} // namespace

LmsysLaw const& lmsys_law(LmsysSource source, LmsysPart part)
{
    LmsysLaw wanted = lmsys_catalogue.front();
    wanted.source = source;
    wanted.part = part;
    return lmsys_catalogue[place_of(wanted)];
}

GeneralisedGamma const& lmsys_fit(LmsysLaw const& law)
{
    CRX_EXPECT(law.bin == 0);
    static std::array<std::once_flag, lmsys_laws> once;
    static std::array<GeneralisedGamma, lmsys_laws> fits;
    auto const place = place_of(law);
    std::call_once(once[place], [&] {
        auto const fit = fit_generalised_gamma(law.published, law.start);
        CRX_ENSURE(fit.has_value()); // the catalogue is fixed, and its tests fit every entry
        fits[place] = *fit;
    });
    return fits[place];
}

TabulatedLaw const& tabulate_lmsys(LmsysSource source, LmsysPart part)
{
    static std::array<std::once_flag, lmsys_laws> once;
    static std::array<TabulatedLaw, lmsys_laws> tables;
    auto const& law = lmsys_law(source, part);
    auto const place = place_of(law);
    std::call_once(once[place], [&] {
        tables[place] = law.bin > 0 ? binned_law(law)
                                    : generalised_gamma_law(lmsys_fit(law), law.published.largest);
    });
    return tables[place];
}

} // namespace crx
