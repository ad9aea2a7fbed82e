// The message, which holds no large weights, is copied, and its tensors are assigned their new positions one by one.
//
// ONNX's specification recommends offsets that are multiples of 4096, so that a file can be mapped. That would bloat a
// file of many small tensors, so those are aligned for vector loads only.
#include "model/move_weights_out.h"

#include <fmt/format.h>

#include <unordered_set>

#include "model/clear_values.h"
#include "model/visit_tensors.h"
#include "model/weights.h"

namespace assay::model {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;

namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kLarge = 1 << 20;  // tensors of this size or more begin on a page
constexpr std::uint64_t kVector = 64;

// Returns whether a tensor's name can be used as a file name.
bool is_file_name(const std::string& name) {
  return !name.empty() && name.size() < 200 && name.front() != '.' && name.front() != '#' &&
         name.find_first_of("<>:;,?\"*|/\\") == std::string::npos && name.find('\0') == std::string::npos;
}

base::Status check_name(const std::string& name, const std::string& model_name) {
  const fs::path path(name);
  const bool leads_out = std::ranges::find(path, fs::path("..")) != path.end();
  if (path.is_absolute() || leads_out || !path.has_filename()) {
    return fail(ErrorKind::invalid_input, "the file for external data must be in the model's folder or below it", name,
                "Use a path relative to the model, without '..'");
  }
  if (path.lexically_normal() == fs::path(model_name)) {
    return fail(ErrorKind::invalid_input, "the file for external data has the name of the model itself", name,
                "Choose another name");
  }
  if (name.front() == '#') {
    return fail(ErrorKind::invalid_input, "the name of a file for external data cannot begin with '#'", name,
                "Choose another name");
  }
  return {};
}

// Returns whether the values are numbers in one of the lists, in which onnx.helper.make_tensor() puts them.
bool has_listed_numbers(const onnx::TensorProto& tensor) {
  return tensor.float_data_size() + tensor.int32_data_size() + tensor.int64_data_size() + tensor.double_data_size() +
             tensor.uint64_data_size() >
         0;
}

class Mover {
 public:
  Mover(const Model& model, const SaveOptions& options, std::string model_name)
      : source_(model), options_(options), model_name_(std::move(model_name)) {
    result_.proto = model.proto;
  }

  base::Expected<MovedWeights> run() && {
    if (options_.all_tensors_to_one_file) {
      const std::string& given = *options_.external_data_path;
      std::string name = given.empty() ? model_name_ + ".data" : given;
      ASSAY_TRY(check_name(name, model_name_));
      start_file(std::move(name));
    }
    visit_tensors(result_.proto, [&](onnx::TensorProto& tensor, TensorRole role) {
      if (status_) status_ = place(tensor, role);
    });
    ASSAY_TRY(std::move(status_));
    std::erase_if(result_.files, [](const WeightsFile& file) { return file.weights.empty(); });
    return std::move(result_);
  }

 private:
  // A tensor without values needs no file.
  [[nodiscard]] bool stays_inside(std::uint64_t length) const {
    return length == 0 || length < options_.size_threshold;
  }

  base::Status place(onnx::TensorProto& tensor, TensorRole role) {
    PlacedWeight weight;
    std::uint64_t length = 0;
    if (is_external(tensor)) {
      if (source_.weights_ignored && !was_inline(tensor)) return {};  // a reference to data that was not loaded
      ASSAY_ASSIGN(ExternalData data, external_data(tensor));
      ASSAY_ASSIGN(FileRange range, find_range(*source_.files, data, tensor));
      length = range.length;
      if (stays_inside(length) || (role != TensorRole::initializer && was_inline(tensor))) {
        if (data.inline_form.empty()) {
          data.inline_form = std::string(kInlineRaw);
          set_external_data(tensor, data);
        }
        return {};
      }
      weight.values = std::move(range);
    } else if (role != TensorRole::initializer) {
      return {};
    } else {
      const bool is_listed = has_listed_numbers(tensor);
      length = is_listed ? data_bytes(tensor) : tensor.raw_data().size();
      if (stays_inside(length)) return {};
      if (is_listed) {
        const auto value = read_weight(source_, tensor);
        if (!value) return {};  // a wrong number of values is left to the checker
        weight.values = std::string(value->buffer().view());
        clear_values(tensor);
      } else {
        weight.values = std::move(*tensor.mutable_raw_data());
      }
    }
    if (!options_.all_tensors_to_one_file) start_file(file_of(tensor.name()));
    weight.offset = align_weight(end_, length);
    end_ = weight.offset + length;
    set_external_data(tensor, {result_.files.back().name, weight.offset, length, {}});
    result_.files.back().weights.push_back(std::move(weight));
    return {};
  }

  void start_file(std::string name) {
    result_.files.push_back({std::move(name), {}});
    end_ = 0;
  }

  std::string file_of(const std::string& tensor) {
    if (is_file_name(tensor) && tensor != model_name_ && used_.insert(tensor).second) return tensor;
    std::string name;
    do {
      name = fmt::format("{}.{}.data", model_name_, ++numbered_);
    } while (!used_.insert(name).second);
    return name;
  }

  const Model& source_;
  const SaveOptions& options_;
  std::string model_name_;
  MovedWeights result_;
  std::unordered_set<std::string> used_;
  int numbered_ = 0;
  std::uint64_t end_ = 0;  // of the data placed in the current file
  base::Status status_;
};

}  // namespace

std::uint64_t align_weight(std::uint64_t offset, std::uint64_t length) {
  const std::uint64_t to = length >= kLarge ? kPage : kVector;
  return (offset + to - 1) / to * to;
}

base::Expected<MovedWeights> move_weights_out(const Model& model, const SaveOptions& options,
                                              const std::string& model_name) {
  return Mover(model, options, model_name).run();
}

}  // namespace assay::model
