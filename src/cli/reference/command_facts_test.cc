#include "cli/reference/command_facts.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <map>

#include "cli/commands.h"
#include "cli/options/offered_words.h"
#include "cli/reference/completion.h"
#include "cli/reference/man_page.h"
#include "worker/process.h"

namespace assay::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Has one option of each kind.
class Shrink : public Command {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("model_file", words_, "Path of the model")->option_text("FILE")->required()->group("Model");
    app.add_option("-o,--output", word_, "Where to 'save' it [a file]")->option_text("FILE")->group("Model");
    CLI::Option* mode =
        app.add_option("--mode", word_, "How to search")->check(CLI::IsMember({"bisect", "linear"}))->group("Search");
    app.add_option("--jobs", jobs_, "How many")->option_text("COUNT")->capture_default_str()->excludes(mode);
    app.add_option("--until", word_, "When to stop")->option_text("WORD|COUNT")->check(offer({"good", "bad"}));
    app.add_option("--ways", words_, "Ways of it")->expected(1, -1)->check(offer({"fast", "exact", "slow"}));
    app.add_option("--fp16", word_, "Never shown")->group("");
    app.add_option("--check", words_, "Command that tells \\ whether it fails")->group("Search");
  }
  base::Expected<int> run(Context&) override { return kExitPassed; }
  [[nodiscard]] std::vector<std::string> remainder_option() const override { return {"--check"}; }

 private:
  std::string word_;
  std::vector<std::string> words_;
  int jobs_ = 1;
};

std::unique_ptr<Command> make_shrink() {
  return std::make_unique<Shrink>();
}

constexpr std::array kTools = {ToolRow{"debug", "Find out why"}, ToolRow{"run", "Run it"}};
constexpr std::array kRows = {
    CommandRow{"debug", "shrink", "Make it small", "  debug shrink a.onnx -o b.onnx", make_shrink},
    CommandRow{"run", "", "Run it", "", make_shrink},
};

TEST(CommandFacts, TellWhatHelpTells) {
  const CommandFacts facts = describe(kRows[0]);
  EXPECT_EQ(facts.words(), "debug shrink");
  const auto find = [&](std::string_view name) {
    return std::ranges::find_if(facts.options, [&](const OptionFacts& option) {
      return std::ranges::find(option.names, name) != option.names.end();
    });
  };
  EXPECT_THAT(find("-o")->names, ElementsAre("-o", "--output"));
  EXPECT_TRUE(find("-o")->takes_value);
  EXPECT_FALSE(find("--silent")->takes_value);
  EXPECT_THAT(find("--mode")->choices, ElementsAre("bisect", "linear"));
  EXPECT_THAT(find("--mode")->offered, ElementsAre("bisect", "linear"));
  EXPECT_TRUE(find("--until")->choices.empty());
  EXPECT_EQ(find("--until")->value, "WORD|COUNT");
  EXPECT_THAT(find("--until")->offered, ElementsAre("good", "bad"));
  EXPECT_TRUE(find("--output")->offered.empty());
  EXPECT_TRUE(find("--check")->remainder);
  EXPECT_TRUE(find("model_file")->positional());
  EXPECT_EQ(find("model_file")->notes, " (required)");
  EXPECT_EQ(find("--fp16"), facts.options.end());
}

TEST(ManPage, NamesEveryOptionAndKeepsDashesAndBackslashes) {
  const std::string page = man_page("1.2.3", kTools, describe_all(kRows));
  EXPECT_THAT(page, HasSubstr("\"assay 1.2.3\""));
  EXPECT_THAT(page, HasSubstr("\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIFILE\\fR\n"));
  EXPECT_THAT(page, HasSubstr("bisect|linear"));
  EXPECT_THAT(page, HasSubstr("tells \\e whether"));
  EXPECT_THAT(page, HasSubstr("\nassay debug shrink a.onnx \\-o b.onnx\n"));
  EXPECT_THAT(page, HasSubstr("\nHow many (default: 1) (not with \\-\\-mode)\n"));
  EXPECT_THAT(page, Not(HasSubstr("fp16")));
}

TEST(ManPage, SaysWhatTheEnvironmentAndTheStatusMean) {
  const std::string page = man_page("1.2.3", kTools, describe_all(kRows));
  EXPECT_THAT(page, HasSubstr("\n.B 2\nthe command line is invalid (an unknown option: 1)\n"));
  EXPECT_THAT(page, HasSubstr("\n.B ASSAY_ONNXRUNTIME_LIB\n"));
  EXPECT_THAT(page, HasSubstr("\n.B ASSAY_MODEL\nset by Assay for a check"));
}

TEST(ManPage, ExamplesAreCommands) {
  const std::string page = man_page("1.2.3", tools(), describe_all(commands()));
  EXPECT_THAT(page, HasSubstr("\nassay debug reduce "));
  EXPECT_THAT(page, HasSubstr(" \\-\\-check assay run polygraphy_debug.onnx "));
  EXPECT_THAT(page, Not(HasSubstr("\nassay assay ")));
  EXPECT_THAT(page, Not(HasSubstr("\nassay \\-\\-")));
}

// Returns what bash offers for the line, whose last word is being typed.
std::string complete_in_bash(std::vector<std::string> line) {
  std::string words;
  for (const std::string& word : line) words += " '" + word + "'";
  worker::Command command;
  command.argv = {"bash", "-c",
                  bash_completion(kTools, describe_all(kRows)) + "\nCOMP_WORDS=(" + words +
                      "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _assay; echo \"${COMPREPLY[*]}\""};
  const auto outcome = worker::run(command, {}, base::Stop());
  return outcome && *outcome ? (*outcome)->output : "bash did not end by itself";
}

TEST(BashCompletion, OffersToolsSubtoolsOptionsAndValues) {
  EXPECT_EQ(complete_in_bash({"assay", "d"}), "debug\n");
  EXPECT_EQ(complete_in_bash({"assay", "debug", "s"}), "shrink\n");
  EXPECT_EQ(complete_in_bash({"assay", "debug", "shrink", "--o"}), "--output\n");
  EXPECT_EQ(complete_in_bash({"assay", "debug", "shrink", "--mode", ""}), "bisect linear\n");
  EXPECT_EQ(complete_in_bash({"assay", "debug", "shrink", "--until", "b"}), "bad\n");
  EXPECT_EQ(complete_in_bash({"assay", "run", "m.onnx", "--ch"}), "--check\n");
}

TEST(BashCompletion, OffersFurtherValues) {
  EXPECT_EQ(complete_in_bash({"assay", "run", "--ways", "f"}), "fast\n");
  EXPECT_EQ(complete_in_bash({"assay", "run", "--ways", "fast", "exact", ""}), "fast exact slow\n");
  EXPECT_EQ(complete_in_bash({"assay", "debug", "shrink", "--ways", "fast", "e"}), "exact\n");
  EXPECT_EQ(complete_in_bash({"assay", "run", "--ways", "fast", "--o"}), "--output\n");
  EXPECT_EQ(complete_in_bash({"assay", "run", "--ways", "fast", "--mode", "b"}), "bisect\n");
  EXPECT_EQ(complete_in_bash({"assay", "run", "--ways", "fast", "--mode", "bisect", "m"}), "\n");
  EXPECT_EQ(complete_in_bash({"assay", "run", "--mode", "bisect", ""}), "\n");
  EXPECT_EQ(complete_in_bash({"assay", "run", "--ways", "=", "fast", ""}), "\n");
}

TEST(BashCompletion, LeavesFileNamesToTheShell) {
  EXPECT_EQ(complete_in_bash({"assay", "run", "mod"}), "\n");
  EXPECT_EQ(complete_in_bash({"assay", "run", "-o", "red"}), "\n");
}

TEST(BashCompletion, CompletesAnotherAssayBehindTheCheck) {
  EXPECT_EQ(complete_in_bash({"assay", "debug", "shrink", "m.onnx", "--check", "assay", "run", "--mo"}), "--mode\n");
}

TEST(Completions, OfferWordsInEachShell) {
  EXPECT_THAT(zsh_completion(kTools, describe_all(kRows)), HasSubstr("'*--until[When to stop]:value:(good bad)'"));
  EXPECT_THAT(fish_completion(kTools, describe_all(kRows)), HasSubstr("-l until -x -a 'good bad' -d 'When to stop'"));
}

// Options of the real commands whose values are words of a table.
TEST(Completions, KnowTheWordsOfOptions) {
  const CommandRow* run = find_command("run", "");
  ASSERT_NE(run, nullptr);
  const CommandFacts facts = describe(*run);
  for (const auto& [name, word] : std::map<std::string, std::string>{
           {"--compare", "cosine_similarity"},
           {"--check-error-stat", "quantile"},
           {"--verbosity", "extra_verbose"},
           {"--log-format", "line-info"},
           {"--providers", "CUDAExecutionProvider"},
           {"--graph-optimization-level", "ORT_ENABLE_BASIC"},
           {"--engine-capability", "DLA_STANDALONE"},
           {"--tactic-sources", "CUDNN"},
       }) {
    const auto option = std::ranges::find_if(facts.options, [&](const OptionFacts& each) {
      return std::ranges::find(each.names, name) != each.names.end();
    });
    ASSERT_NE(option, facts.options.end()) << name;
    EXPECT_THAT(option->offered, testing::Contains(word)) << name;
  }
}

}  // namespace
}  // namespace assay::cli
