#include "cli/options/model_save_options.h"

#include "base/strings.h"
#include "cli/options/check_paths.h"
#include "cli/options/output_file.h"
#include "cli/options/validators.h"

namespace assay::cli {

void ModelSaveOptions::add_to(CLI::App& app, Output output) {
  constexpr auto kGroup = "ONNX Model Saving";
  if (output != Output::none) {
    add_output(app, output_, "Save the model to this file")->required(output == Output::required)->group(kGroup);
  }
  external_data_ =
      app.add_option("--save-external-data,--external-data-path", external_data_path_,
                     "Save weights to this file next to the model. Without a value, it is named after the model, as "
                     "model.onnx.data. Models of more than 2 GiB get such a file in any case")
          ->option_text("FILE")
          ->expected(0, 1)
          ->group(kGroup);
  const CLI::Option* threshold =
      app.add_option("--external-data-size-threshold", threshold_,
                     "Store only tensors of this many bytes or more as external data; K, M and G are powers of 1024 "
                     "(default: 1024)")
          ->option_text("SIZE")
          ->check(size_in_bytes())
          ->group(kGroup);
  const CLI::Option* many_files =
      app.add_flag("--no-save-all-tensors-to-one-file", many_files_, "Write one external data file per tensor")
          ->group(kGroup);
  details_ = {external_data_, threshold, many_files};
}

void ModelSaveOptions::warn_if_not_saved(const std::string& path, std::string_view option, base::Log& log) const {
  if (!path.empty()) return;
  for (const CLI::Option* detail : details_) {
    if (detail->count() > 0) log.warning("{} has no effect without {}: no model is saved", detail->get_name(), option);
  }
}

base::Status ModelSaveOptions::check() const {
  ASSAY_TRY(save_options());
  return check_writable(output_, "-o");
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
  ASSAY_ASSIGN(const model::SaveOptions options, save_options());
  if (!options.external_data_path && (many_files_ || !threshold_.empty())) {
    log.warning("{} has no effect without --save-external-data, unless the model has more than 2 GiB",
                many_files_ ? "--no-save-all-tensors-to-one-file" : "--external-data-size-threshold");
  }
  ASSAY_TRY(model::save(model, path, options, log));
  log.info("Saved the model to {}", path);
  return {};
}

}  // namespace assay::cli
