// Dimensions with the same symbol share one size; a dimension without a symbol gets one of its own. The list starts
// with ones, continues with sizes that audio, images and text need, then with other values, and ends with unequal
// sizes, for models in which equal ones contradict each other.
#include "reduce/values/reference_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "base/log.h"
#include "base/strings.h"
#include "model/initializers.h"
#include "model/input_specs.h"
#include "model/shapes.h"
#include "reduce/values/size_expression.h"
#include "tensor/generate.h"

namespace assay::reduce {
namespace {

// Small sizes, then one that works for audio, images and text alike.
constexpr std::array<std::int64_t, 12> kSizes = {2, 3, 8, 16, 512, 64, 224, 128, 256, 1024, 4096, 16384};
constexpr std::array<std::int64_t, 4> kBatches = {2, 3, 8, 16};
constexpr std::array<std::int64_t, 4> kSizesOfValues = {1, 2, 16, 512};  // sizes with which other values are tried
constexpr std::size_t kUnequal = 4;                                      // most symbols that get different sizes
constexpr std::uint64_t kMostElements = 4 << 20;                         // of all inputs together

struct Input {
  std::string name;
  tensor::ElementType type = tensor::ElementType::undefined;
  std::vector<model::Dimension> shape;  // dimensions without a symbol get one here
};

// The inputs of a model, and the symbols of their open dimensions, whose sizes can be chosen.
class OpenSizes {
 public:
  OpenSizes(const onnx::GraphProto& graph, const InputShapes& asked) {
    const auto constants = model::initializer_names(graph);
    for (const onnx::ValueInfoProto& value : graph.input()) {
      if (constants.contains(value.name())) continue;
      const model::TensorInfo info = model::tensor_info(value);
      if (info.type == tensor::ElementType::undefined) continue;
      Input input{
          .name = value.name(), .type = info.type, .shape = info.shape.value_or(std::vector<model::Dimension>{})};
      for (std::size_t i = 0; i < input.shape.size(); ++i) {
        std::string& symbol = input.shape[i].symbol;
        if (input.shape[i].value < 0 && symbol.empty()) symbol = fmt::format("{}[{}]", input.name, i);
      }
      take_sizes(input, asked);
      inputs_.push_back(std::move(input));
    }
    for (const Input& input : inputs_) collect(input);
  }

  [[nodiscard]] const std::vector<Input>& inputs() const { return inputs_; }
  [[nodiscard]] const std::vector<std::string>& free() const { return free_; }
  [[nodiscard]] bool has_expressions() const { return has_expressions_; }
  [[nodiscard]] bool is_batch(const std::string& symbol) const { return batches_.contains(symbol); }

  [[nodiscard]] bool is_open(const Input& input) const {
    return std::ranges::any_of(
        input.shape, [&](const model::Dimension& size) { return size.value < 0 && !bound_.contains(size.symbol); });
  }

  // With `plain`, expressions are treated as plain symbols.
  [[nodiscard]] InputShapes shapes(Sizes sizes, bool plain) const {
    sizes.insert(bound_.begin(), bound_.end());
    InputShapes shapes;
    for (const Input& input : inputs_) {
      if (std::ranges::all_of(input.shape, [](const model::Dimension& size) { return size.value >= 0; })) continue;
      std::vector<std::int64_t>& shape = shapes[input.name];
      for (const model::Dimension& size : input.shape) {
        const bool whole = plain && is_expression(size.symbol) && !sizes.contains(size.symbol);
        shape.push_back(size.value >= 0 ? size.value : whole ? 1 : size_of_symbol(size.symbol, sizes));
      }
    }
    return shapes;
  }

 private:
  void take_sizes(Input& input, const InputShapes& asked) {
    const auto given = asked.find(input.name);
    if (given == asked.end() || given->second.size() != input.shape.size()) return;
    for (std::size_t i = 0; i < input.shape.size(); ++i) {
      if (input.shape[i].value >= 0 || given->second[i] < 0) continue;
      bound_.emplace(input.shape[i].symbol, given->second[i]);
      input.shape[i].value = given->second[i];
    }
  }

  void collect(const Input& input) {
    std::size_t open = 0;
    for (const model::Dimension& size : input.shape) open += size.value < 0 ? 1 : 0;
    for (std::size_t i = 0; i < input.shape.size(); ++i) {
      const model::Dimension& size = input.shape[i];
      if (size.value >= 0 || bound_.contains(size.symbol)) continue;
      has_expressions_ |= is_expression(size.symbol);
      for (std::string& part : symbols_of(size.symbol)) {
        if (bound_.contains(part)) continue;
        const std::string lower = base::to_lower(part);
        const bool first = i == 0 && open > 1;
        if (first || lower.find("batch") != std::string::npos || lower == "n" || lower == "b") batches_.insert(part);
        if (std::ranges::find(free_, part) == free_.end()) free_.push_back(std::move(part));
      }
    }
  }

  std::vector<Input> inputs_;
  std::vector<std::string> free_;  // in order of occurrence
  std::set<std::string> batches_;
  Sizes bound_;
  bool has_expressions_ = false;
};

class Choices {
 public:
  explicit Choices(const OpenSizes& open) : open_(open) {}

  std::vector<InputChoice> list() && {
    add({}, 1, true);
    if (open_.free().empty()) return std::move(choices_);
    if (open_.has_expressions()) add({}, 1, false);
    for (const std::int64_t size : kSizes) add(sizes(1, size), size, false);
    for (const std::int64_t size : kBatches) add(sizes(size, size), size, false);
    add_other_values();
    add_unequal();
    return std::move(choices_);
  }

 private:
  [[nodiscard]] Sizes sizes(std::int64_t batch, std::int64_t other) const {
    Sizes sizes;
    for (const std::string& symbol : open_.free()) sizes[symbol] = open_.is_batch(symbol) ? batch : other;
    return sizes;
  }

  void add(const Sizes& sizes, std::int64_t size, bool plain) {
    InputChoice choice{.shapes = open_.shapes(sizes, plain), .size = size, .values = InputChoice::Values::as_asked};
    std::uint64_t elements = 0;
    for (const auto& [name, shape] : choice.shapes) {
      elements += std::min(tensor::element_count(shape).value_or(kMostElements + 1), kMostElements + 1);
    }
    const bool is_new = std::ranges::find(choices_, choice.shapes, &InputChoice::shapes) == choices_.end();
    if (is_new && (choices_.empty() || elements <= kMostElements)) choices_.push_back(std::move(choice));
  }

  void add_other_values() {
    using Values = InputChoice::Values;
    const std::vector<InputChoice> as_asked = choices_;
    const bool whole_numbers = std::ranges::any_of(open_.inputs(), [](const Input& input) {
      const tensor::ElementKind kind = tensor::info(input.type).kind;
      return kind != tensor::ElementKind::floating && kind != tensor::ElementKind::string;
    });
    for (const Values values : {Values::ones, Values::zeros, Values::lengths}) {
      if (values != Values::ones && !whole_numbers) break;
      for (const InputChoice& choice : as_asked) {
        if (std::ranges::find(kSizesOfValues, choice.size) == kSizesOfValues.end()) continue;
        choices_.push_back(choice);
        choices_.back().values = values;
      }
    }
  }

  // For a mask that is as long as two parts together, and the like.
  void add_unequal() {
    const std::vector<std::string>& free = open_.free();
    if (free.size() < 2 || free.size() > kUnequal) return;
    for (unsigned bits = 1; bits + 1 < (1U << free.size()); ++bits) {
      Sizes sizes;
      for (std::size_t i = 0; i < free.size(); ++i) sizes[free[i]] = (bits >> i & 1U) != 0 ? 2 : 1;
      add(sizes, 2, false);
    }
  }

  const OpenSizes& open_;
  std::vector<InputChoice> choices_;
};

}  // namespace

std::vector<tensor::TensorSpec> tensor_inputs(const model::Model& model) {
  std::vector<tensor::TensorSpec> specs = model::input_specs(model);
  std::erase_if(specs, [](const auto& spec) { return spec.type == tensor::ElementType::undefined; });
  return specs;
}

std::vector<InputChoice> input_choices(const onnx::GraphProto& graph, const InputShapes& asked) {
  const OpenSizes sizes(graph, asked);
  return Choices(sizes).list();
}

std::vector<std::string> open_inputs(const onnx::GraphProto& graph, const InputShapes& asked) {
  const OpenSizes sizes(graph, asked);
  std::vector<std::string> names;
  for (const Input& input : sizes.inputs()) {
    if (sizes.is_open(input)) names.push_back(input.name);
  }
  return names;
}

base::Expected<tensor::NamedTensors> choose_values(const onnx::GraphProto& graph, const InputShapes& asked,
                                                   const InputChoice& choice) {
  const OpenSizes sizes(graph, asked);
  tensor::GenerateOptions options;
  options.range = {.low = 0.5L, .high = 1.5L};
  options.shapes = asked;
  for (const auto& [name, shape] : choice.shapes) options.shapes[name] = shape;
  std::vector<tensor::TensorSpec> specs;
  for (const Input& input : sizes.inputs()) {
    tensor::TensorSpec& spec =
        specs.emplace_back(tensor::TensorSpec{.name = input.name, .type = input.type, .shape = {}});
    for (const model::Dimension& size : input.shape) spec.shape.push_back(size.value);
    if (tensor::info(input.type).kind == tensor::ElementKind::floating) continue;
    const long double value = choice.values == InputChoice::Values::ones    ? 1
                              : choice.values == InputChoice::Values::zeros ? 0
                                                                            : static_cast<long double>(choice.size);
    options.ranges[input.name] = {.low = value, .high = value};
  }
  base::SilentLog silent;
  return tensor::generate_inputs(specs, options, 0, silent);
}

std::string describe(const InputShapes& shapes) {
  std::string text;
  for (const auto& [name, shape] : shapes) {
    text += fmt::format("{}{} [{}]", text.empty() ? "" : ", ", name, fmt::join(shape, ", "));
  }
  return text;
}

}  // namespace assay::reduce
