#include "shard/split_weight.h"

#include <fmt/format.h>

#include <cstddef>
#include <span>

#include "model/weights.h"
#include "model/weights/read_in_pieces.h"
#include "tensor/element_type.h"

namespace assay::shard {

using base::ErrorKind;
using base::fail;

base::Expected<std::int64_t> part_of(std::int64_t size, const Part& part, std::string_view name) {
  if (size % part.count == 0) return size / part.count;
  return fail(ErrorKind::invalid_input,
              fmt::format("{} is {}, which can't be split into {} equal parts", name, size, part.count), "--nb-rank",
              "Choose another number of devices");
}

base::Status keep_part(const model::Model& model, onnx::TensorProto& weight, int axis, const Part& part,
                       model::WeightSpill& spill) {
  ASSAY_ASSIGN(const std::int64_t size,
               part_of(weight.dims(axis), part, fmt::format("dimension {} of weight '{}'", axis, weight.name())));
  std::int64_t inner = 1;  // elements of one index of the dimension
  for (int i = axis + 1; i < weight.dims_size(); ++i) inner *= weight.dims(i);
  const auto bits = static_cast<std::int64_t>(tensor::info(model::element_type(weight)).bits);
  // In the order of the elements, the parts take turns. A piece is a whole number of indices, and of bytes.
  const std::int64_t turn = size * inner;
  const std::int64_t piece = inner > 1 && inner * bits % 8 == 0 ? inner : turn;
  if (bits == 0 || piece * bits % 8 != 0) {
    return fail(ErrorKind::unsupported,
                fmt::format("the parts of weight '{}' don't consist of whole bytes", weight.name()), "--nb-rank",
                "Choose another number of devices");
  }
  std::int64_t at = 0;
  ASSAY_TRY(model::read_in_pieces(model, weight, static_cast<std::size_t>(piece * bits / 8),
                                  [&](std::span<const std::byte> bytes) {
                                    if (at / turn % part.count == part.index) spill.write(bytes);
                                    at += piece;
                                    return true;
                                  }));
  spill.end(weight);
  weight.set_dims(axis, size);
  return {};
}

}  // namespace assay::shard
