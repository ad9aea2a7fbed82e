// Which graph optimisation of ONNX Runtime makes the difference?
//
// The reference is a run with optimisation disabled. Levels come first: the lowest one that differs is searched. ONNX
// Runtime names the optimizers that changed the graph at that level. The search finds a smallest set of them that has
// to be disabled for the outputs to agree again. It tries optimizers that run only at that level first, since another
// set may remove the difference, too, by keeping the graph from becoming what the guilty optimizer looks for.
//
// In some versions a name has no effect. So the optimised graphs are compared, with and without the optimizers found,
// and if disabling all of them changes nothing, each name is checked.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "blame/output_judge.h"

namespace assay::blame {

struct OptimizerSetting {
  std::string level;                  // as ONNX Runtime's API calls it: "ORT_ENABLE_BASIC"
  std::vector<std::string> disabled;  // names of optimizers
};

// The graph that an engine runs.
struct OptimizedGraph {
  std::vector<std::string> applied;      // the optimizers that changed it, each once, in order
  std::map<std::string, int> operators;  // number of nodes by operator, bodies included
  std::string nodes;                     // text that differs between graphs that differ in a node
};

// Runs the engine; tests simulate one.
class OptimizerProbe {
 public:
  virtual ~OptimizerProbe() = default;
  virtual base::Expected<Agreement> judge(const OptimizerSetting& setting) = 0;
  // Builds the graph without running it. Errors: engine.
  virtual base::Expected<OptimizedGraph> look(const OptimizerSetting& setting) = 0;
};

struct LevelAgreement {
  std::string level;
  Agreement judged;
};

struct OptimizerFindings {
  std::vector<LevelAgreement> levels;  // in order; the reference isn't among them
  std::string level;                   // the lowest one that differs; empty if all agree
  std::vector<std::string> applied;    // optimizers that change the graph at that level
  std::vector<std::string> guilty;     // have to be disabled together; empty if no set of names explains the difference
  std::vector<std::string> without_effect;  // disabling them alone leaves the graph unchanged; only if none is guilty
  std::map<std::string, std::pair<int, int>> operators;  // numbers of nodes with and without them, where they differ
  int runs = 0;                                          // of the model, without the reference
};

// Tries `levels`, ascending. Errors: those of the probe. Logs a line for each run.
base::Expected<OptimizerFindings> find_optimizers(const std::vector<std::string>& levels, OptimizerProbe& probe,
                                                  base::Log& log);

// Returns the levels above the reference up to `last`, ascending; all if `last` is empty.
std::vector<std::string> optimization_levels(const std::string& last);
inline constexpr const char* kReferenceLevel = "ORT_DISABLE_ALL";

}  // namespace assay::blame
