#include "cli/options/model_save_options.h"

#include <filesystem>

#include "base/strings.h"

namespace assay::cli {

void ModelSaveOptions::add_to(CLI::App& app, Output output) {
  constexpr auto kGroup = "ONNX Model Saving";
  if (output != Output::none) {
    app.add_option("-o,--output", output_, "Save the model to this file")
        ->option_text("FILE")
        ->required(output == Output::required)
        ->group(kGroup);
  }
  external_data_ =
      app.add_option("--save-external-data,--external-data-path", external_data_path_,
                     "Save weights to this file next to the model. Without a value, Assay chooses the name")
          ->option_text("FILE")
          ->expected(0, 1)
          ->group(kGroup);
  app.add_option("--external-data-size-threshold", threshold_,
                 "Store only tensors larger than this many bytes as external data; K, M and G are powers of 1024 "
                 "(default: 1024)")
      ->option_text("SIZE")
      ->group(kGroup);
  app.add_flag("--no-save-all-tensors-to-one-file", many_files_, "Write one external data file per tensor")
      ->group(kGroup);
}

base::Expected<model::SaveOptions> ModelSaveOptions::save_options() const {
  model::SaveOptions options;
  if (external_data_ != nullptr && external_data_->count() > 0) options.external_data_path = external_data_path_;
  if (!threshold_.empty()) {
    ASSAY_ASSIGN(options.size_threshold, base::parse_size(threshold_));
  }
  options.all_tensors_to_one_file = !many_files_;
  return options;
}

base::Status ModelSaveOptions::save(const model::Model& model, base::Log& log) const {
  return save(model, output_, log);
}

base::Status ModelSaveOptions::save(const model::Model& model, const std::string& path, base::Log& log) const {
  ASSAY_ASSIGN(model::SaveOptions options, save_options());
  if (!options.external_data_path) {
    ASSAY_ASSIGN(const bool fits, model::fits_in_one_file(model));
    if (!fits) {
      options.external_data_path = std::filesystem::path(path).filename().string() + ".data";
      log.warning(
          "An ONNX file can hold at most 2 GiB, so the weights go to {} next to it. --save-external-data gives that "
          "file another name",
          *options.external_data_path);
    }
  }
  ASSAY_TRY(model::save(model, path, options));
  log.info("Saved the model to {}", path);
  return {};
}

}  // namespace assay::cli
