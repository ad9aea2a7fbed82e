// A new folder appears at once, when it is complete: it is written under another name next to its place, then renamed.
// A folder that exists may be mounted, or be the working folder, so it can't be replaced, and the folder above it may
// be read-only: there, the files are written into a folder inside, then moved one by one.
#include "report/repro.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <system_error>

#include "base/files.h"
#include "base/follow_links.h"
#include "base/temp_dir.h"
#include "data/inputs_file.h"
#include "data/run_results.h"
#include "model/copy_model.h"
#include "model/save.h"
#include "model/visit_tensors.h"
#include "model/weights.h"
#include "report/loaded_files.h"
#include "report/programs.h"
#include "report/readme.h"
#include "tensor/npz.h"

namespace assay::report {
namespace fs = std::filesystem;
namespace {

// Models with more bytes of weights than this are easier to handle with the weights in a separate file.
constexpr std::uint64_t kInlineLimit = std::uint64_t{256} << 20;
constexpr const char* kDataFile = "model.onnx.data";

base::Status io_error(const char* action, const fs::path& path, const std::error_code& code) {
  return base::fail(base::system_error(action, path.string(), code.value()));
}

std::uint64_t weight_bytes(const model::Model& model) {
  std::uint64_t bytes = 0;
  model::visit_tensors(model.proto,
                       [&](const onnx::TensorProto& tensor, model::TensorRole) { bytes += model::data_bytes(tensor); });
  return bytes;
}

base::Status write_model(const ReproInput& input, const fs::path& folder) {
  if (input.verbatim) return model::copy_model(input.model, folder / "model.onnx");
  model::SaveOptions options;
  if (weight_bytes(input.model) > kInlineLimit) options.external_data_path = kDataFile;
  return model::save(input.model, folder / "model.onnx", options);
}

// Ignores values that a form can't hold (some strings), because data/ holds them in any case.
base::Status unless_unsupported(base::Status status) {
  if (!status && status.error().kind == base::ErrorKind::unsupported) return {};
  return status;
}

base::Status write_data(const std::vector<DataFile>& files, const fs::path& folder) {
  for (const DataFile& file : files) {
    ASSAY_TRY(base::write_file(folder / file.path, data_bytes(*file.values)));
  }
  return {};
}

base::Status write_outputs(const tensor::NamedTensors& outputs, const std::string& name, const fs::path& folder) {
  if (outputs.empty()) return {};
  data::RunResults results;
  results.runner(name).iterations.push_back({.outputs = outputs, .runtime_s = {}, .runner = name});
  ASSAY_TRY(unless_unsupported(tensor::write_npz(folder / (name + "_outputs.npz"), outputs)));
  return unless_unsupported(data::save_run_results(folder / (name + "_outputs.json"), results));
}

std::string versions_text(const ReproInput& input) {
  std::string text;
  for (const auto& [name, version] : input.versions) text += name + ": " + version + "\n";
  return text;
}

std::string check_text(const ReproInput& input) {
  return fmt::format("{}\n\n{}\n\n{}", input.check.empty() ? "(a person judged the model)" : input.check, input.ending,
                     input.output);
}

base::Status fill(const fs::path& folder, ReproInput input) {
  ASSAY_ASSIGN(const std::vector<LoadedFile> loaded, copy_loaded_files(input, folder));
  ASSAY_TRY(write_model(input, folder));
  ASSAY_TRY(unless_unsupported(tensor::write_npz(folder / "inputs.npz", input.inputs)));
  ASSAY_TRY(unless_unsupported(data::save_inputs(folder / "inputs.json", {input.inputs})));
  ASSAY_TRY(write_outputs(input.seen, "seen", folder));
  ASSAY_TRY(write_outputs(input.expected, "expected", folder));
  const std::vector<DataFile> inputs = data_files(input.inputs, "input");
  const std::vector<DataFile> expected = data_files(input.expected, "expected");
  ASSAY_TRY(write_data(inputs, folder));
  ASSAY_TRY(write_data(expected, folder));
  const ProgramParts parts{.input = input, .inputs = inputs, .expected = expected};
  ASSAY_TRY(base::write_file(folder / "reproduce.py", python_program(parts)));
  ASSAY_TRY(base::write_file(folder / "reproduce.cc", cpp_program(parts)));
  ASSAY_TRY(base::write_file(folder / "CMakeLists.txt", cpp_build(parts)));
  ASSAY_TRY(base::write_file(folder / "versions.txt", versions_text(input)));
  ASSAY_TRY(base::write_file(folder / "check.txt", check_text(input)));
  return base::write_file(
      folder / "README.md",
      readme({.input = input, .loaded_files = loaded, .has_data_file = base::exists(folder / kDataFile)}));
}

fs::path without_slash(const fs::path& folder) {
  return folder.has_filename() ? folder : folder.parent_path();
}

fs::path parent_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

base::Status refuse(const fs::path& path) {
  return base::fail(base::ErrorKind::invalid_input, "the folder is not empty or is a file, and nothing is overwritten",
                    path.string(), "Use a new or an empty folder");
}

constexpr const char* kReadme = "README.md";

// Moves everything in `from` to `to`, README.md last: a folder that has it is complete.
base::Status move_entries(const fs::path& from, const fs::path& to) {
  ASSAY_ASSIGN(std::vector<fs::path> entries, base::list_folder(from));
  std::ranges::stable_sort(entries, {}, [](const fs::path& entry) { return entry.filename() == kReadme; });
  for (const fs::path& entry : entries) {
    if (base::exists(to / entry.filename())) return refuse(to);
  }
  std::error_code code;
  for (const fs::path& entry : entries) {
    fs::rename(entry, to / entry.filename(), code);
    if (code) return io_error("cannot move to the folder", to, code);
  }
  return {};
}

}  // namespace

base::Status check_repro_folder(const fs::path& given, bool resumes) {
  ASSAY_ASSIGN(const fs::path folder, base::follow_links(without_slash(given)));
  std::error_code code;
  const bool is_new = !base::exists(folder);
  if (!is_new && !fs::is_directory(folder, code)) return refuse(folder);
  if (!is_new && (resumes ? base::exists(folder / kReadme) : !fs::is_empty(folder, code) || code))
    return refuse(folder);
  fs::path place = is_new ? parent_of(folder) : folder;
  while (!base::exists(place) && place != ".") place = parent_of(place);
  ASSAY_TRY(base::TempDir::create(place));
  return {};
}

base::Status write_repro(const fs::path& given, const ReproInput& input) {
  ASSAY_ASSIGN(const fs::path folder, base::follow_links(without_slash(given)));
  std::error_code code;
  const bool is_new = !base::exists(folder);
  if (!is_new && !fs::is_directory(folder, code)) return refuse(folder);
  const fs::path place = is_new ? parent_of(folder) : folder;
  fs::create_directories(place, code);
  if (code) return io_error("cannot create", place, code);
  // The destructor removes it if anything fails.
  ASSAY_ASSIGN(const base::TempDir scratch, base::TempDir::create(place));
  const fs::path inside = scratch.path() / "repro";
  fs::create_directory(inside, code);
  if (code) return io_error("cannot create", inside, code);
  ASSAY_TRY(fill(inside, input));
  if (!is_new) return move_entries(inside, folder);
  fs::rename(inside, folder, code);
  if (code) return io_error("cannot rename to", folder, code);
  return {};
}

}  // namespace assay::report
