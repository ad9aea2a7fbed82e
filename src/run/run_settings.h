// The settings of a run as data, for code that does the same work without the command `run`.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compare/compare_options.h"
#include "data/input_source.h"
#include "data/run_results.h"
#include "edit/mark_outputs.h"
#include "model/shapes.h"
#include "run/engine_runner.h"

namespace assay::run {

struct RunSettings {
  std::vector<EngineSetup> engines{};
  std::unique_ptr<data::InputSource> inputs{};
  std::map<std::string, std::vector<model::Dimension>> shapes{};  // of generated inputs, as far as they are given
  std::vector<data::RunnerResults> saved{};                       // results to compare with
  compare::CompareOptions tolerances{};
  edit::MarkOptions marks{};
  bool validate = false;
  bool as_it_is = true;    // the model runs unchanged: no outputs marked, no shapes inferred
  bool by_element = true;  // outputs are compared unchanged: their shapes, and each element within tolerances
};

}  // namespace assay::run
