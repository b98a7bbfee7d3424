#include "analysis/sorted_f/transformed.hh"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace crx::sorted_f {
namespace {

std::int64_t sum_of_outputs(OwnedInstance const& instance, Batch const& batch)
{
    std::int64_t sum = 0;
    for (auto const i : batch) sum += instance.output[i];
    return sum;
}

std::int64_t count_of(Batch const& batch) { return static_cast<std::int64_t>(batch.size()); }

std::int32_t longest(OwnedInstance const& instance, Batch const& batch)
{
    return instance.output[batch.back()];
}

/// Would the shortest request of `next` not raise F of `batch`?
bool ends_group(OwnedInstance const& instance, Batch const& batch, Batch const& next)
{
    auto const sum = sum_of_outputs(instance, batch), n = count_of(batch);
    return !(Quality{sum, n} < Quality{sum + instance.output[next.front()], n + 1});
}

} // namespace

bool keeps_lemma_1(OwnedInstance const& instance, Batch const& batch)
{
    return 2 * sum_of_outputs(instance, batch) > longest(instance, batch) * count_of(batch);
}

std::vector<Rounds> separate_starts(OwnedInstance const& instance,
                                    std::vector<Batch> const& batches)
{
    std::vector<Rounds> starts(instance.output.size(), 0);
    Rounds now = 0;
    for (auto const& batch : batches) {
        for (auto const i : batch) starts[i] = now;
        now += longest(instance, batch);
    }
    return starts;
}

TransformedSortedF transform(OwnedInstance const& instance, std::vector<Batch> const& batches)
{
    CRX_EXPECT(!batches.empty());
    TransformedSortedF made;
    for (std::size_t k = 0; k < batches.size(); ++k)
        if (k + 1 == batches.size() || ends_group(instance, batches[k], batches[k + 1]))
            made.terminal.push_back(k);
    Rounds outputs = 0, separate = 0, group = 0; // when the batch starts
    Fraction align = 0;
    for (std::size_t k = 0, m = 0; k < batches.size(); ++k) {
        auto const n = count_of(batches[k]);
        outputs += sum_of_outputs(instance, batches[k]);
        made.separate += n * separate;
        made.group += n * group;
        made.align += n * align;
        separate += longest(instance, batches[k]);
        if (k != made.terminal[m]) continue;
        group += longest(instance, batches[k]);
        align += Fraction(sum_of_outputs(instance, batches[k]), n);
        ++m;
    }
    made.separate += outputs;
    made.group += outputs;
    made.align += outputs;
    return made;
}

GroupGrowth group_growth(OwnedInstance const& instance, std::vector<Batch> const& batches,
                         std::vector<std::size_t> const& terminal)
{
    // Is longest 2^doublings <= last? 31 doublings are more than any length.
    auto const at_most = [](std::int64_t longest, std::size_t doublings, std::int64_t last) {
        return doublings <= 30 && longest << doublings <= last;
    };
    GroupGrowth made;
    std::size_t first = 0;
    for (auto const last : terminal) {
        std::int64_t const end = longest(instance, batches[last]);
        for (auto k = first; k < last; ++k) {
            std::int64_t const here = longest(instance, batches[k]);
            auto const steps = last - k;
            ++made.compared;
            made.broken += !at_most(here, steps / 2, end);
            made.not_doubled += !at_most(here, steps - 1, end - 1);
            made.largest = std::max(
                made.largest, std::ldexp(static_cast<double>(here), static_cast<int>(steps) - 1) /
                                  static_cast<double>(end));
        }
        first = last + 1;
    }
    return made;
}

TransformedSchedule transform_schedule(OwnedInstance const& instance,
                                       std::vector<Rounds> const& starts)
{
    CRX_EXPECT(starts.size() == instance.output.size());
    TransformedSchedule made;
    std::vector<std::size_t> left(starts.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    std::ranges::stable_sort(left, {}, [&](std::size_t i) { return starts[i]; });
    auto const end_of = [&](std::size_t i) { return starts[i] + instance.output[i]; };
    Rounds outputs = 0;
    for (Rounds now = 0; !left.empty();) {
        now = std::max(now, starts[left.front()]); // nobody active: the next start
        Rounds end = now;
        for (auto const i : left)
            if (starts[i] <= now) end = std::max(end, end_of(i));
        made.ends.push_back(end);
        std::vector<std::size_t> group, later;
        for (auto const i : left) (end_of(i) <= end ? group : later).push_back(i);
        Tokens held = 0;
        for (std::size_t place = 0; place < group.size(); ++place) {
            auto const i = group[place];
            auto const size = Tokens{instance.prompt[i]} + instance.output[i];
            if (place == 0 || held + size > instance.memory) {
                made.batches.emplace_back();
                held = 0;
            }
            held += size;
            made.batches.back().push_back(i);
            outputs += instance.output[i];
        }
        now = end;
        left = std::move(later);
    }
    Fraction before = 0; // sum of means of the batches before
    for (auto const& batch : made.batches) {
        made.align += count_of(batch) * before;
        before += Fraction(sum_of_outputs(instance, batch), count_of(batch));
    }
    made.align += outputs;
    return made;
}

} // namespace crx::sorted_f
