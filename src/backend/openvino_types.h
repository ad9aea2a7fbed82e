// OpenVINO's numbers of element types.
#pragma once

#include <optional>

#include "backend/openvino_library.h"
#include "tensor/element_type.h"

namespace assay::backend {

// The numbers were counted anew in 2025, when the first of them, `undefined`, went. Which count a library has is found
// by asking it for the sizes of a few types.
class OpenVinoTypes {
 public:
  // Refused where the sizes fit neither count.
  static Answer<OpenVinoTypes> of(const OpenVinoLibrary& library);

  // Nothing for a type that OpenVINO does not have.
  [[nodiscard]] std::optional<ov::ElementType> number(tensor::ElementType type) const;
  // `undefined` for one that ONNX does not have.
  [[nodiscard]] tensor::ElementType type(ov::ElementType number) const;

 private:
  explicit OpenVinoTypes(int offset) : offset_(offset) {}
  int offset_;
};

}  // namespace assay::backend
