#pragma once

#include "kernels/launch/device_batch.cuh"

#include <functional>
#include <string>
#include <vector>

namespace crx {

/// A way to run a policy on the instances of a batch: puts kernels into the stream and does not
/// wait. All forms of a policy give the same integers, and leave what they read as it is.
struct Form
{
    char const* name;
    int threads; ///< an instance
    std::function<void(Batch const&, Outcome*)> run;
};

/// Which forms are run. For tests anything but `fastest`.
struct FormWish
{
    std::string name;      ///< the form of this name where there is one; empty: the fastest
    bool compared = false; ///< each is run on all instances, and what they say is compared
};

/// outcome[slot]: the policy's, by the form that is the fastest on this card: the first time that a
/// cell has instances enough, each form runs the first of them (as many as fill the card), the
/// outcomes are compared, and all other instances go by the form that took the least time. Fewer
/// instances go by unmeasured_form(). What comes out does not depend on the choice.
///
/// `host`: the cell's workload, with tables on the host. Throws std::runtime_error where forms do
/// not agree (fastest_form). Contract: at least one form.
void run_fastest(std::vector<Form> const& forms, FormWish const& wish, WorkloadView const& host,
                 PolicySpec const& spec, Batch const& batch, Outcome* outcome);

} // namespace crx
