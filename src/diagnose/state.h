// The state of a diagnosis: one answer per finished step, and the facts that later steps build on.
//
// The state is a value. A step gets a copy, and the copy replaces the original when the step has ended, so a step that
// is interrupted leaves nothing behind.
#pragma once

#include <onnx/onnx_pb.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/page/page.h"

namespace assay::diagnose {

// The kind of failure of an engine with the model.
enum class Failure {
  none,
  refused,     // it doesn't run the model: an error, a crash, a time-out
  random,      // the same inputs lead to different outputs
  not_finite,  // outputs hold NaN, and no other side has finite ones
  overflows,   // values inside the model are too large for float16, whatever the engine
  differs,     // its outputs differ from those that are assumed to be right
};

// The phase of an engine that can't even be started, whatever the model.
inline constexpr const char* kNeverStarted = "start";

// Numbers of sides: positions in Case::sides, or one of these.
inline constexpr int kNoSide = -1;
inline constexpr int kGolden = -2;  // the saved results

// A setting that makes the difference.
struct DecidingSetting {
  std::string text;                            // "QDQSelectorActionTransformer is disabled"; empty: none found
  std::map<std::string, std::string> options;  // of the worker, with which the engine is right
  std::string level;                           // ONNX Runtime: the lowest level that differs
  std::vector<std::string> optimizers;
  // With the options of `plain`, the engine agrees with the good side: it can be compared with itself.
  std::map<std::string, std::string> plain;
};

// A node, as sentences name it.
struct NodeLabel {
  std::string op_type;   // "Conv"
  std::string title;     // "Conv 'conv1'"
  std::string text;      // "Conv 'conv1' (node #3)"; empty: no node
  std::string source{};  // the line of a PyTorch program that it comes from (model/source_line.h); may be empty
};
NodeLabel label_of(const onnx::NodeProto& node, int index);

// The place at which the failure begins.
struct Place {
  NodeLabel node;         // empty: unknown
  std::string tensor;     // of NaN that a weight of the node holds: the weight
  bool confirmed = true;  // false: nothing but a message or a difference inside the model points at the node
  // Nodes before it, if nothing between them can be compared, as for sequences: any of them may be the cause.
  std::vector<std::string> together{};
  std::string model_file, inputs_file, golden_file;  // the saved piece, if it was seen to fail; else empty
  int nodes = 0;                                     // of the piece
};

// The smallest failing model that was found.
struct Minimal {
  std::string file;                // empty: none
  int nodes = 0;                   // those in bodies included
  bool complete = true;            // false: the budget ended before it was known to be minimal
  std::vector<std::string> lines;  // its nodes for people, those in bodies and functions indented
  std::vector<NodeLabel> outer;    // the same nodes without those in bodies and functions
  // Local functions that no node calls. If `complete`, the failure disappears without any of them.
  std::vector<std::string> uncalled_functions{};
  std::string command;  // the reduction
  std::string check;    // the check that fails on it
  std::string folder;   // for a bug report; may be empty
  // How it was found: the checks of the reduction, and the candidates without one of its nodes.
  std::vector<report::PageCheck> checks;
  std::vector<report::PageTable> proof;
};

struct KnownIssue {
  std::string what, link;  // empty: none
};

// The error of a tensor, as the report shows it: its name, errors and origin are set.
using LayerErrors = std::vector<report::PageTensor>;

struct Facts {
  std::string defect;               // why the model is invalid; empty if it is valid or that is unknown
  std::string defect_node;          // the node that is invalid; may be empty
  bool defect_is_official = false;  // ONNX's checker rejects the model
  Failure failure = Failure::none;
  int faulty_side = kNoSide;
  int good_side = kNoSide;       // the side that is assumed to be right
  bool good_is_sure = true;      // another engine or the float64 run confirms which side is right; of NaN: has it, too
  std::string message;           // the engine's error, or the difference in a few words
  std::string details;           // the whole error
  std::string phase;             // "load", "run" or kNeverStarted, if refused
  bool refuses_all = false;      // nor can it run one Identity node with the same IR version and operator sets
  bool is_intermittent = false;  // if refused: it has run the model before, too
  double hung_s = 0;             // if refused because the engine didn't end: the seconds after which it was stopped
  std::string output;            // the first output that fails
  bool nan_on_both_sides = false;  // outputs of all sides that have them hold NaN; others may still differ
  std::string note;                // on outputs that differ: "output 'y' has the values of 'z'"; or what to do
  bool is_moved = false;           // all outputs that differ are explained by another order or layout
  bool moves_all = false;          // the side at fault does that even to outputs of Identity nodes: no node is to blame
  std::string floor;     // why a difference isn't a failure: "inside the noise floor ..."; empty: no such case
  std::string no_floor;  // why the noise floor of a difference wasn't measured; empty: it was, or nothing differs
  std::map<std::string, std::string> versions;  // of the engines that run the model or failed first, by runner
  double slowest_s = 0;                         // the longest that an engine took to load or run the model
  std::map<std::string, double> engine_s;       // the same for each engine, by runner
  DecidingSetting setting;
  Place place;
  LayerErrors layers;  // of the search for the place
  Minimal minimal;
  KnownIssue known;
};

// Returns true if the failure is NaN that an input holds.
inline bool comes_from_input(const Facts& facts) {
  return facts.failure == Failure::not_finite && facts.place.node.text.empty() && !facts.place.tensor.empty();
}

struct Step {
  std::string name;  // as in the table of steps
  report::PageStep answer;
  bool cut_short = false;  // its share of the budget was over, so that it isn't finished
};

struct State {
  std::string identity;     // of the model, the data and the options; another diagnosis has another one
  std::vector<Step> steps;  // finished, in the order of the table
  Facts facts;
  std::optional<Facts> facts_before_cut{};  // those with which the first step that was cut short began

  [[nodiscard]] const Step* find(std::string_view name) const;  // null if it isn't finished
};

}  // namespace assay::diagnose
