#include "tensor/generate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/free_memory.h"
#include "base/list_first.h"
#include "base/pattern.h"
#include "tensor/convert.h"
#include "tensor/random_state.h"

namespace assay::tensor {
namespace {

using base::ErrorKind;
using base::fail;

// Words common enough to be in any tokenizer's vocabulary.
constexpr std::array<std::string_view, 16> kWords = {"the", "of",  "and", "to",   "in",   "is",   "that", "it",
                                                     "for", "was", "on",  "with", "time", "good", "new",  "one"};

bool is_integer(ElementType type) {
  const ElementKind kind = info(type).kind;
  return kind == ElementKind::signed_integer || kind == ElementKind::unsigned_integer;
}

bool has_unknown(const std::vector<std::int64_t>& shape) {
  return std::ranges::any_of(shape, [](std::int64_t dim) { return dim < 0; });
}

bool compatible(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& model) {
  return std::ranges::equal(shape, model,
                            [](std::int64_t dim, std::int64_t known) { return known < 0 || dim == known; });
}

std::string text(const std::vector<std::int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

bool holds_shape(const TensorSpec& input, const std::vector<std::int64_t>& given) {
  return is_integer(input.type) && input.shape.size() == 1 && input.shape[0] == static_cast<std::int64_t>(given.size());
}

// The shape that the options have for an input.
struct GivenShape {
  const std::vector<std::int64_t>* shape = nullptr;
  bool by_name = false;  // and not by a wildcard
};

// Engines don't distinguish a scalar from a tensor of unknown rank. With more than one element, it isn't a scalar.
bool is_of_unknown_rank(const TensorSpec& input, const GivenShape& given) {
  return input.shape.empty() && given.by_name && element_count(*given.shape) != 1;
}

// Chooses an input's shape.
Shape choose_shape(const TensorSpec& input, const GivenShape& by_option, std::string_view option, base::Log& log) {
  const std::vector<std::int64_t>* const given = by_option.shape;
  if (given != nullptr) {
    if (has_unknown(*given)) {
      log.warning("Input '{}': the given shape {} has an unknown dimension, so it is not used", input.name,
                  text(*given));
    } else if (compatible(*given, input.shape)) {
      return *given;
    } else if (is_of_unknown_rank(input, by_option)) {
      log.info(
          "Input '{}': the given shape {} is used; the engine says no more than that it is a scalar or of any rank",
          input.name, text(*given));
      return *given;
    } else {
      log.warning("Input '{}': the given shape {} does not fit the model's, {}, so it is not used", input.name,
                  text(*given), text(input.shape));
    }
  }
  Shape shape = input.shape;
  std::ranges::replace_if(
      shape, [](std::int64_t dim) { return dim < 0; }, 1);
  if (has_unknown(input.shape)) {
    log.warning("Input '{}': unknown dimensions become 1, giving {}{}", input.name, text(shape),
                option.empty() ? "" : fmt::format("; set them with {}", option));
  }
  return shape;
}

base::Error too_large(const TensorSpec& input, const Shape& shape, std::string_view option) {
  return {ErrorKind::invalid_input,
          fmt::format("a {} tensor of shape {} does not fit in this machine's memory", name(input.type),
                      format_shape(shape)),
          {},
          option.empty() ? "Set a smaller shape in the model" : fmt::format("Set a smaller shape with {}", option)};
}

// There must be room for two: the engine gets a copy.
base::Status check_memory(const TensorSpec& input, const Shape& shape, std::string_view option) {
  const std::optional<std::uint64_t> memory = base::free_memory();
  const auto count = element_count(shape);
  const auto bytes = count && input.type != ElementType::string ? byte_size(input.type, *count) : count;
  if (bytes && (!memory || *bytes <= *memory / 2)) return {};
  return fail(too_large(input, shape, option));
}

base::Expected<__int128> truncate(long double value) {
  if (!std::isfinite(value)) {
    return fail(ErrorKind::invalid_input, "the ends of a range of integers must be finite");
  }
  if (std::fabs(value) >= 1e30L) {
    return fail(ErrorKind::invalid_input, fmt::format("{:g} is out of range for integers of 64 bits", value));
  }
  return static_cast<__int128>(value);
}

// Draws a piece at a time, so that no memory is needed for all numbers in double.
base::Expected<Tensor> generate_floats(ElementType type, Shape shape, const ValueRange& range, RandomState& random) {
  constexpr std::uint64_t kPiece = 1 << 16;  // a whole number of bytes for packed types, too
  auto low = static_cast<double>(range.low);
  const auto high = static_cast<double>(range.high);
  double width = high - low;
  // As in Polygraphy: an end that is infinite gives infinities instead of NaN.
  if (std::isinf(low)) width = std::exchange(low, 0);
  if (std::isinf(high)) width = high;
  const std::uint64_t count = element_count(shape).value_or(0);
  std::vector<std::byte> bytes;
  bytes.reserve(static_cast<std::size_t>(byte_size(type, count).value_or(0)));
  for (std::uint64_t begin = 0; begin < count; begin += kPiece) {
    std::vector<double> values(static_cast<std::size_t>(std::min(kPiece, count - begin)));
    for (double& value : values) value = random.random_sample() * width + low;
    const Tensor piece = from_doubles(type, {static_cast<std::int64_t>(values.size())}, values);
    bytes.insert(bytes.end(), piece.bytes().begin(), piece.bytes().end());
  }
  return Tensor::make(type, std::move(shape), Buffer::own(std::move(bytes)));
}

base::Expected<Tensor> generate_strings(Shape shape, RandomState& random) {
  std::vector<std::string> values(static_cast<std::size_t>(element_count(shape).value_or(0)));
  for (std::string& value : values) value = kWords.at(random.below_or_equal(kWords.size() - 1));
  return Tensor::make_strings(std::move(shape), std::move(values));
}

base::Expected<Tensor> generate_input(const TensorSpec& input, Shape shape, const ValueRange& range,
                                      RandomState& random, std::string_view option) {
  if (input.type != ElementType::undefined) ASSAY_TRY(check_memory(input, shape, option));
  switch (info(input.type).kind) {
    case ElementKind::floating:
    case ElementKind::complex:
      return generate_floats(input.type, std::move(shape), range, random);
    case ElementKind::boolean:
      return random.randint(input.type, std::move(shape), range.low != 0, range.high != 0);
    case ElementKind::signed_integer:
    case ElementKind::unsigned_integer: {
      ASSAY_ASSIGN(const __int128 low, truncate(range.low));
      ASSAY_ASSIGN(const __int128 high, truncate(range.high));
      return random.randint(input.type, std::move(shape), low, high);
    }
    case ElementKind::string:
      return generate_strings(std::move(shape), random);
    case ElementKind::none:
      break;
  }
  return fail(
      ErrorKind::unsupported, "cannot generate an input without an element type", {},
      "If it is a tensor, load its value with --load-inputs. Sequences and optionals can't be fed: extract the part "
      "of the model after the input with `assay surgeon extract`");
}

base::Expected<Tensor> generate_if_it_fits(const TensorSpec& input, const Shape& shape, const ValueRange& range,
                                           RandomState& random, std::string_view option) {
  try {
    return generate_input(input, shape, range, random, option);
  } catch (const std::bad_alloc&) {  // a limit of the process (ulimit -v), which free_memory() doesn't know
    return fail(too_large(input, shape, option));
  }
}

GivenShape find_shape(const GenerateOptions& options, const std::string& input) {
  const auto found = base::find_entry_for(options.shapes, input);
  return found == options.shapes.end() ? GivenShape() : GivenShape{&found->second, found->first == input};
}

std::string list_names(std::span<const TensorSpec> inputs) {
  constexpr std::size_t kMostListed = 8;
  std::vector<std::string> names;
  for (const TensorSpec& input : inputs) names.push_back(input.name);
  return names.empty() ? "It has none" : "Its inputs are: " + base::list_first(std::move(names), kMostListed, ", ");
}

void warn_of_unknown_inputs(const GenerateOptions& options, std::span<const TensorSpec> inputs, base::Log& log) {
  const auto warn = [&](const std::string& name, std::string_view what) {
    log.warning("The model has no input '{}', for which {} is given. {}", name, what, list_names(inputs));
  };
  for (const auto& [name, shape] : options.shapes) {
    const auto is_meant = [&name = name](const TensorSpec& input) { return base::stands_for(name, input.name); };
    if (std::ranges::none_of(inputs, is_meant)) warn(name, "a shape");
  }
  for (const auto& [name, range] : options.ranges) {
    if (std::ranges::find(inputs, name, &TensorSpec::name) == inputs.end()) warn(name, "a range");
  }
}

}  // namespace

base::Expected<NamedTensors> generate_inputs(std::span<const TensorSpec> inputs, const GenerateOptions& options,
                                             std::int64_t iteration, base::Log& log) {
  const __int128 seed = __int128{options.seed} + iteration;
  if (seed < 0 || seed > std::numeric_limits<std::uint32_t>::max()) {
    return fail(ErrorKind::invalid_input,
                fmt::format("the seed {} (of iteration {}) is not between 0 and 2^32 - 1",
                            static_cast<std::int64_t>(seed), iteration),
                "--seed");
  }
  base::SilentLog silent;
  base::Log& notes = iteration == 0 ? log : silent;
  warn_of_unknown_inputs(options, inputs, notes);

  RandomState random(static_cast<std::uint32_t>(seed));
  NamedTensors result;
  for (const TensorSpec& input : inputs) {
    const GivenShape given = find_shape(options, input.name);
    const std::vector<std::int64_t>* const shape = given.shape;
    if (shape != nullptr && !has_unknown(*shape) && holds_shape(input, *shape)) {
      notes.info("Input '{}' seems to hold a shape, so its value is set to {}", input.name, text(*shape));
      const auto as_vector = Tensor::of<std::int64_t>(ElementType::int64, input.shape, *shape);
      ASSAY_ASSIGN(auto value, cast(as_vector, input.type));
      result.set(input.name, std::move(value));
      continue;
    }
    const auto range = options.ranges.find(input.name);
    auto value = generate_if_it_fits(input, choose_shape(input, given, options.shapes_option, notes),
                                     range == options.ranges.end() ? options.range : range->second, random,
                                     options.shapes_option);
    if (!value) return fail(std::move(value).error().within(fmt::format("input '{}'", input.name)));
    result.set(input.name, std::move(*value));
  }
  return result;
}

}  // namespace assay::tensor
