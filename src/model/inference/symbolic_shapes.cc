#include "model/inference/symbolic_shapes.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/pattern.h"
#include "model/initializers.h"

namespace assay::model {
namespace {

using Sizes = std::map<std::string, std::int64_t, std::less<>>;  // by name

bool is_in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == ':' || c == '/';
}

// Evaluates a name, a number, or sums, differences and products of them, with parentheses.
class Expression {
 public:
  Expression(std::string_view text, const Sizes& sizes) : rest_(text), sizes_(sizes) {}

  // Returns nothing if the text is something else, or if the result isn't a size.
  std::optional<std::int64_t> value() {
    const auto result = sum();
    skip_spaces();
    if (!result || !rest_.empty() || *result < 0) return std::nullopt;
    return result;
  }

 private:
  using Operation = bool (*)(std::int64_t, std::int64_t, std::int64_t*);

  void skip_spaces() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }
  bool take(char c) {
    skip_spaces();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  static void apply(Operation operation, std::optional<std::int64_t>& left, std::optional<std::int64_t> right) {
    std::int64_t result = 0;
    if (!left || !right || operation(*left, *right, &result)) {
      left.reset();
    } else {
      left = result;
    }
  }
  static bool add(std::int64_t a, std::int64_t b, std::int64_t* result) { return __builtin_add_overflow(a, b, result); }
  static bool subtract(std::int64_t a, std::int64_t b, std::int64_t* result) {
    return __builtin_sub_overflow(a, b, result);
  }
  static bool multiply(std::int64_t a, std::int64_t b, std::int64_t* result) {
    return __builtin_mul_overflow(a, b, result);
  }

  std::optional<std::int64_t> sum() {
    auto left = product();
    while (left) {
      if (take('+')) {
        apply(add, left, product());
      } else if (take('-')) {
        apply(subtract, left, product());
      } else {
        break;
      }
    }
    return left;
  }
  std::optional<std::int64_t> product() {
    auto left = factor();
    while (left && take('*')) apply(multiply, left, factor());
    return left;
  }
  std::optional<std::int64_t> factor() {
    constexpr int kMostDepth = 32;  // of parentheses
    if (take('(')) {
      if (++depth_ > kMostDepth) return std::nullopt;
      const auto inner = sum();
      return take(')') ? inner : std::nullopt;
    }
    skip_spaces();
    const std::string_view word = rest_.substr(0, std::ranges::find_if_not(rest_, is_in_name) - rest_.begin());
    rest_.remove_prefix(word.size());
    if (word.empty()) return std::nullopt;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error == std::errc() && end == word.data() + word.size()) return number;
    const auto found = sizes_.find(word);
    return found == sizes_.end() ? 1 : found->second;
  }

  std::string_view rest_;
  const Sizes& sizes_;
  int depth_ = 0;
};

// Adds the shapes that wildcards give to inputs.
void add_wildcard_shapes(const std::vector<DeclaredShape>& inputs,
                         std::map<std::string, std::vector<Dimension>>& given) {
  const auto wildcards = given;
  for (const auto& [name, declared] : inputs) {
    const auto found = base::find_entry_for(wildcards, name);
    if (found != wildcards.end()) given.emplace(name, found->second);
  }
}

Sizes sizes_of_names(const std::vector<DeclaredShape>& inputs,
                     const std::map<std::string, std::vector<Dimension>>& given) {
  Sizes sizes;
  for (const auto& [name, shape] : inputs) {
    const auto found = given.find(name);
    if (found == given.end() || found->second.size() != shape.size()) continue;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (!shape[i].symbol.empty() && found->second[i].value >= 0)
        sizes.emplace(shape[i].symbol, found->second[i].value);
    }
  }
  return sizes;
}

}  // namespace

std::map<std::string, std::vector<Dimension>> shapes_by_names(const onnx::GraphProto& graph,
                                                              std::map<std::string, std::vector<Dimension>> given) {
  const auto constants = initializer_names(graph);
  std::vector<DeclaredShape> inputs;
  for (const onnx::ValueInfoProto& input : graph.input()) {
    const TensorInfo info = tensor_info(input);
    if (info.shape && !constants.contains(input.name())) inputs.emplace_back(input.name(), *info.shape);
  }
  return shapes_by_names(std::move(inputs), std::move(given));
}

std::map<std::string, std::vector<Dimension>> shapes_by_names(std::vector<DeclaredShape> inputs,
                                                              std::map<std::string, std::vector<Dimension>> given) {
  add_wildcard_shapes(inputs, given);
  const Sizes sizes = sizes_of_names(inputs, given);
  for (auto& [name, shape] : inputs) {
    bool is_news = false;
    for (Dimension& size : shape) {
      if (size.value >= 0) continue;
      // A name may contain any character, so the whole text may be a name.
      const auto found = sizes.find(size.symbol);
      size.value = found != sizes.end() ? found->second : Expression(size.symbol, sizes).value().value_or(1);
      is_news |= size.value != 1;
    }
    if (is_news) given.emplace(name, std::move(shape));
  }
  return given;
}

}  // namespace assay::model
