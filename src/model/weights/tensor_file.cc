// Each field of a protobuf message is optional, so the files of other messages, such as SequenceProto, can often be
// parsed as a TensorProto. The result has no element type then, or segments, which ONNX has declared but never used.
#include "model/weights/tensor_file.h"

#include <limits>
#include <utility>

#include "base/mapped_file.h"
#include "model/external_data.h"
#include "model/weights.h"

namespace assay::model {

using base::ErrorKind;
using base::fail;

base::Expected<tensor::NamedTensors::Item> load_tensor(const std::filesystem::path& path) {
  ASSAY_ASSIGN(const auto file, base::MappedFile::open(path));
  const auto bytes = file->bytes();
  const auto refuse = [&] {
    return fail(ErrorKind::invalid_input, "the file doesn't hold an ONNX tensor (TensorProto), or is damaged",
                path.string(), "Sequences and optional values can't be loaded");
  };
  onnx::TensorProto proto;
  if (bytes.size() > std::numeric_limits<int>::max() ||
      !proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return refuse();
  }
  if (element_type(proto) == tensor::ElementType::undefined || proto.has_segment()) return refuse();
  if (is_external(proto)) {
    return fail(ErrorKind::unsupported, "the tensor's values are in another file", path.string(),
                "Save it again with onnx.save_tensor(), which writes them into one file");
  }
  auto tensor = read_weight(Model(), proto);
  if (!tensor) return fail(std::move(tensor).error().within(path.string()));
  return tensor::NamedTensors::Item(proto.name(), *std::move(tensor));
}

}  // namespace assay::model
