#include "cli/terminal/help_format.h"

#include <gmock/gmock.h>

#include <array>
#include <memory>
#include <string>

#include "base/strings.h"
#include "cli/commands.h"
#include "cli/options/logging_options.h"

namespace assay::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string help(const CommandRow& row, int width) {
  CLI::App app(std::string(row.summary), "assay");
  app.formatter(std::make_shared<HelpFormat>(width));
  app.footer("Examples:\n" + std::string(row.examples));
  const std::unique_ptr<Command> command = row.make();
  LoggingOptions logging;
  command->add_options(app);
  logging.add_to(app);
  return app.help();
}

TEST(HelpFormat, ShowsValuesDefaultsAndConflicts) {
  CLI::App app("Does it", "assay do");
  app.formatter(std::make_shared<HelpFormat>(66));
  std::string file = "out.json", mode, folder, text;
  app.add_option("-o,--output", file, "Write to this file")->option_text("FILE")->capture_default_str();
  CLI::Option* choice = app.add_option("--mode", mode, "How")->check(CLI::IsMember({"fast", "slow"}));
  app.add_option("--blobs", folder, "Write blobs")->option_text("FOLDER")->expected(0, 1)->excludes(choice);
  app.add_option("file", text, "Read this file")->option_text("FILE")->required();
  const std::string help = app.help();
  EXPECT_THAT(help, HasSubstr("  -o, --output FILE   Write to this file (default: out.json)\n"));
  EXPECT_THAT(help, HasSubstr("  --mode {fast,slow}  How (not with --blobs)\n"));
  EXPECT_THAT(help, HasSubstr("  --blobs [FOLDER]    Write blobs (not with --mode)\n"));
  EXPECT_THAT(help, HasSubstr("  file FILE           Read this file (required)\n"));
}

TEST(HelpFormat, NoCommandExceedsTheWidth) {
  for (const CommandRow& row : commands()) {
    for (const int width : {70, 80, 120}) {
      for (const std::string& line : base::split(help(row, width), '\n')) {
        EXPECT_LE(line.size(), static_cast<std::size_t>(width)) << row.tool << " " << row.noun << ": " << line;
      }
    }
  }
}

// A name such as TEXT is CLI11's and says nothing.
TEST(HelpFormat, EveryValueHasAName) {
  for (const CommandRow& row : commands()) {
    CLI::App app;
    const std::unique_ptr<Command> command = row.make();
    command->add_options(app);
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_group().empty() || option->get_items_expected_max() == 0 || !choices(*option).empty()) continue;
      EXPECT_THAT(value_name(*option), AllOf(Not(""), Not("TEXT"), Not("INT"), Not("UINT"), Not("FLOAT")))
          << row.tool << " " << row.noun << " " << option->get_name();
    }
  }
}

TEST(HelpFormat, ListsTheCheckWithTheOptions) {
  EXPECT_THAT(help(*find_command("debug", "reduce"), 100), HasSubstr("  --check, --check-inference COMMAND ..."));
}

TEST(HelpFormat, ExamplesStayCommands) {
  const std::string text = help(*find_command("debug", "reduce"), 68);
  EXPECT_THAT(text, HasSubstr("Examples:\n  assay debug reduce model.onnx -o reduced.onnx --check assay run \\\n"
                              "      polygraphy_debug.onnx"));
  EXPECT_THAT(text, HasSubstr("--fail-regex \\\n      \"Type Error\""));
}

}  // namespace
}  // namespace assay::cli
