#include "kernels/engines/a_min_small/variants.hh"

namespace crx {

std::span<AMinSmallVariant const* const> a_min_small_variants()
{
#ifdef CRX_FEW_FORMS
    struct Forms
    {
        AMinSmallVariant const* of[2];
        std::size_t count = 0;
        Forms()
        {
            for (auto const* const form : {&a_min_small_avx512, &a_min_small_avx2})
                if (form->width <= lane_width()) of[count++] = form;
        }
    };
    static Forms const forms;
    return {forms.of, forms.count};
#else
    return {};
#endif
}

AMinSmallVariant const* best_few_form()
{
    auto const forms = a_min_small_variants();
    return forms.empty() ? nullptr : forms.front();
}

} // namespace crx
