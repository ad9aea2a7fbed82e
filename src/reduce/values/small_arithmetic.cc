// Computes in 64 bits and casts the result to its type, which keeps the low bits, as in C++ and NumPy.
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>

#include "reduce/values/small_call.h"

namespace assay::reduce::small {
namespace {

using Binary = std::optional<std::int64_t> (*)(std::int64_t, std::int64_t);

Result combine(const Values& a, const Values& b, Binary binary) {
  const auto shape = common_shape(a.shape, b.shape);
  if (!shape) return std::nullopt;
  const auto left = broadcast(a.shape, *shape);
  const auto right = broadcast(b.shape, *shape);
  if (!left || !right) return std::nullopt;
  Values result{.type = a.type, .shape = *shape, .data = {}};
  for (std::size_t i = 0; i < left->size(); ++i) {
    const auto value = binary(a.data[(*left)[i]], b.data[(*right)[i]]);
    if (!value) return std::nullopt;
    result.data.push_back(*value);
  }
  return result;
}

std::int64_t wrap(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}
std::uint64_t bits(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}
std::optional<std::int64_t> divide(std::int64_t a, std::int64_t b) {
  if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min())) return std::nullopt;
  return a / b;
}

std::optional<std::int64_t> add(std::int64_t a, std::int64_t b) {
  return wrap(bits(a) + bits(b));
}
std::optional<std::int64_t> subtract(std::int64_t a, std::int64_t b) {
  return wrap(bits(a) - bits(b));
}
std::optional<std::int64_t> multiply(std::int64_t a, std::int64_t b) {
  return wrap(bits(a) * bits(b));
}
std::optional<std::int64_t> smaller(std::int64_t a, std::int64_t b) {
  return std::min(a, b);
}
std::optional<std::int64_t> larger(std::int64_t a, std::int64_t b) {
  return std::max(a, b);
}
std::optional<std::int64_t> both(std::int64_t a, std::int64_t b) {
  return a != 0 && b != 0 ? 1 : 0;
}
std::optional<std::int64_t> either(std::int64_t a, std::int64_t b) {
  return a != 0 || b != 0 ? 1 : 0;
}
template <class Compare>
std::optional<std::int64_t> is(std::int64_t a, std::int64_t b) {
  return Compare()(a, b) ? 1 : 0;
}

// Min and Max take any number of inputs.
template <Binary kBinary>
Result fold(const Call& call) {
  if (call.attribute("broadcast") != nullptr) return std::nullopt;  // in old operator sets
  Result result = call.value(0);
  for (std::size_t i = 1; i < call.count() && result; ++i) {
    const Result next = call.value(i);
    if (!next || next->type != result->type) return std::nullopt;
    result = combine(*result, *next, kBinary);
  }
  return result;
}

template <class Comparison>
Result compare(const Call& call) {
  Result result = fold<is<Comparison>>(call);
  if (result) result->type = ElementType::boolean;
  return result;
}

Result negate(const Call& call) {
  Result result = call.value(0);
  if (!result) return std::nullopt;
  for (std::int64_t& value : result->data) value = wrap(0 - bits(value));
  return result;
}

Result invert(const Call& call) {
  Result result = call.value(0);
  if (!result || result->type != ElementType::boolean) return std::nullopt;
  for (std::int64_t& value : result->data) value = value == 0 ? 1 : 0;
  return result;
}

// Reduces each group of elements that differ only in the reduced axes. `none`: the result for an empty group.
Result reduce(const Call& call, Binary binary, std::int64_t none) {
  const Result data = call.value(0);
  std::optional<std::vector<std::int64_t>> axes;
  if (!data || !call.numbers("axes", 1, axes)) return std::nullopt;
  const bool all = !axes || axes->empty();
  if (all && call.number("noop_with_empty_axes", 0) != 0) return data;
  std::vector<bool> reduced(data->shape.size(), all);
  for (const std::int64_t number : axes.value_or(std::vector<std::int64_t>{})) {
    const auto axis = axis_of(number, reduced.size());
    if (!axis) return std::nullopt;
    reduced[*axis] = true;
  }
  Shape kept = data->shape;
  Shape shape;
  for (std::size_t i = 0; i < reduced.size(); ++i) {
    if (reduced[i]) kept[i] = 1;
    if (!reduced[i] || call.number("keepdims", 1) != 0) shape.push_back(kept[i]);
  }
  const auto to = broadcast(kept, data->shape);
  const auto count = tensor::element_count(kept);
  if (!to || !count || *count > kSmallElements) return std::nullopt;
  Values result{.type = data->type, .shape = std::move(shape), .data = std::vector<std::int64_t>(*count, none)};
  for (std::size_t i = 0; i < to->size(); ++i) {
    result.data[(*to)[i]] = binary(result.data[(*to)[i]], data->data[i]).value_or(none);
  }
  return result;
}

template <Binary kBinary, std::int64_t kNone>
Result reduce_all(const Call& call) {
  return reduce(call, kBinary, kNone);
}

// An empty group has no largest or smallest element.
template <Binary kBinary, std::int64_t kNone>
Result reduce_any(const Call& call) {
  const Result data = call.value(0);
  return data && !data->data.empty() ? reduce(call, kBinary, kNone) : std::nullopt;
}

Result where(const Call& call) {
  const Result condition = call.value(0);
  const Result yes = call.value(1);
  const Result no = call.value(2);
  if (!condition || !yes || !no || yes->type != no->type) return std::nullopt;
  const auto values = common_shape(yes->shape, no->shape);
  const auto shape = values ? common_shape(*values, condition->shape) : std::nullopt;
  if (!shape) return std::nullopt;
  const auto which = broadcast(condition->shape, *shape);
  const auto from_yes = broadcast(yes->shape, *shape);
  const auto from_no = broadcast(no->shape, *shape);
  if (!which || !from_yes || !from_no) return std::nullopt;
  Values result{.type = yes->type, .shape = *shape, .data = {}};
  for (std::size_t i = 0; i < which->size(); ++i) {
    result.data.push_back(condition->data[(*which)[i]] != 0 ? yes->data[(*from_yes)[i]] : no->data[(*from_no)[i]]);
  }
  return result;
}

Result range(const Call& call) {
  const Result start = call.value(0);
  const Result limit = call.value(1);
  const Result step = call.value(2);
  if (!start || !limit || !step || start->data.size() != 1 || limit->data.size() != 1 || step->data.size() != 1) {
    return std::nullopt;
  }
  const std::int64_t by = step->data[0];
  if (by == 0) return std::nullopt;
  Values result{.type = start->type, .shape = {0}, .data = {}};
  for (__int128 at = start->data[0]; by > 0 ? at < limit->data[0] : at > limit->data[0]; at += by) {
    if (result.data.size() == kSmallElements) return std::nullopt;
    result.data.push_back(static_cast<std::int64_t>(at));
  }
  result.shape[0] = static_cast<std::int64_t>(result.data.size());
  return result;
}

}  // namespace

std::span<const Operator> arithmetic() {
  static constexpr std::array kOperators = {
      Operator{"Add", fold<add>},
      Operator{"Sub", fold<subtract>},
      Operator{"Mul", fold<multiply>},
      Operator{"Div", fold<divide>},
      Operator{"Min", fold<smaller>},
      Operator{"Max", fold<larger>},
      Operator{"And", fold<both>},
      Operator{"Or", fold<either>},
      Operator{"Equal", compare<std::equal_to<>>},
      Operator{"Less", compare<std::less<>>},
      Operator{"LessOrEqual", compare<std::less_equal<>>},
      Operator{"Greater", compare<std::greater<>>},
      Operator{"GreaterOrEqual", compare<std::greater_equal<>>},
      Operator{"Neg", negate},
      Operator{"Not", invert},
      Operator{"Where", where},
      Operator{"Range", range},
      Operator{"ReduceProd", reduce_all<multiply, 1>},
      Operator{"ReduceSum", reduce_all<add, 0>},
      Operator{"ReduceMax", reduce_any<larger, std::numeric_limits<std::int64_t>::min()>},
      Operator{"ReduceMin", reduce_any<smaller, std::numeric_limits<std::int64_t>::max()>},
  };
  return kOperators;
}

}  // namespace assay::reduce::small
