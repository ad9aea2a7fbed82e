#include "cli/options/report_option.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/capitalised.h"
#include "base/shell_text.h"
#include "cli/options/given_options.h"
#include "report/environment.h"

namespace assay::cli {

void ReportOption::add_to(CLI::App& app, const std::string& names) {
  option_ = first_spelling(names);
  app.add_option(names, file_,
                 "Write the findings to this HTML file, which needs no network: verdict, graph, errors, environment")
      ->option_text("FILE");
}

base::Status ReportOption::check(std::vector<OptionPath> written, const std::vector<OptionPath>& read) const {
  if (!given()) return {};
  ASSAY_TRY(check_paths({{option_, file_}}, read));
  written.push_back({option_, file_});
  ASSAY_TRY(check_paths(written, {}));
  return check_writable(file_, option_);
}

void ReportOption::complete(report::Page& page, const std::string& subject,
                            const std::vector<run::EngineSetup>& engines, Context& context) const {
  page.title = command_ + ": " + std::filesystem::path(subject).filename().string();
  page.command_line = base::shell_text(context.words);
  page.environment = report::describe_environment(engines, context.pool);
}

base::Status ReportOption::write(report::Page page, const std::string& subject,
                                 const std::vector<run::EngineSetup>& engines, Context& context) const {
  if (!given()) return {};
  complete(page, subject, engines, context);
  if (auto written = report::write_page(page, file_); !written) {
    return base::fail(name_option(written.error(), option_));
  }
  context.log.info("Wrote the report to {}", file_);
  return {};
}

base::Error ReportOption::write_failure(base::Error error, const std::string& subject,
                                        const std::vector<run::EngineSetup>& engines, Context& context) const {
  const bool is_finding = error.kind == base::ErrorKind::engine && !context.stop.requested();
  report::Page page;
  page.mark = is_finding ? report::Mark::bad : report::Mark::unknown;
  page.verdict = base::capitalised(error.message());
  if (const auto written = write(std::move(page), subject, engines, context); !written) {
    context.log.error("{}", written.error().message());
  }
  return error;
}

}  // namespace assay::cli
