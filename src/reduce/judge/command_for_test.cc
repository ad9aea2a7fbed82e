#include "reduce/judge/command_for.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using Words = std::vector<std::string>;

Words words_for(const Words& words, const fs::path& model = "a.2.onnx", const fs::path& artifact = "a.onnx") {
  return command_for(words, artifact, model).argv;
}

TEST(CommandFor, NamesTheOtherFileWhereTheArtifactStands) {
  EXPECT_THAT(words_for({"run", "a.onnx"}), ElementsAre("run", "a.2.onnx"));
  EXPECT_THAT(words_for({"run", "./a.onnx", "--model=a.onnx"}), ElementsAre("run", "./a.2.onnx", "--model=a.2.onnx"));
  EXPECT_THAT(words_for({"sh", "-c", "cat a.onnx|wc; cp 'a.onnx' b && see a.onnx."}),
              ElementsAre("sh", "-c", "cat a.2.onnx|wc; cp 'a.2.onnx' b && see a.2.onnx."));
  EXPECT_THAT(words_for({"python3", "-c", "load(\"a.onnx\")"}), ElementsAre("python3", "-c", "load(\"a.2.onnx\")"));
}

TEST(CommandFor, KnowsTheArtifactHoweverItsFolderIsSpelled) {
  const std::string here = fs::current_path().string();
  EXPECT_THAT(words_for({"run", here + "/a.onnx"}), ElementsAre("run", here + "/a.2.onnx"));
  EXPECT_THAT(words_for({"run", "x/../a.onnx"}), ElementsAre("run", "x/../a.2.onnx"));
  EXPECT_THAT(words_for({"run", "my dir/a.onnx"}, "my dir/a.2.onnx", "my dir/a.onnx"),
              ElementsAre("run", "my dir/a.2.onnx"));
  EXPECT_THAT(words_for({"run", "d/a.onnx", "a.onnx"}, "d/a.2.onnx", "d/a.onnx"),
              ElementsAre("run", "d/a.2.onnx", "a.onnx"));
}

TEST(CommandFor, LeavesOtherFilesAlone) {
  const Words others = {"a.onnx", "ba.onnx", "a.onnx.json", "a.onnx_old", "d/a.onnx", "x$DIR/a.onnx", "${D}a.onnx"};
  EXPECT_THAT(words_for(others), testing::ElementsAreArray(others));
}

TEST(CommandFor, PutsThePathForTheWordModel) {
  EXPECT_THAT(words_for({"{model}", "{model}", "-m={model}", "{models}"}, "d/a.1.onnx", "d/a.onnx"),
              ElementsAre("{model}", "d/a.1.onnx", "-m=d/a.1.onnx", "{models}"));
  EXPECT_THAT(words_for({"run", "{model}"}, "a.onnx", "a.onnx"), ElementsAre("run", "a.onnx"));
}

TEST(CommandFor, TellsTheEnvironmentToo) {
  const auto command = command_for({"sh", "x.sh"}, "a.onnx", "a.2.onnx");
  EXPECT_THAT(command.environment, ElementsAre(testing::Pair("ASSAY_MODEL", fs::absolute("a.2.onnx").string())));
}

Words words_for_whole(const Words& words) {
  const auto command = command_for_whole(words, "d/a.onnx", "/models/w.onnx");
  return command ? command->argv : Words();
}

TEST(CommandForWhole, PutsItsPathWhereTheArtifactStands) {
  const std::string here = fs::current_path().string();
  EXPECT_THAT(words_for_whole({"d/a.onnx", "d/a.onnx", "./d/a.onnx", "{model}"}),
              ElementsAre("d/a.onnx", "/models/w.onnx", "/models/w.onnx", "/models/w.onnx"));
  EXPECT_THAT(words_for_whole({"run", here + "/d/a.onnx"}), ElementsAre("run", "/models/w.onnx"));
  EXPECT_THAT(words_for_whole({"run", "--model=d/a.onnx", "-m={model}"}),
              ElementsAre("run", "--model=/models/w.onnx", "-m=/models/w.onnx"));
  EXPECT_THAT(words_for_whole({"sh", "-c", "cp ./d/a.onnx b; see d/a.onnx."}),
              ElementsAre("sh", "-c", "cp /models/w.onnx b; see /models/w.onnx."));
}

TEST(CommandForWhole, IsAbsentIfNoWordNamesTheFile) {
  EXPECT_FALSE(command_for_whole({"d/a.onnx", "a.onnx", "$D/d/a.onnx"}, "d/a.onnx", "/models/w.onnx"));
}

TEST(CommandForWhole, TellsTheEnvironmentToo) {
  const auto command = command_for_whole({"run", "a.onnx"}, "a.onnx", "/models/w.onnx");
  ASSERT_TRUE(command);
  EXPECT_THAT(command->environment, ElementsAre(testing::Pair("ASSAY_MODEL", "/models/w.onnx")));
}

TEST(WhyAlone, IsAbsentForACheckThatNamesItsFile) {
  EXPECT_FALSE(why_alone({"run", "a.onnx"}, "a.onnx", {}));
  EXPECT_FALSE(why_alone({"run", "--m={model}"}, "a.onnx", {}));
  EXPECT_FALSE(why_alone({"sh", "-c", "run $ASSAY_MODEL"}, "a.onnx", {}));
}

TEST(WhyAlone, TakesACheckThatNamesNothingForOneWithAFixedName) {
  const auto why = why_alone({"./check.sh", "--fast"}, "a.onnx", {});
  ASSERT_TRUE(why);
  EXPECT_THAT(*why, testing::HasSubstr("'a.onnx'"));
}

TEST(WhyAlone, LooksIntoScripts) {
  const base::TempDir dir = base::TempDir::create().value();
  const fs::path script = dir.path() / "check-it";
  ASSERT_TRUE(base::write_file(script, "#!/bin/sh\nrun a.onnx\n"));
  EXPECT_TRUE(why_alone({script.string()}, "a.onnx", {}));
  ASSERT_TRUE(base::write_file(script, "#!/bin/sh\nrun \"${ASSAY_MODEL:-a.onnx}\"\n"));
  EXPECT_FALSE(why_alone({script.string()}, "a.onnx", {}));
  EXPECT_FALSE(why_alone({"python3", script.string()}, "a.onnx", {}));
  EXPECT_TRUE(why_alone({"check-it"}, "a.onnx", {}));
  const std::vector<fs::path> folders = {"/nowhere", dir.path()};
  EXPECT_FALSE(why_alone({"check-it"}, "a.onnx", folders));
  const std::string named_as_script = script.string() + ".sh";
  fs::copy(script, named_as_script);
  EXPECT_FALSE(why_alone({"sh", "-c", "nice '" + named_as_script + "'; true"}, "a.onnx", {}));
  ASSERT_TRUE(base::write_file(script, std::string("\x7f"
                                                   "ELF\0 ASSAY_MODEL",
                                                   17)));  // a program, whatever it does
  EXPECT_TRUE(why_alone({script.string()}, "a.onnx", {}));
}

TEST(WhyBlind, IsAbsentIfWordsOrScriptsMentionTheCandidate) {
  EXPECT_FALSE(why_blind({"run", "a.onnx"}, "a.onnx", "m.onnx", {}));
  EXPECT_FALSE(why_blind({"run", "m.onnx", "--other={model}"}, "a.onnx", "m.onnx", {}));
  EXPECT_FALSE(why_blind({"sh", "-c", "run $ASSAY_MODEL"}, "a.onnx", "m.onnx", {}));
  const base::TempDir dir = base::TempDir::create().value();
  const fs::path script = dir.path() / "check.sh";
  ASSERT_TRUE(base::write_file(script, "#!/bin/sh\nrun a.onnx\n"));
  EXPECT_FALSE(why_blind({"sh", script.string()}, "a.onnx", "m.onnx", {}));
  ASSERT_TRUE(base::write_file(script, "#!/bin/sh\nrun $1\n"));
  EXPECT_THAT(why_blind({"sh", script.string()}, "a.onnx", "m.onnx", {}).value_or(""),
              testing::StartsWith("The check mentions neither 'a.onnx' nor {model} nor ASSAY_MODEL. "));
}

TEST(WhyBlind, KnowsTheMistakeOfNamingTheWholeModel) {
  const base::TempDir dir = base::TempDir::create().value();
  const fs::path whole = dir.path() / "m.onnx";
  ASSERT_TRUE(base::write_file(whole, "a model"));
  EXPECT_THAT(why_blind({"run", whole.string()}, "a.onnx", whole, {}).value_or(""),
              testing::HasSubstr("the whole model"));
  EXPECT_FALSE(why_blind({"compare", whole.string(), "a.onnx"}, "a.onnx", whole, {}));
}

}  // namespace
}  // namespace assay::reduce
