#include "inspect/show_comparison.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/counted.h"
#include "inspect/compare_data.h"
#include "inspect/tensor_json.h"
#include "stats/summary_text.h"
#include "tensor/json_writer.h"

namespace assay::inspect {
namespace {

using Json = nlohmann::ordered_json;
using tensor::Tensor;

std::string kind_text(const Tensor& tensor) {
  return fmt::format("[dtype={}, shape={}]", tensor::name(tensor.type()), tensor::format_shape(tensor.shape()));
}

// Formats one element of a tensor.
std::string element_text(const Tensor& tensor, std::uint64_t index) {
  const Json value = element_json(tensor, index);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string error_text(std::string_view kind, const stats::ErrorRange& error, const ArrayPair& pair) {
  return fmt::format("largest {} error {} at {}, where {} became {}", kind, stats::format_number(error.max),
                     stats::format_position(error.max_at, pair.first->shape()), element_text(*pair.first, error.max_at),
                     element_text(*pair.second, error.max_at));
}

// "NaN: 1 and 0" for elements that are NaN in one of the arrays only.
std::string special_text(std::string_view what, const stats::ErrorSummary::SpecialCounts& counts) {
  return counts.mismatched == 0 ? "" : fmt::format("; {}: {} and {}", what, counts.first, counts.second);
}

std::string difference_text(const ArrayPair& pair) {
  const stats::ErrorSummary& difference = *pair.difference;
  std::string text = fmt::format("{} of {} elements differ", difference.beyond, difference.elements);
  const auto first_text = [&] {
    return ", the first at " + stats::format_position(difference.first_beyond, pair.first->shape());
  };
  if (pair.first->type() == tensor::ElementType::string) return text + first_text();
  const bool complex = tensor::info(pair.first->type()).kind == tensor::ElementKind::complex;
  if (complex)
    return text + fmt::format(" (parts of complex numbers); largest absolute error {}",
                              stats::format_number(difference.absolute.max));
  if (difference.absolute.max == 0) {  // only NaNs in one of the arrays, which aren't measured as errors
    return text + first_text() +
           fmt::format(", where {} became {}", element_text(*pair.first, difference.first_beyond),
                       element_text(*pair.second, difference.first_beyond)) +
           special_text("NaN", difference.nan);
  }
  text += ": " + error_text("absolute", difference.absolute, pair);
  text += fmt::format(", mean {}", stats::format_number(difference.absolute.mean));
  text += "; " + error_text("relative", difference.relative, pair);
  text += fmt::format("; largest distance {} ULP", difference.max_ulp);
  return text + special_text("NaN", difference.nan) + special_text("infinite", difference.infinite);
}

Json side_json(const std::optional<Tensor>& tensor) {
  if (!tensor) return nullptr;
  return {{"dtype", tensor::name(tensor->type())}, {"shape", tensor->shape()}};
}

// Complex numbers are measured as pairs, so that positions have one more index: 0 for the real part, 1 for the other.
Json difference_json(const stats::ErrorSummary& difference, const Tensor& first) {
  tensor::Shape shape = first.shape();
  if (tensor::info(first.type()).kind == tensor::ElementKind::complex) shape.push_back(2);
  const auto range = [&](const stats::ErrorRange& error) {
    return Json{{"max", number_json(error.max)},
                {"max_at", stats::position_of(error.max_at, shape)},
                {"mean", number_json(error.mean)}};
  };
  return {{"elements", difference.elements},
          {"different", difference.beyond},
          {"first_different", stats::position_of(difference.first_beyond, shape)},
          {"absolute", range(difference.absolute)},
          {"relative", range(difference.relative)},
          {"max_ulp", difference.max_ulp},
          {"nan_mismatches", difference.nan.mismatched},
          {"infinity_mismatches", difference.infinite.mismatched}};
}

std::string pair_text(const ArrayPair& pair) {
  if (!pair.problem.empty()) return fmt::format("{} | cannot be read: {}", pair.name, pair.problem);
  if (!pair.first) return fmt::format("{} {} | only in the second file", pair.name, kind_text(*pair.second));
  if (!pair.second) return fmt::format("{} {} | only in the first file", pair.name, kind_text(*pair.first));
  const std::string kind = kind_text(*pair.first) == kind_text(*pair.second)
                               ? kind_text(*pair.first)
                               : fmt::format("{} became {}", kind_text(*pair.first), kind_text(*pair.second));
  if (!pair.difference) return fmt::format("{} {} | cannot be compared", pair.name, kind);
  if (pair.difference->equal()) return fmt::format("{} {} | equal values", pair.name, kind);
  return fmt::format("{} {} | {}", pair.name, kind, difference_text(pair));
}

Json pair_json(const ArrayPair& pair) {
  Json object = {{"first_runner", pair.first_runner},
                 {"second_runner", pair.second_runner},
                 {"iteration", pair.iteration},
                 {"name", pair.name},
                 {"equal", pair.equal()},
                 {"first", side_json(pair.first)},
                 {"second", side_json(pair.second)}};
  if (pair.difference && !pair.difference->equal())
    object["difference"] = difference_json(*pair.difference, *pair.first);
  if (!pair.problem.empty()) object["error"] = pair.problem;
  return object;
}

// Returns the line above the arrays of an iteration.
std::string heading(const ArrayPair& pair) {
  const std::string runners = pair.first_runner.empty() && pair.second_runner.empty()
                                  ? ""
                                  : fmt::format(", {} and {}", pair.first_runner.empty() ? "inputs" : pair.first_runner,
                                                pair.second_runner.empty() ? "inputs" : pair.second_runner);
  return fmt::format("-- Iteration {}{} --", pair.iteration, runners);
}

}  // namespace

base::Expected<bool> show_comparison(const std::filesystem::path& first, const std::filesystem::path& second,
                                     const Message& message) {
  std::string last;
  const auto show = [&](const ArrayPair& pair) {
    std::string line = heading(pair);
    message(line == last ? pair_text(pair) : line + "\n" + pair_text(pair));
    last = std::move(line);
  };
  ASSAY_ASSIGN(const DataDifference result, compare_data(first, second, show));
  message(result.different == 0
              ? fmt::format("The files are equal: {} compared", base::counted(result.pairs, "array"))
              : fmt::format("The files differ in {} of {}", result.different, base::counted(result.pairs, "array")));
  return result.different == 0;
}

base::Expected<bool> show_comparison_json(const std::filesystem::path& first, const std::filesystem::path& second,
                                          const tensor::ByteSink& sink) {
  tensor::JsonWriter json(sink);
  json.begin_object();
  json.string("first", first.string());
  json.string("second", second.string());
  json.key("arrays");
  json.begin_array();
  ASSAY_ASSIGN(const DataDifference result,
               compare_data(first, second, [&](const ArrayPair& pair) { write_json(json, pair_json(pair)); }));
  json.end_array();
  json.key("equal");
  json.boolean(result.different == 0);
  json.end_object();
  ASSAY_TRY(json.finish());
  ASSAY_TRY(sink("\n"));
  return result.different == 0;
}

}  // namespace assay::inspect
