#include "data/inputs_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "base/abandoned_files.h"
#include "base/files.h"
#include "data/iteration_files.h"
#include "data/onnx_data_set.h"
#include "tensor/json.h"
#include "tensor/npz.h"

namespace assay::data {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;
using tensor::JsonDocument;
using tensor::JsonWriter;
using tensor::NamedTensors;

struct InputsFile::Content {
  fs::path path;
  std::variant<JsonDocument, tensor::NpzContent> data;  // a data set is like an archive
};

namespace {

base::Status check_form(const JsonDocument& document) {
  const auto& root = document.root();
  const std::string type = tensor::polygraphy_class(root);
  if (type == "RunResults") {
    return fail(ErrorKind::invalid_input, "this file holds outputs, not inputs", {},
                "Convert it to inputs with `assay data merge FILE -o INPUTS`");
  }
  if (!type.empty() || !(root.is_array() || root.is_object())) {
    return fail(ErrorKind::invalid_input, fmt::format("not a file of inputs{}", type.empty() ? "" : ", but of " + type),
                {}, "Use a file that --save-inputs, data merge or data concat wrote");
  }
  const bool objects = !root.is_array() || std::ranges::all_of(root, [](const auto& item) { return item.is_object(); });
  if (!objects) return fail(ErrorKind::invalid_input, "not a file of inputs: an iteration is not an object");
  return {};
}

// A file of a folder is one iteration, not a list.
const nlohmann::ordered_json& iteration_of(const JsonDocument& document, std::size_t index) {
  return document.root().is_array() ? document.root()[index] : document.root();
}

std::string place_of(const fs::path& path, std::size_t iteration) {
  return fmt::format("{}: iteration {}", path.string(), iteration);
}

void write_iteration(JsonWriter& json, const NamedTensors& inputs) {
  json.begin_object();
  for (const auto& [name, value] : inputs) {
    json.key(name);
    json.array(value);
  }
  json.end_object();
}

tensor::ByteSink sink_of(base::AtomicFile& file) {
  return [&file](std::string_view bytes) { return file.write(bytes); };
}

}  // namespace

InputsFile::InputsFile(std::unique_ptr<Content> content) : content_(std::move(content)) {}
InputsFile::InputsFile(InputsFile&&) noexcept = default;
InputsFile& InputsFile::operator=(InputsFile&&) noexcept = default;
InputsFile::~InputsFile() = default;

base::Expected<InputsFile> InputsFile::open(const fs::path& path) {
  if (is_npz(path)) {
    ASSAY_ASSIGN(tensor::NpzContent archive, tensor::read_npz_content(path));
    return InputsFile(std::make_unique<Content>(path, std::move(archive)));
  }
  if (is_data_set(path)) {
    tensor::NpzContent content;
    ASSAY_ASSIGN(content.arrays, read_data_set(path, DataSetPart::inputs));
    return InputsFile(std::make_unique<Content>(path, std::move(content)));
  }
  ASSAY_ASSIGN(JsonDocument document, JsonDocument::open(path));
  if (auto status = check_form(document); !status) return fail(std::move(status).error().within(path.string()));
  return InputsFile(std::make_unique<Content>(path, std::move(document)));
}

std::size_t InputsFile::iteration_count() const {
  const auto* document = std::get_if<JsonDocument>(&content_->data);
  return document != nullptr && document->root().is_array() ? document->root().size() : 1;
}

IterationArrays InputsFile::arrays(std::size_t index) const {
  std::string place = place_of(content_->path, index);
  if (const auto* archive = std::get_if<tensor::NpzContent>(&content_->data)) return {*archive, std::move(place)};
  const auto& document = std::get<JsonDocument>(content_->data);
  return {document, iteration_of(document, index), std::move(place)};
}

base::Expected<NamedTensors> InputsFile::read(std::size_t index) const {
  const IterationArrays stored = arrays(index);
  NamedTensors inputs;
  for (const std::string& name : stored.names()) {
    ASSAY_ASSIGN(tensor::Tensor array, stored.read(name));
    inputs.set(name, std::move(array));
  }
  return inputs;
}

base::Expected<std::vector<NamedTensors>> load_inputs(const fs::path& path) {
  ASSAY_ASSIGN(const auto files, iteration_files(path));
  std::vector<NamedTensors> iterations;
  for (const fs::path& name : files) {
    ASSAY_ASSIGN(const InputsFile file, InputsFile::open(name));
    for (std::size_t i = 0; i < file.iteration_count(); ++i) {
      ASSAY_ASSIGN(NamedTensors inputs, file.read(i));
      iterations.push_back(std::move(inputs));
    }
  }
  return iterations;
}

base::Expected<InputsSaver> InputsSaver::create(const fs::path& path) {
  InputsSaver saver;
  saver.path_ = path;
  if (is_folder_form(path)) {
    ASSAY_TRY(prepare_folder(path));
    return saver;
  }
  base::remove_abandoned(path);
  ASSAY_ASSIGN(auto file, base::AtomicFile::create(path));
  saver.file_ = std::make_unique<base::AtomicFile>(std::move(file));
  saver.json_ = std::make_unique<JsonWriter>(sink_of(*saver.file_));
  saver.json_->begin_array();
  return saver;
}

base::Status InputsSaver::add(const NamedTensors& inputs) {
  const std::int64_t iteration = iterations_++;
  if (json_ != nullptr) {
    write_iteration(*json_, inputs);
    return json_->status();
  }
  ASSAY_ASSIGN(auto file, base::AtomicFile::create(path_ / iteration_file_name(iteration)));
  JsonWriter json(sink_of(file));
  write_iteration(json, inputs);
  ASSAY_TRY(json.finish());
  return file.commit();
}

base::Status InputsSaver::finish() {
  if (json_ == nullptr) return {};
  json_->end_array();
  ASSAY_TRY(json_->finish());
  return file_->commit();
}

base::Status save_inputs(const fs::path& path, const std::vector<NamedTensors>& iterations) {
  ASSAY_ASSIGN(auto file, base::AtomicFile::create(path));
  JsonWriter json(sink_of(file));
  json.begin_array();
  for (const NamedTensors& inputs : iterations) write_iteration(json, inputs);
  json.end_array();
  ASSAY_TRY(json.finish());
  return file.commit();
}

base::Status save_input_blobs(const fs::path& folder, std::int64_t iteration, const NamedTensors& inputs) {
  const fs::path place = folder / fmt::format("{:010}", iteration);
  std::map<std::string, std::string> names;  // of the inputs, by those of their files
  for (const auto& [name, value] : inputs) {
    if (value.type() == tensor::ElementType::string) {
      return fail(ErrorKind::unsupported, fmt::format("input '{}' holds strings, which have no raw bytes", name),
                  "--save-input-blob", "Use --save-inputs");
    }
    std::string file_name = name + ".bin";
    std::ranges::replace(file_name, '/', '_');
    if (const auto [other, is_new] = names.emplace(file_name, name); !is_new) {
      return fail(ErrorKind::unsupported,
                  fmt::format("inputs '{}' and '{}' would get the same file, {}", other->second, name, file_name),
                  "--save-input-blob", "Use --save-inputs");
    }
    ASSAY_TRY(base::write_file(place / file_name, value.buffer().view()));
  }
  return {};
}

}  // namespace assay::data
