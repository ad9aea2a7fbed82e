// Converts element types to and from OpenVINO's numbers.
#pragma once

#include <optional>

#include "backend/openvino/library.h"
#include "tensor/element_type.h"

namespace assay::backend {

// OpenVINO 2025 removed the first type, `undefined`, and renumbered the others. Which numbering a library uses is found
// by checking the sizes that it reports for a few types.
class OpenVinoTypes {
 public:
  // Determines the numbering. Returns a Refused if the sizes fit neither.
  static Answer<OpenVinoTypes> of(const OpenVinoLibrary& library);

  // Returns nullopt for a type that OpenVINO doesn't support.
  [[nodiscard]] std::optional<ov::ElementType> number(tensor::ElementType type) const;
  // Returns `undefined` for a type that ONNX doesn't have.
  [[nodiscard]] tensor::ElementType type(ov::ElementType number) const;

 private:
  explicit OpenVinoTypes(int offset) : offset_(offset) {}
  int offset_;
};

}  // namespace assay::backend
