// The GPU of the program crx_on_card, as the environment describes it: for tests of the program.
#include "emulated_card/memory.hh"

#include <cstdlib>

namespace {

template <class Number>
void read(char const* name, Number& number)
{
    if (auto const* const text = std::getenv(name)) number = static_cast<Number>(std::atoll(text));
}

[[maybe_unused]] bool const card_is_read = [] {
    auto& card = emulated::card();
    read("CRX_EMULATED_FAULT_AFTER", card.launches_to_fault);
    read("CRX_EMULATED_CAPABILITY", card.capability);
    read("CRX_EMULATED_CARDS", card.cards);
    read("CRX_EMULATED_POOLS", card.pools);
    return true;
}();

} // namespace
