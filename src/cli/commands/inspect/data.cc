// `assay inspect data`: shows saved inputs, outputs and accuracy results, or how two files of arrays differ.

#include <filesystem>
#include <limits>
#include <memory>
#include <vector>

#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/format_option.h"
#include "cli/options/validators.h"
#include "inspect/show_comparison.h"
#include "inspect/show_data.h"

namespace assay::cli {
namespace {

class InspectData final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  base::Expected<int> compare(Context& context) const;

  std::vector<std::filesystem::path> paths_;
  bool all_ = false;
  bool show_values_ = false;
  bool histogram_ = false;
  bool compare_ = false;
  std::int64_t num_items_ = 3;
  std::int64_t line_width_ = 75;
  // Options that have no effect with --compare, or without --show-values; owned by the App, which outlives the run.
  std::vector<CLI::Option*> not_compared_;
  std::vector<CLI::Option*> values_only_;
  FormatOption format_;
};

// Returns the value of an option for which -1 means no limit.
std::size_t unless_unlimited(std::int64_t value) {
  return value == -1 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(value);
}

void warn_of_unused(const std::vector<CLI::Option*>& options, std::string_view why, base::Log& log) {
  for (const CLI::Option* option : options) {
    if (option->count() > 0) log.warning("{} has no effect {}", option->get_name(), why);
  }
}

tensor::ByteSink sink_to(std::ostream& out) {
  return [&out](std::string_view text) {
    if (out << text) return base::Status();
    return base::Status(base::fail(base::ErrorKind::io, "cannot write to standard output"));
  };
}

inspect::Message message_to(base::Log& log) {
  return [&log](std::string_view text) { log_text(log, text); };
}

}  // namespace

void InspectData::add_options(CLI::App& app) {
  app.add_option("path", paths_,
                 "Files or folders written by --save-inputs, --save-outputs, --save-accuracy-results or `data`, and "
                 ".npz archives")
      ->option_text("FILE")
      ->required()
      ->expected(1, -1);
  not_compared_ = {
      app.add_flag("-a,--all", all_, "Show all iterations, not only the first"),
      app.add_flag("-s,--show-values", show_values_, "Also show the values of the arrays"),
      app.add_flag("--histogram", histogram_, "Also show a histogram of the values of each array"),
  };
  const CLI::Validator limit = at_least(-1);
  values_only_ = {
      app.add_option("-n,--num-items", num_items_,
                     "Show this many values at both ends of each dimension of an array with more than 1000 elements; "
                     "-1 shows all")
          ->option_text("COUNT")
          ->check(limit)
          ->capture_default_str(),
      app.add_option("--line-width", line_width_,
                     "Break the lines of an array's values at this many characters; -1 breaks only at the ends of "
                     "dimensions")
          ->option_text("COLUMNS")
          ->check(limit)
          ->capture_default_str(),
  };
  not_compared_.insert(not_compared_.end(), values_only_.begin(), values_only_.end());
  app.add_flag("--compare", compare_,
               "Show how two files differ: all iterations, runner by runner in order, arrays by name. Exits with "
               "status 1 if they differ");
  format_.add_to(app);
}

base::Expected<int> InspectData::run(Context& context) {
  if (compare_) return compare(context);
  if (!show_values_) {
    warn_of_unused(values_only_, "without --show-values", context.log);
  } else if (format_.json()) {  // has no lines, and no limit of values but that of -n -1
    warn_of_unused(num_items_ == -1 ? std::vector{values_only_.back()} : values_only_, "with --format json",
                   context.log);
  }
  inspect::DataOptions options;
  options.all_iterations = all_;
  options.array.histogram = histogram_;
  options.array.values = show_values_;
  options.array.layout.edge_items = unless_unlimited(num_items_);
  options.array.layout.line_width = unless_unlimited(line_width_);
  if (num_items_ == -1) {
    options.array.layout.threshold = options.array.layout.edge_items;
    options.json_values = options.array.layout.edge_items;
  }
  const auto all_read = format_.json() ? inspect::show_data_json(paths_, options, sink_to(context.out))
                                       : inspect::show_data(paths_, options, message_to(context.log));
  if (!all_read) return base::fail(all_read.error());
  return *all_read ? kExitPassed : kExitFailed;
}

base::Expected<int> InspectData::compare(Context& context) const {
  if (paths_.size() != 2) {
    return base::fail(base::ErrorKind::invalid_input,
                      fmt::format("two files are needed, but the command line has {}", paths_.size()), "--compare",
                      "Give two files or folders");
  }
  warn_of_unused(not_compared_, "with --compare", context.log);
  const auto equal = format_.json() ? inspect::show_comparison_json(paths_[0], paths_[1], sink_to(context.out))
                                    : inspect::show_comparison(paths_[0], paths_[1], message_to(context.log));
  if (!equal) return base::fail(equal.error());
  return *equal ? kExitPassed : kExitFailed;
}

std::unique_ptr<Command> make_inspect_data() {
  return std::make_unique<InspectData>();
}

}  // namespace assay::cli
