// Each answer splits a range of nodes into smaller ranges, so asking again ends. A range that the engine refuses
// without splitting it is a part.
#include "surgeon/partition.h"

#include <algorithm>
#include <set>
#include <utility>

#include "model/graph_view.h"

namespace assay::surgeon {
namespace {

// Returns the nodes from `begin` to before `end` as a model: its inputs are the tensors that they read and don't
// compute. Its outputs are those of their results that a node outside them reads, that no node reads, or that are
// outputs of the model. Errors: those of extract().
base::Expected<model::Model> extract_nodes(const model::Model& model, std::size_t begin, std::size_t end,
                                           const FindShapes& find_shapes, base::Log& log) {
  const model::GraphView view(model.graph());
  const auto first = static_cast<model::NodeId>(begin);
  const auto last = static_cast<model::NodeId>(end);
  const auto is_inside = [first, last](model::NodeId node) { return node >= first && node < last; };
  ExtractOptions options;
  options.inputs.emplace();
  options.outputs.emplace();
  std::set<std::string, std::less<>> seen;
  for (model::NodeId node = first; node < last; ++node) {
    for (const model::TensorId tensor : view.inputs(node)) {
      const std::string name(view.name(tensor));
      if (is_inside(view.producer(tensor)) || view.is_initializer(tensor) || !seen.insert(name).second) continue;
      options.inputs->push_back({.name = name});
    }
    for (const model::TensorId tensor : view.outputs(node)) {
      const std::string name(view.name(tensor));
      const auto readers = view.consumers(tensor);
      const bool leaves = readers.empty() || view.is_graph_output(tensor) || !std::ranges::all_of(readers, is_inside);
      if (leaves) options.outputs->push_back({.name = name});
    }
  }
  return extract(model, options, find_shapes, log);
}

class Partition {
 public:
  Partition(const model::Model& model, const AskEngine& ask, const FindShapes& find_shapes, base::Log& log)
      : model_(model), ask_(ask), find_shapes_(find_shapes), log_(log) {}

  base::Expected<std::vector<PartOfModel>> run() {
    ASSAY_ASSIGN(const Opinion opinion, ask_(model_));
    const auto count = static_cast<std::size_t>(model_.graph().node_size());
    ASSAY_TRY(split(0, count, opinion));
    return std::move(parts_);
  }

 private:
  base::Status add(std::size_t begin, std::size_t end, bool supported, std::string reason) {
    ASSAY_ASSIGN(model::Model part, extract_nodes(model_, begin, end, find_shapes_, log_));
    parts_.push_back({begin, end, supported, std::move(reason), std::move(part)});
    return {};
  }

  // Asks about a part of a refused range.
  base::Status ask_again(std::size_t begin, std::size_t end) {
    ASSAY_ASSIGN(const model::Model part, extract_nodes(model_, begin, end, find_shapes_, log_));
    ASSAY_ASSIGN(const Opinion opinion, ask_(part));
    return split(begin, end, opinion);
  }

  base::Status split(std::size_t begin, std::size_t end, const Opinion& opinion) {
    std::size_t next = begin;
    for (const Opinion::Group& group : opinion.groups) {
      if (group.nodes.empty()) continue;
      const std::size_t from = begin + group.nodes.front();
      const std::size_t to = begin + group.nodes.back() + 1;
      if (from < next || to <= from || to > end) {
        return base::fail(base::ErrorKind::invalid_input, "the engine names nodes that don't exist, or twice");
      }
      ASSAY_TRY(refused(next, from, begin, end, opinion));
      if (group.supported) {
        ASSAY_TRY(add(from, to, true, {}));
      } else {
        ASSAY_TRY(refused(from, to, begin, end, opinion));
      }
      next = to;
    }
    return refused(next, end, begin, end, opinion);
  }

  // Handles a range that was refused when `begin` to `end` was asked about.
  base::Status refused(std::size_t from, std::size_t to, std::size_t begin, std::size_t end, const Opinion& opinion) {
    if (from == to) return {};
    if (from == begin && to == end) return add(from, to, false, opinion.reason);
    return ask_again(from, to);
  }

  const model::Model& model_;
  const AskEngine& ask_;
  const FindShapes& find_shapes_;
  base::Log& log_;
  std::vector<PartOfModel> parts_;
};

}  // namespace

base::Expected<std::vector<PartOfModel>> partition(const model::Model& model, const AskEngine& ask,
                                                   const FindShapes& find_shapes, base::Log& log) {
  return Partition(model, ask, find_shapes, log).run();
}

}  // namespace assay::surgeon
