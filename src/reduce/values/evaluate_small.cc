// Operators are functions in a table; each returns nothing if it can't compute the result exactly. This file has the
// table and the operators that move elements; small_arithmetic.cc has those that compute. Results have at most
// kSmallElements elements.
#include "reduce/values/evaluate_small.h"

#include <algorithm>
#include <array>
#include <utility>

#include "model/inference/shape_output.h"
#include "model/onnx_facts.h"
#include "model/weights.h"
#include "reduce/values/small_call.h"

namespace assay::reduce {
namespace small {
namespace {

Result shape_of(const Call& call) {
  const std::optional<Shape> shape = call.shape(0);
  if (!shape) return std::nullopt;
  std::vector<std::int64_t> sizes = model::shape_output(call.node(), *shape);
  const auto count = static_cast<std::int64_t>(sizes.size());
  return Values{.shape = {count}, .data = std::move(sizes)};
}

Result size_of(const Call& call) {
  const std::optional<Shape> shape = call.shape(0);
  const auto count = shape ? tensor::element_count(*shape) : std::nullopt;
  return count ? Result(Values{.shape = {}, .data = {static_cast<std::int64_t>(*count)}}) : std::nullopt;
}

Result identity(const Call& call) {
  return call.value(0);
}

Result cast(const Call& call) {
  Result result = call.value(0);
  const auto to = tensor::info(static_cast<ElementType>(call.number("to", 0))).type;
  if (!result || !is_whole(to)) return std::nullopt;
  result->type = to;
  return result;
}

Result gather(const Call& call) {
  const Result data = call.value(0);
  const Result indices = call.value(1);
  if (!data || !indices) return std::nullopt;
  const auto axis = axis_of(call.number("axis", 0), data->shape.size());
  if (!axis) return std::nullopt;
  const std::span<const std::int64_t> sizes(data->shape);
  const auto before = static_cast<std::size_t>(product(sizes.first(*axis)));
  const auto behind = static_cast<std::size_t>(product(sizes.subspan(*axis + 1)));
  Values result{
      .type = data->type, .shape = {sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(*axis)}, .data = {}};
  result.shape.insert(result.shape.end(), indices->shape.begin(), indices->shape.end());
  result.shape.insert(result.shape.end(), sizes.begin() + static_cast<std::ptrdiff_t>(*axis) + 1, sizes.end());
  if (tensor::element_count(result.shape).value_or(kSmallElements + 1) > kSmallElements) return std::nullopt;
  const auto size = static_cast<std::size_t>(sizes[*axis]);
  for (std::size_t outer = 0; outer < before; ++outer) {
    for (const std::int64_t index : indices->data) {
      const auto at = axis_of(index, size);
      if (!at) return std::nullopt;
      for (std::size_t inner = 0; inner < behind; ++inner) {
        result.data.push_back(data->data[(outer * size + *at) * behind + inner]);
      }
    }
  }
  return result;
}

Result concat(const Call& call) {
  std::vector<Values> parts;
  for (std::size_t i = 0; i < call.count(); ++i) {
    Result part = call.value(i);
    if (!part || (i > 0 && (part->type != parts[0].type || part->shape.size() != parts[0].shape.size())))
      return std::nullopt;
    parts.push_back(*std::move(part));
  }
  if (parts.empty() || call.attribute("axis") == nullptr) return std::nullopt;
  const auto axis = axis_of(call.number("axis", 0), parts[0].shape.size());
  if (!axis) return std::nullopt;
  Values result{.type = parts[0].type, .shape = parts[0].shape, .data = {}};
  result.shape[*axis] = 0;
  for (const Values& part : parts) {
    result.shape[*axis] += part.shape[*axis];
    for (std::size_t i = 0; i < part.shape.size(); ++i) {
      if (i != *axis && part.shape[i] != result.shape[i]) return std::nullopt;
    }
  }
  const std::int64_t before = product(std::span(result.shape).first(*axis));
  for (std::int64_t outer = 0; outer < before; ++outer) {
    for (const Values& part : parts) {
      const auto length = static_cast<std::ptrdiff_t>(product(std::span(part.shape).subspan(*axis)));
      const auto from = part.data.begin() + outer * length;
      result.data.insert(result.data.end(), from, from + length);
    }
  }
  return result;
}

struct Range {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t step = 1;
  [[nodiscard]] bool holds(std::int64_t at) const { return step > 0 ? at < end : at > end; }
};

// Returns what a Slice takes of a vector of this size. Indices out of range are clamped (ONNX, operator Slice).
std::optional<Range> range_of(const Call& call, std::int64_t size) {
  constexpr std::int64_t kLongStep = std::int64_t{1} << 31;
  using Numbers = std::optional<std::vector<std::int64_t>>;
  Numbers starts, ends, axes, steps;
  if (!call.numbers("starts", 1, starts) || !call.numbers("ends", 2, ends) || !call.numbers("axes", 3, axes) ||
      !call.numbers("steps", 4, steps)) {
    return std::nullopt;
  }
  const auto is_single = [](const Numbers& numbers) { return numbers && numbers->size() == 1; };
  if (!is_single(starts) || !is_single(ends)) return std::nullopt;
  if (axes && (!is_single(axes) || !axis_of(axes->front(), 1))) return std::nullopt;
  if (steps && !is_single(steps)) return std::nullopt;
  const std::int64_t step = steps ? steps->front() : 1;
  if (step == 0 || step < -kLongStep || step > kLongStep) return std::nullopt;
  const auto place = [&](std::int64_t at, std::int64_t low, std::int64_t high) {
    return std::clamp(at < 0 ? at + size : at, low, high);
  };
  if (step > 0) return Range{place(starts->front(), 0, size), place(ends->front(), 0, size), step};
  return Range{place(starts->front(), 0, size - 1), place(ends->front(), -1, size - 1), step};
}

// Slices vectors only: shapes are vectors.
Result slice(const Call& call) {
  const Result data = call.value(0);
  if (!data || data->shape.size() != 1) return std::nullopt;
  const std::int64_t size = data->shape[0];
  Values result{.type = data->type, .shape = {0}, .data = {}};
  if (size == 0) return result;
  const auto range = range_of(call, size);
  if (!range) return std::nullopt;
  for (std::int64_t at = range->start; range->holds(at); at += range->step) {
    result.data.push_back(data->data[static_cast<std::size_t>(at)]);
  }
  result.shape[0] = static_cast<std::int64_t>(result.data.size());
  return result;
}

Result squeeze(const Call& call) {
  Result result = call.value(0);
  std::optional<std::vector<std::int64_t>> axes;
  if (!result || !call.numbers("axes", 1, axes)) return std::nullopt;
  std::vector<bool> removed(result->shape.size(), false);
  for (std::size_t i = 0; i < removed.size(); ++i) removed[i] = !axes && result->shape[i] == 1;
  for (const std::int64_t number : axes.value_or(std::vector<std::int64_t>{})) {
    const auto axis = axis_of(number, removed.size());
    if (!axis || result->shape[*axis] != 1) return std::nullopt;
    removed[*axis] = true;
  }
  Shape shape;
  for (std::size_t i = 0; i < removed.size(); ++i) {
    if (!removed[i]) shape.push_back(result->shape[i]);
  }
  result->shape = std::move(shape);
  return result;
}

Result unsqueeze(const Call& call) {
  Result result = call.value(0);
  std::optional<std::vector<std::int64_t>> axes;
  if (!result || !call.numbers("axes", 1, axes) || !axes || axes->size() > 8) return std::nullopt;
  std::vector<bool> is_new(result->shape.size() + axes->size(), false);
  for (const std::int64_t number : *axes) {
    const auto axis = axis_of(number, is_new.size());
    if (!axis || is_new[*axis]) return std::nullopt;
    is_new[*axis] = true;
  }
  Shape shape;
  auto old = result->shape.begin();
  for (const bool one : is_new) shape.push_back(one ? 1 : *old++);
  result->shape = std::move(shape);
  return result;
}

Result constant_of_shape(const Call& call) {
  const Result shape = call.value(0);
  const onnx::AttributeProto* value = call.attribute("value");
  if (!shape || shape->shape.size() != 1 || value == nullptr) return std::nullopt;  // the default value is a float zero
  const auto fill = model::read_weight(model::Model{}, value->t());
  const Result element = fill ? read(*fill) : std::nullopt;
  const auto count = tensor::element_count(shape->data);
  if (!element || element->data.size() != 1 || !count || *count > kSmallElements) return std::nullopt;
  return Values{
      .type = element->type, .shape = shape->data, .data = std::vector<std::int64_t>(*count, element->data[0])};
}

Result reshape(const Call& call) {
  Result result = call.value(0);
  const Result wanted = call.value(1);
  if (!result || !wanted || wanted->shape.size() != 1) return std::nullopt;
  Shape shape = wanted->data;
  std::optional<std::size_t> open;
  std::int64_t known = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0 && call.number("allowzero", 0) == 0) {
      if (i >= result->shape.size()) return std::nullopt;
      shape[i] = result->shape[i];
    }
    if (shape[i] < -1 || shape[i] > static_cast<std::int64_t>(kSmallElements) || (shape[i] == -1 && open))
      return std::nullopt;
    if (shape[i] == -1)
      open = i;
    else
      known = std::min<std::int64_t>(known * shape[i], kSmallElements + 1);
  }
  const auto count = static_cast<std::int64_t>(result->data.size());
  if (open && (known == 0 || count % known != 0)) return std::nullopt;
  if (open) shape[*open] = count / known;
  if (tensor::element_count(shape) != result->data.size()) return std::nullopt;
  result->shape = std::move(shape);
  return result;
}

Result expand(const Call& call) {
  const Result data = call.value(0);
  const Result wanted = call.value(1);
  if (!data || !wanted || std::ranges::any_of(wanted->data, [](std::int64_t size) { return size < 0; }))
    return std::nullopt;
  const auto shape = common_shape(data->shape, wanted->data);
  const auto from = shape ? broadcast(data->shape, *shape) : std::nullopt;
  if (!from) return std::nullopt;
  Values result{.type = data->type, .shape = *shape, .data = {}};
  for (const std::size_t at : *from) result.data.push_back(data->data[at]);
  return result;
}

constexpr std::array kMovers = {
    Operator{"Shape", shape_of},  Operator{"Size", size_of},    Operator{"Identity", identity},
    Operator{"Cast", cast},       Operator{"Gather", gather},   Operator{"Concat", concat},
    Operator{"Slice", slice},     Operator{"Squeeze", squeeze}, Operator{"Unsqueeze", unsqueeze},
    Operator{"Reshape", reshape}, Operator{"Expand", expand},   Operator{"ConstantOfShape", constant_of_shape},
};

}  // namespace

const Operator* find_operator(std::string_view name) {
  for (const std::span<const Operator> table : {std::span<const Operator>(kMovers), arithmetic()}) {
    const auto found = std::ranges::find(table, name, &Operator::name);
    if (found != table.end()) return &*found;
  }
  return nullptr;
}

}  // namespace small

std::optional<tensor::Tensor> evaluate_small(const onnx::NodeProto& node, const std::vector<SmallInput>& inputs) {
  const small::Operator* found =
      model::is_default_domain(node.domain()) ? small::find_operator(node.op_type()) : nullptr;
  if (found == nullptr || static_cast<std::size_t>(node.input_size()) != inputs.size()) return std::nullopt;
  const small::Result result = found->evaluate(small::Call(node, inputs));
  return result ? small::write(*result) : std::nullopt;
}

}  // namespace assay::reduce
