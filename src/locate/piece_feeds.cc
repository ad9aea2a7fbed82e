#include "locate/piece_feeds.h"

#include <cstdint>
#include <utility>

#include "tensor/convert.h"
#include "tensor/float16_values.h"

namespace assay::locate {
namespace {

using tensor::ElementType;

constexpr std::uint64_t kLargestConstant = 64;  // elements

bool is_shape_like(const tensor::Tensor& value) {
  const bool whole =
      value.type() == ElementType::int64 || value.type() == ElementType::int32 || value.type() == ElementType::boolean;
  return whole && value.shape().size() <= 1 && value.size() <= kLargestConstant;
}

}  // namespace

tensor::NamedTensors choose_constants(const std::vector<std::string>& names, const Skeleton& skeleton,
                                      const GoodValues& values) {
  tensor::NamedTensors constants;
  bool has_inputs = false;
  for (const std::string& name : names) {
    const tensor::Tensor* value = values.find(name);
    if (skeleton.cell_of.contains(name) && value != nullptr && is_shape_like(*value)) {
      constants.set(name, *value);
    } else {
      has_inputs = true;
    }
  }
  // With constants only, the engine would compute the piece while loading, which isn't what is being tried.
  return has_inputs ? constants : tensor::NamedTensors{};
}

// If one side takes float16 and the other float32, both get values that float16 can represent: a node must get the same
// inputs on both sides, not an infinity on one.
tensor::Tensor PieceFeeds::shared(const std::string& name, const tensor::Tensor& value) const {
  if (value.type() != ElementType::float32 || !models.second) return value;
  const auto takes_half = [&](const SideModel& side) { return side.builder.type(name) == ElementType::float16; };
  const bool in_half = models.float16 != Float16Version::none || takes_half(models.first) || takes_half(*models.second);
  return in_half ? tensor::to_float16(value) : value;
}

base::Expected<tensor::NamedTensors> PieceFeeds::of(const SideModel& side,
                                                    const std::vector<std::string>& inputs) const {
  tensor::NamedTensors feeds;
  for (const std::string& name : inputs) {
    if (const tensor::Tensor* own = side.feeds.find(name)) {
      feeds.set(name, *own);
      continue;
    }
    const tensor::Tensor* value = values.find(name);
    if (value == nullptr) return base::fail(base::ErrorKind::not_found, "no value is known for the tensor", name);
    const ElementType type = side.builder.type(name);
    if (type == ElementType::undefined) {
      feeds.set(name, *value);
      continue;
    }
    ASSAY_ASSIGN(tensor::Tensor fitted, tensor::cast(shared(name, *value), type));
    feeds.set(name, std::move(fitted));
  }
  return feeds;
}

}  // namespace assay::locate
