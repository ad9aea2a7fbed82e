#include "model/weights/read_in_pieces.h"

#include <algorithm>

#include "model/external_data.h"
#include "model/weights.h"

namespace assay::model {

base::Status read_in_pieces(const Model& model, const onnx::TensorProto& proto, std::size_t piece,
                            const std::function<bool(std::span<const std::byte>)>& visit) {
  constexpr std::size_t kReleaseEvery = 16 << 20;
  ASSAY_ASSIGN(const tensor::Tensor weight, read_weight(model, proto));
  FileRange range;
  if (is_external(proto)) {
    ASSAY_ASSIGN(const ExternalData data, external_data(proto));
    ASSAY_ASSIGN(range, find_range(*model.files, data, proto));
  }
  const std::span<const std::byte> bytes = weight.bytes();
  std::size_t released = 0;
  bool more = true;
  for (std::size_t at = 0; more && at < bytes.size(); at += piece) {
    const std::size_t size = std::min(piece, bytes.size() - at);
    more = visit(bytes.subspan(at, size));
    if (range.file && at + size - released >= kReleaseEvery) {
      released = at + size;
      range.file->release(range.offset + released);
    }
  }
  if (range.file) range.file->release(range.offset + bytes.size());
  return {};
}

}  // namespace assay::model
