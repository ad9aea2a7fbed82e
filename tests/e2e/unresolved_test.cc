// The third verdict, in all commands that take a check: the check can't judge the model.
#include <gmock/gmock.h>

#include "tests/e2e/workspace.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Fails if the model has a Tan, but can only judge models that also have an Exp.
constexpr auto kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) { a = Neg(x) b = Exp(a) c = Abs(b) d = Tan(c) e = Sin(d) y = Cos(e) })";
constexpr auto kNeedsExp = R"(grep -q Tan "$1" || exit 0
grep -q Exp "$1" || { echo no Exp here; exit 125; }
echo Tan fails; exit 1
)";

class UnresolvedTest : public Workspace {
 protected:
  void SetUp() override {
    write_model("m.onnx", kChain);
    write("check.sh", kNeedsExp);
  }
  [[nodiscard]] Finished reduce(const Words& options) const {
    Words words = {"debug", "reduce", "m.onnx", "-o", "r.onnx"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--check", "sh", "check.sh", "polygraphy_debug.onnx"});
    return assay(words);
  }
};

TEST_F(UnresolvedTest, ModelsThatCannotBeJudgedAreNeverTheResult) {
  for (const std::string mode : {"bisect", "linear"}) {
    const Finished finished = reduce({"-v", "--mode", mode});
    EXPECT_EQ(finished.status, 0) << finished.output;
    EXPECT_THAT(operators("r.onnx"), ElementsAre("Exp", "Abs", "Tan")) << mode;
    EXPECT_THAT(finished.output, HasSubstr("cannot be judged: exit status 125")) << mode;
  }
}

TEST_F(UnresolvedTest, TheTextOfTheCheckCanSayIt) {
  EXPECT_EQ(reduce({"--mode", "bisect", "--unresolved-code", "none"}).status, 0);
  EXPECT_THAT(operators("r.onnx"), ElementsAre("Tan")) << "125 is a failure like others here";
  EXPECT_EQ(reduce({"--mode", "bisect", "--unresolved-code", "9", "--unresolved-regex", "no E.p"}).status, 0);
  EXPECT_THAT(operators("r.onnx"), ElementsAre("Exp", "Abs", "Tan"));
}

TEST_F(UnresolvedTest, ACodeThatIsToFailIsNotTakenForUnresolved) {
  EXPECT_EQ(reduce({"--mode", "bisect", "--fail-code", "125", "1"}).status, 0);
  EXPECT_THAT(operators("r.onnx"), ElementsAre("Tan"));
  const Finished both = reduce({"--fail-code", "3", "--unresolved-code", "3"});
  EXPECT_EQ(both.status, 1);
  EXPECT_THAT(both.output, AllOf(HasSubstr("exit status 3"), HasSubstr("(in --unresolved-code)")));
  EXPECT_EQ(reduce({"--unresolved-code", "many"}).status, 1);
}

TEST_F(UnresolvedTest, RepeatCountsAndSortsItAsNeither) {
  write("check.sh",
        "echo x > art.txt; n=$(cat n 2>/dev/null || echo 0); echo $((n + 1)) > n\n"
        "case $n in 0) exit 125;; 1) exit 0;; *) exit 1;; esac\n");
  const Finished finished =
      assay({"debug", "repeat", "--until", "bad", "--artifacts", "art.txt", "--check", "sh", "check.sh"});
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(finished.output, HasSubstr("3 iterations: 1 passed, 1 failed, 1 could not be judged"));
  EXPECT_THAT(files(), testing::IsSupersetOf({StartsWith("polygraphy_artifacts/unresolved/art_"),
                                              StartsWith("polygraphy_artifacts/good/art_"),
                                              StartsWith("polygraphy_artifacts/bad/art_")}));
  EXPECT_EQ(read("n"), "3\n");
}

}  // namespace
}  // namespace assay::e2e
