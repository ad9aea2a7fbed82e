#include "model/serialize.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "model/external_data.h"
#include "model/splice_weights.h"
#include "model/visit_tensors.h"
#include "model/weights.h"

namespace assay::model {

using base::ErrorKind;
using base::fail;

base::Status check_file_size(std::uint64_t bytes) {
  if (bytes <= kLargestFile) return {};
  return fail(ErrorKind::invalid_input,
              fmt::format("the model with its weights takes {}, but an ONNX file can hold at most 2 GiB",
                          base::format_bytes(bytes)),
              {}, "Save the weights to a separate file with --save-external-data");
}

base::Expected<std::uint64_t> inline_bytes(const Model& model) {
  std::uint64_t bytes = model.proto.ByteSizeLong();
  if (bytes <= kLargestFile) {
    ASSAY_ASSIGN(const Splice splice, splice_weights(model));
    return splice.size;
  }
  visit_tensors(model.proto, [&](const onnx::TensorProto& tensor, TensorRole) {
    if (is_external(tensor)) bytes += data_bytes(tensor);
  });
  return bytes;
}

base::Expected<std::string> serialize(const Model& model) {
  std::string bytes;
  ASSAY_TRY(serialize(model, [&](std::size_t size) {
    bytes.resize(size);
    return bytes.data();
  }));
  return bytes;
}

base::Status serialize(const Model& model, const std::function<char*(std::size_t)>& allocate) {
  ASSAY_ASSIGN(const Splice splice, splice_weights(model));
  ASSAY_TRY(check_file_size(splice.size));
  char* out = allocate(splice.size);
  if (out == nullptr) return fail(ErrorKind::io, "cannot allocate memory for the serialized model");
  copy_bytes(splice, out);
  return {};
}

}  // namespace assay::model
