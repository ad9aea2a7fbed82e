#include "blame/quantized_nodes.h"

#include <fmt/format.h>

#include "base/at.h"
#include "base/counted.h"
#include "surgeon/graph/constants.h"
#include "surgeon/graph/inline_functions.h"
#include "surgeon/graph/restore_parts.h"

namespace assay::blame {

constexpr std::size_t kNamedNodes = 3;  // of a part, in messages

base::Expected<QuantizedNodes> QuantizedNodes::make(model::Model floats, model::Model quantized,
                                                    std::optional<run::EngineSetup> engine, const std::string& name) {
  ASSAY_TRY(surgeon::inline_functions(floats));
  ASSAY_TRY(surgeon::inline_functions(quantized));
  for (model::Model* model : {&floats, &quantized}) surgeon::lift_constants(model->proto);
  QuantizedNodes subject(std::move(floats), std::move(quantized), std::move(engine));
  subject.parts_ = surgeon::find_quantized_parts(subject.floats_, subject.quantized_);
  if (subject.parts_.empty()) {
    return base::fail(base::ErrorKind::invalid_input, "no tensor is computed by other nodes than in the float model",
                      name,
                      "Give the model that was quantized, as the quantizer got it: tensors must have the same names");
  }
  for (const surgeon::QuantizedPart& part : subject.parts_) {
    const auto number = static_cast<int>(subject.nodes_.size());
    subject.nodes_.push_back(candidate_of(subject.node(part.nodes.back()), number));
  }
  return subject;
}

std::string QuantizedNodes::describe(const PrecisionCandidate& node) const {
  const std::vector<model::NodeId>& nodes = parts_[base::at(node.number)].nodes;
  std::string text;
  if (nodes.size() > kNamedNodes) {
    return fmt::format("{}, with {} before it", model::describe_node(this->node(nodes.back()), nodes.back()),
                       base::counted(nodes.size() - 1, "node"));
  }
  for (const model::NodeId id : nodes) {
    text += (text.empty() ? "" : ", ") + model::describe_node(this->node(id), id);
  }
  return text;
}

std::vector<int> QuantizedNodes::suspects(const std::map<std::string, double>& /*largest*/) const {
  return {};
}

std::vector<std::string> QuantizedNodes::names_of(const std::set<int>& keep) const {
  std::vector<std::string> names;
  for (const int number : keep) {
    for (const model::NodeId id : parts_[base::at(number)].nodes) {
      if (!node(id).name().empty()) names.push_back(node(id).name());
    }
  }
  return names;
}

base::Expected<model::Model> QuantizedNodes::mix(const std::set<int>& keep) const {
  std::vector<surgeon::QuantizedPart> parts;
  for (const int number : keep) parts.push_back(parts_[base::at(number)]);
  return surgeon::restore_parts(floats_, quantized_, parts);
}

}  // namespace assay::blame
