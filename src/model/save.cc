// Decides where the weights go, checks that nothing which is still needed is replaced, and only then writes
// (write_files.h).
#include "model/save.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <vector>

#include "base/abandoned_files.h"
#include "base/absolute_path.h"
#include "base/byte_status.h"
#include "base/counted.h"
#include "base/follow_links.h"
#include "base/strings.h"
#include "model/external_data.h"
#include "model/move_weights_out.h"
#include "model/overwrite_check.h"
#include "model/serialize.h"
#include "model/splice_weights.h"
#include "model/text_forms.h"
#include "model/write_files.h"

namespace assay::model {
namespace fs = std::filesystem;
using base::AtomicFile;
using base::ErrorKind;
using base::fail;

namespace {

// Like check_file_size(), after weights were moved to files.
base::Status check_rest(const Splice& splice, std::uint64_t threshold) {
  if (splice.size <= kLargestFile) return {};
  return fail(ErrorKind::invalid_input,
              fmt::format("the model takes {} without the initializers of {} or more, but an ONNX file can hold at "
                          "most 2 GiB",
                          base::format_bytes(splice.size), base::format_bytes(threshold)),
              {}, "Lower --external-data-size-threshold, or make initializers of large attributes of Constant nodes");
}

// Returns the model with its weights inline, or nothing if it has more than 2 GiB.
base::Expected<std::optional<Splice>> splice_inline(const Model& model) {
  if (model.proto.ByteSizeLong() > kLargestFile) return std::nullopt;
  ASSAY_ASSIGN(Splice splice, splice_weights(model));
  if (splice.size > kLargestFile) return std::nullopt;
  return splice;
}

// Shows the progress of a save that takes long enough to be noticed.
base::ByteStatus save_status(base::Log& log, const fs::path& path, std::uint64_t bytes) {
  constexpr std::uint64_t kLong = 1 << 26;
  return {log, "Saving " + path.string(), bytes, kLong};
}

// Removes the files that a save created before it failed, unless told to keep them. Never removes files that existed
// before. A file that a symbolic link leads to is removed, and not the link.
class NewFiles {
 public:
  NewFiles() = default;
  NewFiles(const NewFiles&) = delete;
  NewFiles& operator=(const NewFiles&) = delete;
  ~NewFiles() {
    std::error_code ignored;
    for (const fs::path& path : paths_) fs::remove(path, ignored);
  }
  void add(const fs::path& path) {
    std::error_code ignored;
    if (fs::exists(path, ignored)) return;
    if (auto file = base::follow_links(path)) paths_.push_back(*std::move(file));
  }
  void keep() { paths_.clear(); }

 private:
  std::vector<fs::path> paths_;
};

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored);  // false if either is missing
}

// Refuses a symbolic link into another folder: the weights are written next to the link, and the model that it leads to
// would look for them in its own folder.
base::Status check_folder_of_link(const fs::path& path) {
  const auto folder = [](const fs::path& file) { return base::absolute_path(file).parent_path(); };
  ASSAY_ASSIGN(const fs::path target, base::follow_links(path));
  if (target == path || is_same_file(folder(target), folder(path))) return {};
  return fail(
      ErrorKind::invalid_input,
      fmt::format("this symbolic link leads to '{}', and the weights would not be in that folder", target.string()),
      path.string(), "Give the path of the file itself");
}

// Removes what earlier saves that were killed have written of these files.
void remove_half_written(const fs::path& folder, const std::vector<WeightsFile>& files) {
  std::map<fs::path, std::set<std::string>> names;
  for (const WeightsFile& file : files) {
    const fs::path path = folder / file.name;
    names[path.has_parent_path() ? path.parent_path() : "."].insert(path.filename().string());
  }
  for (const auto& [parent, in_parent] : names) base::remove_abandoned(parent, in_parent);
}

// Returns the names of the files of weights.
base::Expected<std::vector<std::string>> save_with_external_data(const Model& model, const fs::path& path,
                                                                 const SaveOptions& options, OverwriteCheck& overwrites,
                                                                 base::Log& log) {
  ASSAY_ASSIGN(const MovedWeights moved, move_weights_out(model, options, path.filename().string()));
  // All checks come before the first write.
  if (!moved.files.empty()) ASSAY_TRY(check_folder_of_link(path));
  ASSAY_ASSIGN(const Splice splice, splice_weights(moved.proto, *model.files, ExternalWeights::stay));
  ASSAY_TRY(check_rest(splice, options.size_threshold));
  for (const WeightsFile& weights : moved.files) ASSAY_TRY(overwrites.check_weights(weights.name));
  remove_half_written(path.parent_path(), moved.files);
  std::uint64_t bytes = splice.size;
  for (const WeightsFile& weights : moved.files) bytes += size_of(weights);
  base::ByteStatus status = save_status(log, path, bytes);
  // No file gets its name before all are written, so that an old model meets new weights only if Assay is killed, or a
  // rename fails, between two renames.
  std::vector<AtomicFile> written;
  std::vector<std::string> names;
  NewFiles created;
  for (const WeightsFile& weights : moved.files) {
    const fs::path file = path.parent_path() / weights.name;
    created.add(file);
    ASSAY_ASSIGN(AtomicFile weights_file, write_weights(weights, file, status));
    written.push_back(std::move(weights_file));
    names.push_back(weights.name);
  }
  ASSAY_ASSIGN(AtomicFile model_file, write_model(splice, path, status));
  ASSAY_TRY(AtomicFile::commit_all(written, options.durability));
  ASSAY_TRY(model_file.commit(options.durability));
  created.keep();
  return names;
}

base::Status save_as_asked(const Model& model, const fs::path& path, const SaveOptions& options,
                           OverwriteCheck& overwrites, base::Log& log) {
  ASSAY_ASSIGN(const std::vector<std::string> files, save_with_external_data(model, path, options, overwrites, log));
  const bool chosen_here = options.external_data_path->empty();
  if (files.size() == 1 && chosen_here) {
    log.info("The weights of {} are in {} next to it", path.string(), files.front());
  }
  if (!files.empty()) return {};
  const bool any_size = options.size_threshold == 0;
  log.warning("No {}initializer has {}, so no file of external data was written for {}{}",
              model.weights_ignored ? "loaded " : "",
              any_size ? "values" : base::format_bytes(options.size_threshold) + " or more", path.string(),
              any_size ? "" : ". --external-data-size-threshold 0 moves smaller ones, too");
  return {};
}

base::Status save_too_large(const Model& model, const fs::path& path, SaveOptions options, OverwriteCheck& overwrites,
                            base::Log& log) {
  options.external_data_path = "";
  ASSAY_ASSIGN(const std::vector<std::string> files, save_with_external_data(model, path, options, overwrites, log));
  log.warning("An ONNX file can hold at most 2 GiB, so the weights of {} are in {} next to it", path.string(),
              files.size() == 1 ? files.front() : base::counted(files.size(), "file"));
  return {};
}

base::Status save_as_text(const Model& model, const fs::path& path, TextForm form, const SaveOptions& options) {
  if (options.external_data_path) {
    return fail(ErrorKind::invalid_input, "a model that is saved as text has its weights inside", {},
                "Choose a name that ends in .onnx, or leave --save-external-data out");
  }
  ASSAY_ASSIGN(const std::uint64_t bytes, inline_bytes(model));
  if (bytes > kLargestFile) {
    return fail(ErrorKind::invalid_input,
                fmt::format("the model with its weights takes {}, and text can express at most 2 GiB",
                            base::format_bytes(bytes)),
                {}, "Choose a name that ends in .onnx");
  }
  ASSAY_ASSIGN(const std::string text, write_text(model, form));
  ASSAY_ASSIGN(AtomicFile file, AtomicFile::create(path));
  ASSAY_TRY(file.write(text));
  return file.commit(options.durability);
}

}  // namespace

base::Status save(const Model& model, const fs::path& path, const SaveOptions& options, base::Log& log) {
  const auto run = [&]() -> base::Status {
    OverwriteCheck overwrites(model, path);
    ASSAY_TRY(overwrites.check_model(path));
    if (options.durability == base::Durability::machine) base::remove_abandoned(path);
    if (const auto form = text_form_of_name(path)) return save_as_text(model, path, *form, options);
    if (options.external_data_path) return save_as_asked(model, path, options, overwrites, log);
    std::optional<Splice> splice;
    if (options.leave_external || options.inline_only) {
      ASSAY_ASSIGN(splice, options.leave_external ? splice_weights(model.proto, *model.files, ExternalWeights::stay)
                                                  : splice_weights(model));
    } else {
      ASSAY_ASSIGN(splice, splice_inline(model));
      if (!splice) return save_too_large(model, path, options, overwrites, log);
    }
    ASSAY_TRY(check_file_size(splice->size));
    base::ByteStatus progress = save_status(log, path, splice->size);
    ASSAY_ASSIGN(AtomicFile file, write_model(*splice, path, progress));
    return file.commit(options.durability);
  };
  base::Status status = run();
  if (status || status.error().where == path.string()) return status;
  return fail(std::move(status).error().within("saving " + path.string()));
}

base::Status save(const Model& model, const fs::path& path, const SaveOptions& options) {
  base::SilentLog silent;
  return save(model, path, options, silent);
}

SaveOptions options_for_another(SaveOptions options, const std::string& prefix) {
  options.all_tensors_to_one_file = true;  // files that are named after tensors may exist already
  if (options.external_data_path && !options.external_data_path->empty()) {
    const fs::path first = *options.external_data_path;
    options.external_data_path = (first.parent_path() / (prefix + first.filename().string())).string();
  }
  return options;
}

}  // namespace assay::model
