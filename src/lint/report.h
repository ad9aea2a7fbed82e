// The findings of `check lint`, as data: printed as text (report_text.h) or as Polygraphy's JSON report
// (report_json.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/graph_view.h"
#include "model/model.h"

namespace assay::lint {

enum class Severity {
  exception,  // the model is wrong, or an engine rejects it
  warning,    // the model works, but something looks like a mistake
};

// The source of a finding. The report uses Polygraphy's names for them.
enum class Source {
  loader,   // the file can't be read, or holds nothing
  checker,  // a rule of the ONNX standard is broken, or types or shapes contradict each other
  graph,    // names, and what is left unused
  engine,   // ONNX Runtime
};

struct Finding {
  Severity severity = Severity::exception;
  Source source = Source::checker;
  std::string message;
  std::vector<model::NodeId> nodes = {};  // of the model's graph; empty: the whole model
  // Becomes a warning if the engine accepts the nodes: what the checker says about single nodes.
  bool engine_decides = false;
};

enum class CheckResult { passes, fails, unknown };

// One node of the model's graph.
struct NodeResults {
  std::string name;   // unique for a node without a name: "polygraphy_unnamed_node_3"
  std::string title;  // "Conv 'conv_1' (node #3)"
  CheckResult checker = CheckResult::passes;
  CheckResult engine = CheckResult::unknown;
};

struct Report {
  std::vector<NodeResults> nodes;  // in the order of the file
  std::vector<Finding> findings;

  void add(Severity severity, Source source, std::string message, std::vector<model::NodeId> nodes = {});
  // Adds the checker's finding about a node. As in Polygraphy, apply_engine_results() can turn it into a warning.
  void reject_node(model::NodeId node, std::string message);
  // Turns findings about nodes that the engine accepts into warnings. The checker's verdicts stay.
  void apply_engine_results();
  [[nodiscard]] std::size_t count(Severity severity) const;
  [[nodiscard]] bool passes() const { return count(Severity::exception) == 0; }
};

// Creates the rows of the nodes, all of which pass the checker so far.
Report make_report(const model::Model& model);

}  // namespace assay::lint
