// Values are made in pieces and written to a temporary file, because they may not fit into memory. The numbers come
// from SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). The sum
// of the four 16-bit parts of one is nearly normally distributed (Irwin-Hall distribution).
#include "surgeon/weights/reconstruct_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/byte_status.h"
#include "model/weights.h"
#include "model/weights/spill_weights.h"
#include "surgeon/weights/sparse_groups.h"
#include "surgeon/weights/strip_weights.h"
#include "tensor/convert.h"

namespace assay::surgeon {
namespace {

class RandomNumbers {
 public:
  double next() {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t bits = state_;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
    bits ^= bits >> 31;
    const std::uint64_t sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48);
    constexpr double kMean = 4 * 65535 / 2.0;
    constexpr double kDeviation = 37837.2;  // of the sum: 65536 / sqrt(12) * sqrt(4)
    return (static_cast<double>(sum) - kMean) / kDeviation;
  }

 private:
  std::uint64_t state_ = 1;
};

// Returns the bytes of all weights that will be filled.
std::uint64_t bytes_to_fill(const model::Model& model) {
  std::uint64_t bytes = 0;
  for (const onnx::TensorProto& weight : model.graph().initializer()) {
    if (is_stripped(weight)) bytes += model::data_bytes(weight);
  }
  return bytes;
}

// Writes values for a weight of the given type. `groups` is null for a dense one.
void write_values(RandomNumbers& random, tensor::ElementType type, std::uint64_t count, const SparseGroups* groups,
                  model::WeightSpill& spill, base::ByteStatus& status, const base::Stop& stop) {
  constexpr std::uint64_t kPiece = 1 << 16;  // elements; packed types need a multiple of 8
  const std::uint64_t piece = groups != nullptr ? rows_at_a_time(*groups) / groups->width : kPiece;
  std::vector<double> values;
  std::vector<std::byte> pruned;
  for (std::uint64_t at = 0; at < count && !stop.requested(); at += piece) {
    values.resize(std::min(piece, count - at));
    for (double& value : values) value = random.next();
    const tensor::Tensor made =
        tensor::from_doubles(type, {static_cast<std::int64_t>(values.size())}, std::span<const double>(values));
    status.add(made.bytes().size());
    if (groups == nullptr) {
      spill.write(made.bytes());
      continue;
    }
    pruned.assign(made.bytes().begin(), made.bytes().end());
    prune(pruned, *groups);
    spill.write(pruned);
  }
}

}  // namespace

base::Expected<int> reconstruct_weights(model::Model& model, base::Log& log, const base::Stop& stop) {
  const auto sparse_groups = find_sparse_groups(model);
  RandomNumbers random;
  model::WeightSpill spill(model);
  base::ByteStatus status(log, "Made up values", bytes_to_fill(model));
  int filled = 0;
  for (onnx::TensorProto& weight : *model.graph().mutable_initializer()) {
    if (!is_stripped(weight)) continue;
    const tensor::ElementType type = model::element_type(weight);
    const auto count = tensor::element_count(model::shape(weight));
    if (!tensor::is_real(type) || !count) {
      return base::fail(base::ErrorKind::unsupported,
                        fmt::format("cannot generate values of type {}", tensor::name(type)),
                        fmt::format("tensor '{}'", weight.name()), "Exclude it with --exclude-list when stripping");
    }
    const auto groups = sparse_groups.find(&weight);
    const bool sparse = weight.doc_string() == kWeightlessSparse;
    if (sparse && groups == sparse_groups.end()) {
      log.warning(
          "'{}' is marked as sparse, but no MatMul, Gemm or Conv sums over it in groups of four; it becomes dense",
          weight.name());
    }
    write_values(random, type, *count, sparse && groups != sparse_groups.end() ? &groups->second : nullptr, spill,
                 status, stop);
    if (stop.requested()) return base::fail(base::ErrorKind::interrupted, "stopped; no model was written");
    spill.end(weight);
    ++filled;
  }
  ASSAY_TRY(spill.finish(model));
  return filled;
}

}  // namespace assay::surgeon
