// A comparison function as assay/comparator/compare.py describes it.
#pragma once

#include <map>
#include <string>
#include <variant>

#include "bindings/interruptible.h"
#include "compare/compare_outputs.h"
#include "stats/equal_specials.h"

namespace assay::python {

struct Comparison {
  // By option ("--atol"), then by output; "" stands for all other outputs. Words are those of the command line.
  using Settings = std::map<std::string, std::map<std::string, std::variant<double, std::string>>>;

  std::string function;
  Settings settings;
  bool check_shapes = true;
  stats::EqualSpecials equal;
  bool fail_fast = false;
};

// Returns the plan with the function as its only one. LPIPS is measured in the pool of `call`, which must outlive the
// plan. Throws InputError if a setting has a wrong value. The caller must hold the GIL.
compare::ComparePlan to_plan(const Comparison& comparison, Interruptible& call);

}  // namespace assay::python
