#include "kernels/engine/few_forms.hh"

namespace crx {

std::span<FewForm const* const> few_forms()
{
#ifdef CRX_FEW_FORMS
    struct Forms
    {
        FewForm const* of[2];
        std::size_t count = 0;
        Forms()
        {
            for (auto const* const form : {&few_avx512, &few_avx2})
                if (form->width <= lane_width()) of[count++] = form;
        }
    };
    static Forms const forms;
    return {forms.of, forms.count};
#else
    return {};
#endif
}

FewForm const* best_few_form()
{
    auto const forms = few_forms();
    return forms.empty() ? nullptr : forms.front();
}

} // namespace crx
