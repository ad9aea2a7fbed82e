#include "model/external_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/is_below.h"
#include "base/read_error.h"
#include "model/weights.h"

namespace assay::model {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;

namespace {

constexpr const char* kHint =
    "Put the file there, name its folder with --external-data-dir, or load without weights with --ignore-external-data";

std::string tensor_label(const std::string& tensor) {
  return fmt::format("tensor '{}'", tensor);
}

base::Expected<std::uint64_t> parse_number(const onnx::TensorProto& tensor, const onnx::StringStringEntryProto& entry) {
  const std::string& text = entry.value();
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc() && end == text.data() + text.size()) return value;
  return fail(ErrorKind::invalid_input, fmt::format("the external data's {} is '{}', not a number", entry.key(), text),
              tensor_label(tensor.name()), "Export the model again");
}

void add_entry(onnx::TensorProto& tensor, const char* key, std::string value) {
  onnx::StringStringEntryProto* entry = tensor.add_external_data();
  entry->set_key(key);
  entry->set_value(std::move(value));
}

}  // namespace

bool is_external(const onnx::TensorProto& tensor) {
  return tensor.data_location() == onnx::TensorProto::EXTERNAL;
}

bool was_inline(const onnx::TensorProto& tensor) {
  return is_external(tensor) &&
         std::ranges::any_of(tensor.external_data(), [](const auto& entry) { return entry.key() == kInlineKey; });
}

base::Expected<ExternalData> external_data(const onnx::TensorProto& tensor) {
  ExternalData data;
  for (const onnx::StringStringEntryProto& entry : tensor.external_data()) {
    if (entry.key() == "location") data.location = entry.value();
    if (entry.key() == kInlineKey) data.inline_form = entry.value();
    if (entry.key() == "offset") {
      ASSAY_ASSIGN(data.offset, parse_number(tensor, entry));
    } else if (entry.key() == "length") {
      ASSAY_ASSIGN(data.length, parse_number(tensor, entry));
    }
  }
  if (data.location.empty()) {
    return fail(ErrorKind::invalid_input, "the tensor's external data has no location", tensor_label(tensor.name()),
                "Export the model again");
  }
  return data;
}

void set_external_data(onnx::TensorProto& tensor, const ExternalData& data) {
  tensor.clear_raw_data();
  tensor.clear_float_data();
  tensor.clear_double_data();
  tensor.clear_external_data();
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  add_entry(tensor, "location", data.location);
  add_entry(tensor, "offset", std::to_string(data.offset));
  if (data.length) add_entry(tensor, "length", std::to_string(*data.length));
  if (!data.inline_form.empty()) add_entry(tensor, kInlineKey, data.inline_form);
}

std::string inline_location(const fs::path& model_path) {
  return "#" + model_path.filename().string();
}

namespace {

// Returns whether the path, which is canonical, is below the folder of the file to which the path of the model leads.
bool is_next_to(const fs::path& model_file, const fs::path& path) {
  if (model_file.empty()) return false;
  std::error_code code;
  const fs::path real = fs::canonical(model_file, code);
  return !code && base::is_below(real.parent_path(), path);
}

}  // namespace

base::Expected<fs::path> resolve_location(const DataPlace& place, const std::string& location,
                                          const std::string& tensor) {
  const fs::path folder = place.folder.empty() ? fs::path(".") : place.folder;
  const fs::path relative(location);
  const auto refuse = [&](std::string what) {
    return fail(ErrorKind::invalid_input, "external data " + std::move(what) + ": '" + location + "'",
                tensor_label(tensor), "Keep the data in the model's folder and refer to it by a relative path");
  };
  if (location.find('\0') != std::string::npos) return refuse("has an impossible name");
  if (relative.is_absolute()) return refuse("is named by an absolute path");
  const fs::path direct = relative.lexically_normal();
  if (std::ranges::find(direct, fs::path("..")) != direct.end()) return refuse("is outside the model's folder");

  std::error_code code;
  const fs::path root = fs::canonical(folder, code);
  if (code) return fail(base::read_error("cannot look for external data", folder.string(), code.value()));
  const fs::path path = fs::canonical(root / relative, code);
  if (code) {
    base::Error error = base::read_error("cannot find external data", (folder / relative).string(), code.value());
    if (error.kind == ErrorKind::not_found) error.fix = kHint;
    return fail(std::move(error).within(tensor_label(tensor)));
  }
  if (!base::is_below(root, path) && !is_next_to(place.model_file, path))
    return refuse("is outside the model's folder");
  if (!fs::is_regular_file(path, code)) return refuse("is not a regular file");
  return path;
}

base::Expected<FileRange> find_range(const WeightFiles& files, const ExternalData& data,
                                     const onnx::TensorProto& tensor) {
  const auto at = files.find(data.location);
  if (at == files.end()) {
    return fail(ErrorKind::not_found, fmt::format("the tensor's values in '{}' were not loaded", data.location),
                tensor_label(tensor.name()), kLoadExternalData);
  }
  const base::MappedFile& file = *at->second;
  const std::uint64_t needed = data.length.value_or(data_bytes(tensor));
  const std::uint64_t size = file.bytes().size();
  const bool holds_values = data.offset <= size && needed <= size - data.offset;
  if (holds_values && !file.has_changed()) return FileRange{at->second, data.offset, needed};
  const std::string where = fmt::format("{}: {}", tensor_label(tensor.name()), file.path().string());
  if (holds_values) {
    return fail(ErrorKind::invalid_input, "the file was overwritten or truncated after the model was loaded", where,
                "Load the model again");
  }
  return fail(ErrorKind::invalid_input,
              fmt::format("the external data is too short: {} bytes at offset {} are needed, but the file has {} bytes",
                          needed, data.offset, size),
              where, "Copy the file again, or export the model again");
}

}  // namespace assay::model
