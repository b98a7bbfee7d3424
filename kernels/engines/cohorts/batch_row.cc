#include "kernels/engines/cohorts/batch_row.hh"

#include "kernels/engines/lazy_instances.hh"

namespace crx {
namespace {

class CohortBatchRunner final : public BatchRunner
{
  public:
    explicit CohortBatchRunner(std::unique_ptr<InstanceBatch> batch)
        : BatchRunner(batch->lanes()), batch_(std::move(batch))
    {
    }

    void execute(InstanceRange range, LazyInstances& instances, ScheduleLog const&,
                 std::optional<Outcome>* outcomes) override
    {
        auto const count = static_cast<int>(range.count);
        batch_->execute(range.first, count, instances.counts(range));
        for (int k = 0; k < count; ++k) outcomes[k] = batch_->outcome(k);
    }

  private:
    std::unique_ptr<InstanceBatch> batch_;
};

} // namespace

std::string cohort_batch_refusal(EngineCase const& c)
{
    if (!c.counts_only) return "another policy of the cell has requests written down one by one";
    return c.vectors_refusal();
}

double cohort_batch_cost(PolicySpec const& spec, EngineCase const& c, double part)
{
    return part * cohorts_engine.cost(spec, c);
}

std::unique_ptr<BatchRunner> cohort_batch_runner(std::unique_ptr<InstanceBatch> batch)
{
    CRX_EXPECT(batch != nullptr);
    return std::make_unique<CohortBatchRunner>(std::move(batch));
}

} // namespace crx
