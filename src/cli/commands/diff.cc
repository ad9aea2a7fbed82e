// `assay diff`: shows what changed between two models.
#include <fmt/ostream.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/format_option.h"
#include "cli/options/report_option.h"
#include "cli/options/validators.h"
#include "diff/diff_json.h"
#include "diff/diff_models.h"
#include "diff/diff_text.h"
#include "model/load.h"
#include "pages/diff_page.h"

namespace assay::cli {
namespace {

class Diff final : public Command {
 public:
  void add_options(CLI::App& app) override;
  // The exit status is kExitPassed if the models are equal, kExitFailed if they differ.
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  // Names both files, for the title of the report.
  [[nodiscard]] std::string both_names() const {
    return std::filesystem::path(first_).filename().string() + " and " +
           std::filesystem::path(second_).filename().string();
  }

  std::string first_;
  std::string second_;
  std::vector<std::string> ignore_;
  bool ignore_external_data_ = false;
  std::vector<std::string> external_data_dirs_;  // none, one for both models, or one for each
  FormatOption format_;
  ReportOption report_{"diff"};
  std::size_t limit_ = 20;
};

}  // namespace

void Diff::add_options(CLI::App& app) {
  app.add_option("first_model", first_, "Path of the first model")->option_text("FILE")->required();
  app.add_option("second_model", second_, "Path of the second model")->option_text("FILE")->required();
  app.add_option("--ignore", ignore_,
                 "Ignore differences of these kinds: names (of nodes, tensors, graphs and symbolic dimensions), order "
                 "(of nodes, inputs and outputs), doc-strings; separated by commas")
      ->option_text("KIND")
      ->delimiter(',')
      ->expected(1, -1)
      ->check(CLI::IsMember({"names", "order", "doc-strings"}));
  app.add_flag("--ignore-external-data", ignore_external_data_,
               "Compare weights in external files by type and shape only, without loading them");
  app.add_option("--external-data-dir,--load-external-data,--ext", external_data_dirs_,
                 "Find the external data of the models in these folders: one for both, or one for each (default: the "
                 "model's own folder)")
      ->option_text("FOLDER")
      ->expected(1, 2);
  app.add_option("--limit", limit_, "Show at most this many changes of each kind, 0 for all; JSON always has all")
      ->option_text("COUNT")
      ->check(at_least(0))
      ->capture_default_str();
  format_.add_to(app);
  report_.add_to(app);
}

base::Expected<int> Diff::run(Context& context) {
  ASSAY_TRY(report_.check({}, {{"the first model", first_}, {"the second model", second_}}));
  model::LoadOptions loading{.ignore_external_data = ignore_external_data_};
  if (!external_data_dirs_.empty()) loading.external_data_dir = external_data_dirs_.front();
  ASSAY_ASSIGN(const model::Model first, model::load(first_, loading));
  if (!external_data_dirs_.empty()) loading.external_data_dir = external_data_dirs_.back();
  ASSAY_ASSIGN(const model::Model second, model::load(second_, loading));
  const auto ignores = [&](const char* what) { return std::ranges::find(ignore_, what) != ignore_.end(); };
  ASSAY_ASSIGN(const diff::ModelDiff found,
               diff::diff_models(first, second, {ignores("names"), ignores("order"), ignores("doc-strings")}));
  if (format_.json()) {
    fmt::print(context.out, "{}\n", diff::to_json(found, first_, second_));
  } else if (context.log.shows(base::Level::info)) {
    context.log.info("{}", diff::to_text(found, first_, second_, limit_));
  }
  if (report_.given()) ASSAY_TRY(report_.write(pages::diff_page(found, first), both_names(), {}, context));
  return found.equal() ? kExitPassed : kExitFailed;
}

std::unique_ptr<Command> make_diff() {
  return std::make_unique<Diff>();
}

}  // namespace assay::cli
