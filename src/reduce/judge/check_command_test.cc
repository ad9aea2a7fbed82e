#include "reduce/judge/check_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "base/files.h"
#include "base/temp_dir.h"
#include "base/test_log.h"

namespace assay::reduce {
namespace {

using Kind = Verdict::Kind;

class Checking : public testing::Test {
 protected:
  base::Expected<Verdict> check(const std::string& script, CheckSetup options = {}) {
    options.command = {"sh", "-c", script};
    return CheckCommand::make(std::move(options), process_runner(), log_).value().run({}, stop_);
  }
  base::Stop stop_;
  base::test::TestLog log_;
};

TEST_F(Checking, JudgesByHowTheCommandEnds) {
  EXPECT_EQ(check("exit 0")->kind, Kind::passes);
  const auto failed = check("exit 42");
  EXPECT_EQ(failed->kind, Kind::fails);
  EXPECT_EQ(failed->text, "exit status 42");
}

TEST_F(Checking, TakesAnAbortedCommandForAFailureAndNamesTheSignal) {
  const auto verdict = check("kill -ABRT $$");
  EXPECT_EQ(verdict->kind, Kind::fails);
  EXPECT_THAT(verdict->text, testing::HasSubstr("6"));
}

TEST_F(Checking, EndsACommandThatHangs) {
  CheckSetup options;
  options.limits.time_s = 0.2;
  const auto verdict = check("sleep 600", options);
  ASSERT_TRUE(verdict) << verdict.error().message();
  EXPECT_EQ(verdict->kind, Kind::fails);
}

TEST_F(Checking, EndsACommandThatFillsMemory) {
  CheckSetup options;
  options.limits.memory_bytes = std::uint64_t{64} << 20;
  const auto verdict = check("exec head -c 1G /dev/zero | tail -c 1G | wc -c; exit 0", options);
  ASSERT_TRUE(verdict) << verdict.error().message();
  EXPECT_EQ(verdict->kind, Kind::fails);
}

TEST_F(Checking, ShowsTheOutputOfFailuresUnlessToldOtherwise) {
  (void)check("echo hello from the check; exit 1");
  EXPECT_THAT(log_.text(), testing::HasSubstr("hello from the check"));
  log_.clear();
  (void)check("echo hello from the check");
  EXPECT_EQ(log_.text(), "");
  CheckSetup always;
  always.show_output = CheckSetup::Show::always;
  (void)check("echo hello from the check", always);
  EXPECT_THAT(log_.text(), testing::HasSubstr("hello from the check"));
  log_.clear();
  CheckSetup never;
  never.show_output = CheckSetup::Show::never;
  (void)check("echo hello from the check; exit 1", never);
  EXPECT_EQ(log_.text(), "");
}

TEST_F(Checking, ShowsTheSameOutputOnce) {
  CheckSetup options;
  options.command = {"sh", "-c", "cat \"$ASSAY_MODEL\"; exit 1"};
  options.artifact = "a.onnx";
  const auto folder = base::TempDir::create();
  const auto check_file = [&](const CheckCommand& command, const std::string& text) {
    const auto path = folder->path() / "b.onnx";
    ASSERT_TRUE(base::write_file(path, text));
    log_.clear();
    EXPECT_EQ(command.run(path, stop_)->kind, Kind::fails);
  };
  const CheckCommand command = CheckCommand::make(options, process_runner(), log_).value();
  check_file(command, "one\nafter 0.25 s");
  EXPECT_EQ(log_.text(), "Output of the check:\none\nafter 0.25 s\n");
  check_file(command, "one\nafter 17.5 s");
  EXPECT_EQ(log_.text(), "");
  check_file(command, "two\nafter 17.5 s");
  EXPECT_THAT(log_.text(), testing::HasSubstr("two"));
  check_file(command, "one\nafter 17.5 s");
  EXPECT_EQ(log_.text(), "");

  options.show_output = CheckSetup::Show::always;
  const CheckCommand always = CheckCommand::make(options, process_runner(), log_).value();
  for (int i = 0; i < 2; ++i) {
    check_file(always, "one");
    EXPECT_THAT(log_.text(), testing::HasSubstr("one"));
  }
}

// An engine in verbose mode prints megabytes, which nobody wants to see in a terminal unasked.
TEST_F(Checking, ShowsTheBeginningAndTheEndOfALongOutput) {
  const std::string script = "echo first; yes 'some line of the engine' | head -n 100000; echo last; exit 1";
  (void)check(script);
  EXPECT_LT(log_.text().size(), std::size_t{70} << 10);
  EXPECT_THAT(log_.text(), testing::StartsWith("Output of the check:\nfirst\nsome line"));
  EXPECT_THAT(log_.text(), testing::HasSubstr("engine\n\n[... 2.2 MiB left out here ...]\nsome line"));
  EXPECT_THAT(log_.text(), testing::EndsWith("engine\nlast\n\n"));
  log_.clear();
  (void)check("head -c 1000000 /dev/zero | tr '\\0' x; exit 1");
  EXPECT_LT(log_.text().size(), std::size_t{70} << 10);
  CheckSetup always;
  always.show_output = CheckSetup::Show::always;
  log_.clear();
  (void)check(script, always);
  EXPECT_GT(log_.text().size(), std::size_t{2'000'000});
}

// Models are "whole.onnx" and candidates; an engine rejects those that the test names.
class Refusing : public Checking {
 protected:
  Verdict judge(const std::string& candidate, const std::map<std::string, std::string>& refusals, int code = 1,
                const std::string& named = "./a.onnx", bool whole_fails = true) {
    CheckSetup options;
    options.command = {"assay", "run", named};
    options.artifact = "a.onnx";
    options.whole = "models/whole.onnx";
    options.whole_fails = whole_fails;
    const auto runner = [&](const worker::Command& command, const worker::Limits&,
                            const base::Stop&) -> base::Expected<CheckRun> {
      runs_.push_back(command.argv.back());
      const auto refusal = refusals.find(std::filesystem::path(command.argv.back()).filename());
      return CheckRun{worker::Exited{.code = code, .output = "refused"},
                      refusal == refusals.end() ? "" : refusal->second};
    };
    const CheckCommand command = CheckCommand::make(options, runner, log_).value();
    (void)command.run(candidate, stop_);
    return command.run(candidate, stop_).value();
  }
  std::vector<std::string> runs_;
};

TEST_F(Refusing, OfAnEngineThatTakesTheWholeModelTellsNothing) {
  const Verdict verdict = judge("a.onnx", {{"a.onnx", "OpenVINO"}});
  EXPECT_EQ(verdict.kind, Kind::unresolved);
  EXPECT_EQ(verdict.cause, Verdict::Cause::engine);
  EXPECT_THAT(verdict.text, testing::HasSubstr("OpenVINO"));
  EXPECT_THAT(runs_, testing::ElementsAre("./a.onnx", "models/whole.onnx", "./a.onnx")) << "the whole model once";
  EXPECT_EQ(judge("a.onnx", {{"a.onnx", "OpenVINO"}}, 0).kind, Kind::unresolved) << "where rules take it for a pass";
}

TEST_F(Refusing, ComparesWithTheWholeModelHoweverTheCommandNamesItsFile) {
  const std::string absolute = (std::filesystem::current_path() / "a.onnx").string();
  EXPECT_EQ(judge("a.onnx", {{"a.onnx", "OpenVINO"}}, 1, absolute).kind, Kind::unresolved);
  EXPECT_THAT(runs_, testing::ElementsAre(absolute, "models/whole.onnx", absolute));
}

TEST_F(Refusing, IsTheFailureIfTheWholeModelIsRefusedByTheSameEngine) {
  EXPECT_EQ(judge("a.onnx", {{"a.onnx", "OpenVINO"}, {"whole.onnx", "OpenVINO"}}).kind, Kind::fails);
  EXPECT_EQ(judge("a.onnx", {{"a.onnx", "OpenVINO"}, {"whole.onnx", "MNN"}}).kind, Kind::unresolved);
}

TEST_F(Refusing, IsTheFailureIfTheFileOfTheWholeModelMayPass) {
  EXPECT_EQ(judge("a.onnx", {{"a.onnx", "OpenVINO"}}, 1, "./a.onnx", false).kind, Kind::fails);
  EXPECT_THAT(runs_, testing::ElementsAre("./a.onnx", "./a.onnx"));
}

// Returns what a check says of a candidate if it can't judge the models that the test names.
base::Expected<Verdict> judge_unusable(const std::vector<std::string>& models, const base::Stop& stop, base::Log& log) {
  CheckSetup options;
  options.command = {"assay", "run", "./a.onnx", "--onnxr"};
  options.artifact = "a.onnx";
  options.whole = "models/whole.onnx";
  const auto runner = [&](const worker::Command& command, const worker::Limits&,
                          const base::Stop&) -> base::Expected<CheckRun> {
    const std::string name = std::filesystem::path(command.argv[2]).filename();
    const bool is_unusable = std::ranges::find(models, name) != models.end();
    return CheckRun{.outcome = worker::Exited{.code = 1, .output = "unknown option"},
                    .unusable = is_unusable ? "unknown option" : ""};
  };
  return CheckCommand::make(options, runner, log).value().run("a.onnx", stop);
}

TEST_F(Checking, IsAnErrorIfTheCommandCanJudgeNoModel) {
  const auto verdict = judge_unusable({"a.onnx", "whole.onnx"}, stop_, log_);
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().message(), "the check can't judge any model: unknown option");
}

// An engine that once takes too long to start says nothing about the candidate.
TEST_F(Checking, IsUnresolvedIfTheCommandCanJudgeOnlyTheWholeModel) {
  const auto verdict = judge_unusable({"a.onnx"}, stop_, log_);
  ASSERT_TRUE(verdict) << verdict.error().message();
  EXPECT_EQ(verdict->kind, Kind::unresolved);
  EXPECT_EQ(verdict->cause, Verdict::Cause::check);
  EXPECT_EQ(verdict->text, "the check can't judge it: unknown option");
}

// `debug repeat` runs the command as it is.
TEST_F(Checking, IsAnErrorIfACommandWithoutAModelIsUnusableAtOnce) {
  int runs = 0;
  const auto runner = [&runs](int first) {
    return [&runs, first](const worker::Command&, const worker::Limits&,
                          const base::Stop&) -> base::Expected<CheckRun> {
      return CheckRun{.outcome = worker::Exited{.code = 1, .output = {}}, .unusable = ++runs >= first ? "no data" : ""};
    };
  };
  const CheckSetup options{.command = {"assay", "run", "a.onnx"}, .limits = {}, .rules = {}};
  const auto at_once = CheckCommand::make(options, runner(1), log_).value().run({}, stop_);
  ASSERT_FALSE(at_once);
  EXPECT_EQ(at_once.error().message(), "the check can't judge any model: no data");
  runs = 0;
  const CheckCommand later = CheckCommand::make(options, runner(2), log_).value();
  EXPECT_EQ(later.run({}, stop_)->kind, Kind::fails);
  EXPECT_EQ(later.run({}, stop_)->kind, Kind::unresolved);
}

TEST_F(Refusing, WithoutARefusalRunsNothingElse) {
  EXPECT_EQ(judge("a.onnx", {}).kind, Kind::fails);
  EXPECT_THAT(runs_, testing::ElementsAre("./a.onnx", "./a.onnx"));
}

TEST_F(Checking, SaysThatACommandDoesNotExist) {
  CheckSetup options;
  options.command = {"./no-such-command", "x"};
  const auto verdict = CheckCommand::make(options, process_runner(), log_).value().run({}, stop_);
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().kind, base::ErrorKind::not_found);
}

TEST_F(Checking, IsAnErrorIfTheFirstCheckCannotRun) {
  CheckSetup first;
  first.is_first = [] { return true; };
  const std::string script = "no_such_engine_for_the_check \"$ASSAY_MODEL\"";
  const auto verdict = check(script, first);
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().kind, base::ErrorKind::invalid_input);
  EXPECT_THAT(verdict.error().message(), testing::AllOf(testing::HasSubstr("the check can't run: exit status 127: "),
                                                        testing::HasSubstr("no_such_engine_for_the_check"),
                                                        testing::HasSubstr("--fail-code 127")));
  EXPECT_EQ(check(script)->kind, Kind::fails) << "an earlier run has judged it";
  CheckSetup named = first;
  named.rules.fail_codes = {127};
  EXPECT_EQ(check(script, named)->kind, Kind::fails);
  CheckSetup described = first;
  described.rules.patterns = {"not found"};
  EXPECT_EQ(check(script, described)->kind, Kind::fails);
}

// Later, a candidate may make the check end in this way.
TEST_F(Checking, IsNoErrorIfALaterCheckCannotRun) {
  CheckSetup options;
  options.is_first = [] { return true; };
  options.artifact = "a.onnx";
  options.command = {"sh", "-c", "[ \"${ASSAY_MODEL##*/}\" = a.onnx ] && exit 1; exit 127"};
  const CheckCommand command = CheckCommand::make(options, process_runner(), log_).value();
  EXPECT_EQ(command.run("a.onnx", stop_)->text, "exit status 1");
  const auto later = command.run("a.1.onnx", stop_);
  ASSERT_TRUE(later) << later.error().message();
  EXPECT_EQ(later->kind, Kind::fails);
}

TEST_F(Checking, UsesAnotherRunnerIfGiven) {
  CheckSetup options;
  options.command = {"assay", "run", "x.onnx"};
  const auto in_process = [](const worker::Command& command, const worker::Limits&,
                             const base::Stop&) -> base::Expected<CheckRun> {
    return CheckRun{worker::Exited{.code = command.argv.front() == "assay" ? 7 : 0, .output = {}}};
  };
  EXPECT_EQ(CheckCommand::make(options, in_process, log_).value().run({}, stop_)->text, "exit status 7");
}

TEST_F(Checking, TellsTheCommandItsFileAndHearsOfTheArtifact) {
  CheckSetup options;
  options.command = {"sh", "-c", "echo a.onnx; basename $ASSAY_MODEL; exit 1"};
  options.artifact = "a.onnx";
  options.rules.patterns = {"^a.onnx\na.onnx"};
  const auto verdict = CheckCommand::make(options, process_runner(), log_).value().run("a.1.onnx", stop_);
  ASSERT_TRUE(verdict) << verdict.error().message();
  EXPECT_EQ(verdict->kind, Kind::fails) << log_.text();
}

}  // namespace
}  // namespace assay::reduce
