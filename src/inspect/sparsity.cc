// A weight is [outer, axis, inner]: four elements of a group are `inner` elements apart. The innermost loop runs over
// neighbouring groups, whose elements are neighbours in memory, so the compiler can vectorise it. An element is zero if
// all its bits but the sign are.
#include "inspect/sparsity.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_text.h"
#include "model/graph_view.h"
#include "model/weights.h"
#include "model/weights/multiplied_weights.h"

namespace assay::inspect {
namespace {

using Kind = WeightSparsity::Kind;
constexpr std::int64_t kGroup = 4;
constexpr unsigned kZerosOfSparse = 2;
constexpr std::uint64_t kReleaseEvery = 64 << 20;  // bytes; each release goes through all files

// Counts the zeros of `inner` neighbouring groups. `bytes` points to the first element of the first group.
template <class Word>
void count_row(const std::byte* bytes, std::size_t inner, WeightSparsity& result) {
  constexpr Word kMagnitude = std::numeric_limits<Word>::max() >> 1;
  std::uint64_t zeros = 0;
  std::uint64_t sparse = 0;
  for (std::size_t i = 0; i < inner; ++i) {
    unsigned zeros_here = 0;
    for (std::size_t member = 0; member < kGroup; ++member) {
      Word word;
      __builtin_memcpy(&word, bytes + (member * inner + i) * sizeof(Word), sizeof(Word));
      zeros_here += (word & kMagnitude) == 0 ? 1 : 0;
    }
    zeros += zeros_here;
    sparse += zeros_here >= kZerosOfSparse ? 1 : 0;
  }
  result.zeros += zeros;
  result.sparse_groups += sparse;
}

// Visits the weight row by row of groups.
void count_groups(const tensor::Tensor& weight, WeightSparsity& result) {
  std::size_t inner = 1;
  for (std::size_t i = static_cast<std::size_t>(result.axis) + 1; i < result.shape.size(); ++i) {
    inner *= static_cast<std::size_t>(result.shape[i]);
  }
  const std::size_t width = tensor::info(result.type).bits / 8;
  const std::size_t row = kGroup * inner * width;
  for (std::size_t at = 0; row != 0 && at + row <= weight.bytes().size(); at += row) {
    const std::byte* bytes = weight.bytes().data() + at;
    if (width == sizeof(std::uint32_t)) {
      count_row<std::uint32_t>(bytes, inner, result);
    } else {
      count_row<std::uint16_t>(bytes, inner, result);
    }
    result.groups += inner;
  }
}

std::string why_not_eligible(const WeightSparsity& weight) {
  using enum tensor::ElementType;
  if (weight.type != float32 && weight.type != float16 && weight.type != bfloat16) {
    return fmt::format("its type is {}, not float32, float16 or bfloat16", tensor::name(weight.type));
  }
  const std::int64_t length = weight.shape[static_cast<std::size_t>(weight.axis)];
  return length % kGroup == 0 ? "" : fmt::format("{} elements along the axis aren't a multiple of 4", length);
}

base::Expected<WeightSparsity> measure(const model::Model& model, const model::MultipliedWeight& found) {
  WeightSparsity result;
  result.name = found.weight->name();
  result.type = model::element_type(*found.weight);
  result.shape = model::shape(*found.weight);
  result.axis = found.axis;
  result.reason = why_not_eligible(result);
  if (!result.reason.empty()) return result;
  ASSAY_ASSIGN(const tensor::Tensor weight, model::read_weight(model, *found.weight));
  count_groups(weight, result);
  result.kind = result.sparse_groups == result.groups ? Kind::sparse : Kind::dense;
  return result;
}

// A sparse initializer stores only its elements other than zero, so it has no groups to count.
WeightSparsity describe(const model::MultipliedSparseWeight& found) {
  WeightSparsity result;
  result.name = found.weight->values().name();
  result.type = model::element_type(found.weight->values());
  result.shape.assign(found.weight->dims().begin(), found.weight->dims().end());
  result.axis = found.axis;
  result.reason = "it is a sparse initializer, and only dense ones are measured";
  return result;
}

// Releases the pages of weights that were read, so that memory doesn't grow with the model.
void release_pages(const model::Model& model) {
  for (const auto& [location, file] : *model.files) file->release(file->bytes().size());
}

constexpr std::array<std::string_view, 3> kKindNames = {"sparse", "dense", "not eligible"};

double zeros_in_percent(const WeightSparsity& weight) {
  const auto elements = static_cast<double>(weight.groups * kGroup);
  return elements == 0 ? 0 : 100 * static_cast<double>(weight.zeros) / elements;
}

}  // namespace

base::Expected<SparsityTotals> measure_sparsity(const model::Model& model,
                                                const std::function<void(const WeightSparsity&)>& visit) {
  SparsityTotals totals;
  const model::GraphView view(model.graph());
  std::uint64_t unreleased = 0;  // bytes
  for (const model::MultipliedWeight& found : model::find_multiplied_weights(view)) {
    ASSAY_ASSIGN(const WeightSparsity weight, measure(model, found));
    totals.eligible += weight.kind == Kind::not_eligible ? 0 : 1;
    totals.sparse += weight.kind == Kind::sparse ? 1 : 0;
    visit(weight);
    unreleased += model::data_bytes(*found.weight);
    if (unreleased < kReleaseEvery) continue;
    release_pages(model);
    unreleased = 0;
  }
  for (const auto& found : model::find_multiplied_sparse_weights(view)) visit(describe(found));
  return totals;
}

std::string sparsity_text(const WeightSparsity& weight) {
  const std::string head = fmt::format("{} [dtype={}, shape={}, axis={}] |", weight.name, tensor::name(weight.type),
                                       tensor::format_shape(weight.shape), weight.axis);
  switch (weight.kind) {
    case Kind::sparse:
      return fmt::format("{} 2:4 sparse, {:.1f} % zeros", head, zeros_in_percent(weight));
    case Kind::dense:
      return fmt::format("{} not sparse: {} of {} groups have fewer than 2 zeros, {:.1f} % zeros", head,
                         weight.groups - weight.sparse_groups, weight.groups, zeros_in_percent(weight));
    case Kind::not_eligible:
      break;
  }
  return fmt::format("{} not eligible: {}", head, weight.reason);
}

base::Expected<std::string> sparsity_json(const model::Model& model) {
  using Json = nlohmann::ordered_json;
  Json weights = Json::array();
  const auto add = [&](const WeightSparsity& weight) {
    Json object = {{"name", weight.name},
                   {"dtype", tensor::name(weight.type)},
                   {"shape", weight.shape},
                   {"axis", weight.axis},
                   {"verdict", kKindNames[static_cast<std::size_t>(weight.kind)]}};
    if (weight.kind == Kind::not_eligible) {
      object["reason"] = weight.reason;
    } else {
      object["groups"] = weight.groups;
      object["sparse_groups"] = weight.sparse_groups;
      object["zeros"] = weight.zeros;
    }
    weights.push_back(std::move(object));
  };
  ASSAY_ASSIGN(const SparsityTotals totals, measure_sparsity(model, add));
  const Json object = {{"weights", std::move(weights)}, {"eligible", totals.eligible}, {"sparse", totals.sparse}};
  return base::json_text(object, 2);
}

}  // namespace assay::inspect
