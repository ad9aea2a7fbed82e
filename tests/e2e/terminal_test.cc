// Tests what a user sees on a terminal, with a pseudo-terminal.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/strings.h"
#include "tests/e2e/workspace.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ContainsRegex;
using testing::Each;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::SizeIs;

constexpr int kColumns = 60;
constexpr auto kStatus = "[a-z-]+: (all|[0-9]+) nodes? left, .*";  // the live line

// The lines that a terminal shows at the end. It needs no more than the escape sequences that Assay may write.
std::vector<std::string> screen(const std::string& output) {
  std::vector<std::string> lines(1);
  std::size_t column = 0;
  for (std::size_t i = 0; i < output.size(); ++i) {
    std::string& line = lines.back();
    if (output[i] == '\n') {
      lines.emplace_back(), column = 0;
    } else if (output[i] == '\r') {
      column = 0;
    } else if (output[i] == '\033') {
      const std::size_t end = output.find_first_of("Km", i);
      if (end == std::string::npos) break;
      if (output[end] == 'K') line.resize(std::min(line.size(), column));
      i = end;
    } else {
      line.resize(std::max(line.size(), column + 1), ' ');
      line[column++] = output[i];
    }
  }
  return lines;
}

// Every text that was on the last line at some time: what was written between two returns to the line's start.
std::vector<std::string> drawn_lines(const std::string& output) {
  std::vector<std::string> drawn;
  for (const std::string& line : base::split(output, '\n')) {
    for (const std::string& text : base::split(line, '\r')) {
      if (text.ends_with("\033[K") && text.size() > 3) drawn.push_back(text.substr(0, text.size() - 3));
    }
  }
  return drawn;
}

class OnTerminal : public Workspace {
 protected:
  OnTerminal() {
    environment_ = {{"TERM", "xterm"}, {"NO_COLOR", ""}, {"COLUMNS", ""}};
    write_model("chain.onnx", R"(<ir_version: 8, opset_import: ["" : 13]>
      chain (float[4] x) => (float[4] y) {
        a = Relu(x) b = Neg(a) c = Abs(b) d = Exp(c) e = Sqrt(d) f = Floor(e) g = Ceil(f) y = Neg(g) })");
  }

  // Reduces the chain to its Exp, at which the check fails.
  [[nodiscard]] Words reduce(const Words& options) const {
    Words words = {"debug", "reduce", "chain.onnx", "-o", "small.onnx"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--check", "sh", "-c", "! grep -q Exp polygraphy_debug.onnx"});
    return words;
  }
  [[nodiscard]] Finished on_terminal(const Words& words) const { return start_on_terminal(words, kColumns)->finish(); }
};

TEST_F(OnTerminal, AReductionRedrawsOneLineThatFitsAndDisappears) {
  const Finished finished = on_terminal(reduce({}));
  ASSERT_EQ(finished.status, 0) << finished.output;
  const std::vector<std::string> drawn = drawn_lines(finished.output);
  EXPECT_THAT(drawn, Contains(MatchesRegex(kStatus)));
  for (const std::string& line : drawn) EXPECT_LT(line.size(), static_cast<std::size_t>(kColumns)) << line;
  EXPECT_THAT(screen(finished.output), Each(Not(MatchesRegex(kStatus))));
  EXPECT_THAT(screen(finished.output), Contains(ContainsRegex("^.I. 1 node left after .* FAILS: exit status 1")));
}

TEST_F(OnTerminal, TheLogTellsOnlyOfSmallerModelsUnlessAsked) {
  const auto count = [](const std::string& output, const std::string& text) {
    const auto lines = base::split(output, '\n');
    return std::ranges::count_if(lines, [&](const std::string& line) { return line.find(text) != std::string::npos; });
  };
  const Finished few = assay(reduce({}));
  ASSERT_EQ(few.status, 0) << few.output;
  EXPECT_EQ(count(few.output, "passes"), 0) << few.output;
  EXPECT_THAT(few.output, AllOf(HasSubstr("nodes left after"), Not(HasSubstr("\r")), Not(HasSubstr("\033"))));
  const Finished all = assay(reduce({"-v"}));
  EXPECT_GT(count(all.output, "passes"), 0) << all.output;
  EXPECT_EQ(count(all.output, "nodes left after"),
            count(few.output, "nodes left after") + count(all.output, "    passes"));
}

TEST_F(OnTerminal, CtrlCErasesTheLine) {
  ASSERT_EQ(mkfifo(path("never").c_str(), 0600), 0);
  const auto running = start_on_terminal(
      {"debug", "reduce", "chain.onnx", "-o", "small.onnx", "--check", "sh", "-c", "cat never"}, kColumns);
  ASSERT_TRUE(running->wait_for("all nodes left"));
  running->type("\x03");
  const Finished finished = running->finish();
  EXPECT_EQ(finished.status, 130) << finished.output;
  EXPECT_THAT(screen(finished.output), Each(Not(ContainsRegex("all nodes left"))));
  EXPECT_THAT(finished.output, HasSubstr("STOPPED"));
  EXPECT_TRUE(no_process_left());
}

TEST_F(OnTerminal, QuietRunsDrawNothing) {
  EXPECT_THAT(drawn_lines(on_terminal(reduce({"-q"})).output), SizeIs(0));
  EXPECT_EQ(on_terminal(reduce({"--silent"})).output, "");
}

TEST_F(OnTerminal, ADumbTerminalGetsPlainLines) {
  environment_["TERM"] = "dumb";
  const std::string output = on_terminal(reduce({})).output;
  EXPECT_THAT(base::replace_all(output, "\r\n", "\n"), AllOf(Not(HasSubstr("\r")), Not(HasSubstr("\033"))));
}

TEST_F(OnTerminal, NoColorForbidsColoursOnly) {
  EXPECT_THAT(on_terminal(reduce({})).output, HasSubstr("\033[36m"));
  environment_["NO_COLOR"] = "1";
  const std::string output = on_terminal(reduce({})).output;
  EXPECT_THAT(output, Not(ContainsRegex("\033\\[[0-9;]*m")));
  EXPECT_THAT(drawn_lines(output), Contains(MatchesRegex(kStatus)));
}

TEST_F(OnTerminal, TheLineIsNotDrawnWhileAPersonIsAsked) {
  const auto running = start_on_terminal({"debug", "reduce", "chain.onnx", "-o", "small.onnx"}, kColumns);
  ASSERT_TRUE(running->wait_for("[p/f]"));
  running->type("f\n");
  ASSERT_TRUE(running->wait_for("[I] 8 nodes left"));
  ASSERT_TRUE(running->wait_for("[p/f]"));
  running->type("\x03");
  EXPECT_THAT(drawn_lines(running->finish().output), SizeIs(0));
}

// So every word that a test finds in the output is one that the program wants to say.
TEST_F(OnTerminal, TheOutputOfATestHasNoEchoOfTheCommand) {
  const Words words = {"inspect", "model", "chain.onnx", "--show", "layers"};
  for (const Finished& finished : {assay(words), on_terminal(words)}) {
    EXPECT_EQ(finished.status, 0) << finished.output;
    EXPECT_THAT(finished.output, AllOf(HasSubstr("RUNNING"), HasSubstr("PASSED | Runtime: "), HasSubstr("[Op: Exp]"),
                                       Not(HasSubstr("Command")), Not(HasSubstr("--show"))));
  }
}

TEST_F(OnTerminal, HelpIsWrappedAtTheTerminalsWidth) {
  const auto widest = [](const std::string& text) {
    std::size_t most = 0;
    for (const std::string& line : screen(text)) most = std::max(most, line.size());
    return most;
  };
  for (const Words& words :
       {Words{"--help"}, {"surgeon", "--help"}, {"debug", "reduce", "--help"}, {"run", "--help"}}) {
    const Finished narrow = on_terminal(words);
    EXPECT_EQ(narrow.status, 0);
    EXPECT_LE(widest(narrow.output), static_cast<std::size_t>(kColumns)) << narrow.output;
    EXPECT_LE(widest(assay(words).output), 120U);
  }
  environment_["COLUMNS"] = "80";
  EXPECT_LE(widest(assay({"run", "--help"}).output), 80U);
  EXPECT_GT(widest(assay({"run", "--help"}).output), 60U);
}

}  // namespace
}  // namespace assay::e2e
