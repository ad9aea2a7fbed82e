#include "cli/commands/template/convert_words.h"

#include "base/absolute_path.h"

namespace assay::cli {

std::vector<std::string> convert_words(const ModelOptions& model, const std::vector<std::string>& outputs) {
  std::vector<std::string> words = {"assay", "convert", base::absolute_path(model.file()).string()};
  if (const std::string& folder = model.external_data_dir(); !folder.empty()) {
    words.insert(words.end(), {"--external-data-dir", base::absolute_path(folder).string()});
  }
  if (model.wants_float16()) words.emplace_back("--fp-to-fp16");
  if (!outputs.empty()) {
    words.emplace_back("--onnx-outputs");
    words.insert(words.end(), outputs.begin(), outputs.end());
  }
  return words;
}

}  // namespace assay::cli
