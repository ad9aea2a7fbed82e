// The bits of a float without its sign order as its magnitude does, in all three types, so groups are compared as
// integers.
#include "surgeon/weights/sparse_groups.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <limits>

#include "model/graph_view.h"
#include "model/weights.h"
#include "model/weights/multiplied_weights.h"
#include "model/weights/read_in_pieces.h"

namespace assay::surgeon {
namespace {

constexpr std::size_t kGroup = 4;

template <class Word>
using Group = std::array<Word, kGroup>;

template <class Word>
Word magnitude(Word word) {
  return word & static_cast<Word>(std::numeric_limits<Word>::max() >> 1);
}

template <class Word, class Byte>
Group<Word> read_group(Byte* first, std::size_t stride) {
  Group<Word> group;
  for (std::size_t i = 0; i < kGroup; ++i) std::memcpy(&group[i], first + i * stride * sizeof(Word), sizeof(Word));
  return group;
}

template <class Word>
void prune_row(std::byte* row, std::size_t stride) {
  for (std::size_t at = 0; at < stride; ++at) {
    std::byte* const first = row + at * sizeof(Word);
    const auto group = read_group<Word>(first, stride);
    for (std::size_t i = 0; i < kGroup; ++i) {
      unsigned smaller = 0;  // members that are zeroed before this one
      for (std::size_t k = 0; k < kGroup; ++k) {
        const bool before =
            k < i ? magnitude(group[k]) <= magnitude(group[i]) : magnitude(group[k]) < magnitude(group[i]);
        smaller += before ? 1 : 0;
      }
      const Word kept = smaller < 2 ? Word{0} : group[i];
      std::memcpy(first + i * stride * sizeof(Word), &kept, sizeof(Word));
    }
  }
}

template <class Word>
bool is_sparse_row(const std::byte* row, std::size_t stride) {
  for (std::size_t at = 0; at < stride; ++at) {
    const auto group = read_group<Word>(row + at * sizeof(Word), stride);
    if (std::ranges::count(group, Word{0}, magnitude<Word>) < 2) return false;
  }
  return true;
}

std::size_t width_of(tensor::ElementType type) {
  using enum tensor::ElementType;
  if (type == float32) return sizeof(std::uint32_t);
  return type == float16 || type == bfloat16 ? sizeof(std::uint16_t) : 0;
}

}  // namespace

std::unordered_map<const onnx::TensorProto*, SparseGroups> find_sparse_groups(const model::Model& model) {
  std::unordered_map<const onnx::TensorProto*, SparseGroups> found;
  for (const model::MultipliedWeight& multiplied : model::find_multiplied_weights(model::GraphView(model.graph()))) {
    const onnx::TensorProto& weight = *multiplied.weight;
    SparseGroups groups{.width = width_of(model::element_type(weight))};
    if (groups.width == 0 || weight.dims(multiplied.axis) % std::int64_t{kGroup} != 0) continue;
    for (int i = multiplied.axis + 1; i < weight.dims_size(); ++i) {
      groups.stride *= static_cast<std::size_t>(weight.dims(i));
    }
    found[&weight] = groups;
  }
  return found;
}

void prune(std::span<std::byte> rows, const SparseGroups& groups) {
  assert(groups.stride == 0 || rows.size() % groups.row_bytes() == 0);
  for (std::size_t at = 0; at < rows.size(); at += groups.row_bytes()) {
    if (groups.width == sizeof(std::uint32_t)) {
      prune_row<std::uint32_t>(rows.data() + at, groups.stride);
    } else {
      prune_row<std::uint16_t>(rows.data() + at, groups.stride);
    }
  }
}

bool is_sparse(std::span<const std::byte> rows, const SparseGroups& groups) {
  for (std::size_t at = 0; at < rows.size(); at += groups.row_bytes()) {
    const bool sparse = groups.width == sizeof(std::uint32_t)
                            ? is_sparse_row<std::uint32_t>(rows.data() + at, groups.stride)
                            : is_sparse_row<std::uint16_t>(rows.data() + at, groups.stride);
    if (!sparse) return false;
  }
  return true;
}

base::Expected<bool> is_sparse(const model::Model& model, const onnx::TensorProto& weight, const SparseGroups& groups) {
  bool sparse = true;
  ASSAY_TRY(model::read_in_pieces(model, weight, rows_at_a_time(groups),
                                  [&](std::span<const std::byte> rows) { return sparse = is_sparse(rows, groups); }));
  return sparse;
}

std::size_t rows_at_a_time(const SparseGroups& groups) {
  constexpr std::size_t kPiece = 1 << 20;
  const std::size_t row = std::max<std::size_t>(groups.row_bytes(), 1);
  return std::max<std::size_t>(kPiece / row, 1) * row;
}

}  // namespace assay::surgeon
