// The nodes of a quantized model as a PrecisionSubject: some are computed as in the model before quantization, and the
// others as the quantized model has them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "blame/mixed_model.h"
#include "model/model.h"
#include "surgeon/graph/quantized_parts.h"

namespace assay::blame {

class QuantizedNodes final : public MixedModel {
 public:
  // Inlines the functions of both models. `engine` runs them; it may be missing if only write() and save() are called.
  // `name` is that of `quantized` in messages. Errors: invalid_input if no node differs; those of
  // surgeon::inline_functions().
  static base::Expected<QuantizedNodes> make(model::Model floats, model::Model quantized,
                                             std::optional<run::EngineSetup> engine, const std::string& name);

  [[nodiscard]] const std::vector<PrecisionCandidate>& candidates() const override { return nodes_; }
  [[nodiscard]] std::string describe(const PrecisionCandidate& node) const override;
  // Knows of none: how much a quantized node harms shows only in a run.
  [[nodiscard]] std::vector<int> suspects(const std::map<std::string, double>& largest) const override;
  // The model before quantization, without Constant nodes.
  [[nodiscard]] const model::Model& whole() const override { return floats_; }
  // Returns the names of all nodes of these parts, for a quantizer's list of nodes to leave out. Nodes without a name
  // aren't among them.
  [[nodiscard]] std::vector<std::string> names_of(const std::set<int>& keep) const override;

 private:
  QuantizedNodes(model::Model floats, model::Model quantized, std::optional<run::EngineSetup> engine)
      : MixedModel(std::move(engine)), floats_(std::move(floats)), quantized_(std::move(quantized)) {}

  [[nodiscard]] base::Expected<model::Model> mix(const std::set<int>& keep) const override;
  [[nodiscard]] const onnx::NodeProto& node(model::NodeId id) const { return floats_.graph().node(id); }

  model::Model floats_;
  model::Model quantized_;
  std::vector<surgeon::QuantizedPart> parts_;
  std::vector<PrecisionCandidate> nodes_;  // the last of each part; `number` is the part's position
};

}  // namespace assay::blame
