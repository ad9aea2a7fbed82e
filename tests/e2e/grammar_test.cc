// Command lines that Polygraphy accepts, and the errors for invalid ones.
#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/strings.h"
#include "tests/e2e/workspace.h"

namespace assay::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

class Grammar : public Workspace {
 protected:
  Grammar() {
    write_model("neg.onnx", R"(<ir_version: 8, opset_import: ["" : 13]>
      neg (float[N] x) => (float[N] y) { y = Neg(x) })");
  }
};

class GrammarWithEngine : public EngineWorkspace {
 protected:
  GrammarWithEngine() {
    write_model("neg.onnx", R"(<ir_version: 8, opset_import: ["" : 13]>
      neg (float[2] x) => (float[2] y) { y = Neg(x) })");
  }
};

TEST_F(Grammar, AMissingValueIsNamedAsInTheHelp) {
  const Finished finished = assay({"run", "neg.onnx", "--onnxrt", "--atol"});
  EXPECT_EQ(finished.status, 2);
  EXPECT_THAT(finished.output, HasSubstr("assay run: --atol needs a value: [NAME:]NUMBER\n"));
  EXPECT_THAT(assay({"debug", "reduce", "neg.onnx", "--mode"}).output,
              HasSubstr("--mode needs a value: one of minimal, bisect, linear\n"));
}

TEST_F(Grammar, ASubtoolWithoutItsToolIsFound) {
  const Finished finished = assay({"reduce", "neg.onnx"});
  EXPECT_EQ(finished.status, 2);
  EXPECT_THAT(finished.output, HasSubstr("there is no tool 'reduce'. Did you mean debug reduce? "));
}

TEST_F(Grammar, TheToolComesFirst) {
  const std::string advice = "The tool comes first, as in `assay run MODEL --onnxrt`. `assay --help` lists the tools\n";
  EXPECT_THAT(assay({"neg.onnx", "--onnxrt"}).output, HasSubstr("there is no tool 'neg.onnx'. " + advice));
  EXPECT_THAT(assay({"--onnxrt", "neg.onnx"}).output, HasSubstr("there is no tool '--onnxrt'. " + advice));
}

TEST_F(Grammar, AWrongWordIsNamed) {
  const Finished finished = assay({"debug", "reduce", "neg.onnx", "--mode", "halve"});
  EXPECT_EQ(finished.status, 2);
  EXPECT_THAT(finished.output,
              HasSubstr("assay debug reduce: --mode must be one of minimal, bisect, linear, but is halve\n"));
  EXPECT_THAT(assay({"debug", "reduce", "neg.onnx", "--passes", "prefx"}).output,
              ContainsRegex("--passes must be one of hints, .* and [0-9]+ more, but is prefx. Did you mean prefix.\n"));
}

// An option with several values takes the model as one of them, as in Polygraphy.
TEST_F(Grammar, AMissingModelIsFoundAmongTheValuesOfAnOption) {
  const Finished finished = assay({"convert", "--onnx-outputs", "y", "neg.onnx", "-o", "out.onnx"});
  EXPECT_EQ(finished.status, 2);
  EXPECT_THAT(finished.output, HasSubstr("model_file is required. If that is 'neg.onnx', put it in front of "
                                         "--onnx-outputs, which has taken it as a value\n"));
  EXPECT_THAT(assay({"convert", "--onnx-outputs", "y", "-o", "out.onnx"}).output,
              HasSubstr("model_file is required\n"));
}

TEST_F(Grammar, UnknownOptionsAndUnexpectedWordsAreNamed) {
  const Finished finished = assay({"check", "lint", "neg.onnx", "--colour", "red", "blue"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.output, HasSubstr("assay check lint: there is no option --colour\n"));
  EXPECT_THAT(assay({"run", "neg.onnx", "a", "b"}).output, HasSubstr("assay run: unexpected arguments: a b\n"));
  EXPECT_THAT(assay({"run", "neg.onnx", "-onnxrt"}).output,
              HasSubstr("assay run: there is no option -onnxrt\nDid you mean --onnxrt"));
  EXPECT_THAT(assay({"debug", "reduce", "neg.onnx", "--onnxrt", "-o", "out.onnx"}).output,
              HasSubstr("there is no option --onnxrt\nEngines run in the check: --check assay run "));
  EXPECT_THAT(assay({"run", "--", "neg.onnx", "--onnxrt"}).output, HasSubstr("Options can't follow --. Run "));
}

// No file of Assay takes the place of a closed stream and gets the log.
TEST_F(Grammar, ClosedStandardStreamsStayClosed) {
  const Finished finished = run({"sh", "-c", with_program({})[0] + " inspect model neg.onnx <&- >&-"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.output, HasSubstr("cannot write to standard output"));
}

// As in `assay ... | head`: Assay ends as other programs do, by SIGPIPE, but not before it has cleaned up.
TEST_F(Grammar, NoFilesAreLeftIfTheReaderOfTheOutputHasGone) {
  write("reader.sh", R"(mkfifo pipe
"$@" > pipe 2> log.txt &
head -n 1 < pipe > first.txt
touch gone
wait $!
)");
  Words words = with_program({"debug", "reduce", "neg.onnx", "-o", "small.onnx", "--check", "sh", "-c",
                              "until [ -e gone ]; do :; done; cp polygraphy_debug.onnx seen.onnx; false"});
  words.insert(words.begin(), {"sh", "reader.sh"});
  const Finished finished = run(words);
  EXPECT_EQ(finished.status, 128 + SIGPIPE) << read("log.txt");
  const std::vector<std::string> left = files();
  EXPECT_THAT(left, Contains("seen.onnx"));
  EXPECT_THAT(left, Not(Contains("polygraphy_debug.onnx")));
  EXPECT_THAT(left, Not(Contains(testing::StartsWith("."))));
  EXPECT_TRUE(no_process_left());
}

TEST_F(Grammar, AWrongNumberIsNamed) {
  const auto error_of = [&](const char* option, const char* value) {
    const Finished finished = assay({"run", "neg.onnx", option, value});
    EXPECT_EQ(finished.status, 2);
    return finished.output;
  };
  EXPECT_THAT(error_of("--iterations", "1.5"), HasSubstr("--iterations must be a whole number, but is 1.5\n"));
  EXPECT_THAT(error_of("--iterations", "x"), HasSubstr("--iterations must be a number, but is x\n"));
  EXPECT_THAT(error_of("--seed", "abc"), HasSubstr("--seed must be a whole number, but is abc\n"));
  EXPECT_THAT(error_of("--warm-up", "5000000000"),
              HasSubstr("--warm-up can't be 5000000000: the number is too large\n"));
  EXPECT_THAT(error_of("--iterations", "-1"), HasSubstr("--iterations must be at least 0, but is -1\n"));
  EXPECT_THAT(error_of("--threads", "x"), HasSubstr("--threads must be a whole number, but is x\n"));
  EXPECT_THAT(error_of("--threads", "-1"), HasSubstr("--threads must be at least 0, but is -1\n"));
  EXPECT_THAT(error_of("--trt-device", "1.5"), HasSubstr("--trt-device must be a whole number, but is 1.5\n"));
  EXPECT_THAT(error_of("--max-aux-streams", "5000000000"),
              HasSubstr("--max-aux-streams must be closer to 0, but is 5000000000\n"));
  EXPECT_THAT(error_of("--memory-budget", "0"), HasSubstr("--memory-budget must be a size above 0, such as "));
}

TEST_F(Grammar, LoggingOptionsMayStandBetweenToolAndSubtool) {
  const Words rest = {"neg.onnx", "-o", "out.onnx", "--cleanup"};
  const auto sanitize = [&](Words words) {
    words.insert(words.end(), rest.begin(), rest.end());
    return assay(words);
  };
  const Finished usual = sanitize({"surgeon", "sanitize"});
  EXPECT_EQ(usual.status, 0) << usual.output;
  EXPECT_THAT(usual.output, HasSubstr("Saved the model"));
  for (const Words& words : {Words{"surgeon", "-v", "sanitize"}, {"surgeon", "--verbosity", "verbose", "sanitize"}}) {
    const Finished verbose = sanitize(words);
    EXPECT_EQ(verbose.status, 0) << verbose.output;
    EXPECT_THAT(verbose.output, HasSubstr("Saved the model"));
  }
  const Finished quiet = sanitize({"surgeon", "-q", "sanitize"});
  EXPECT_EQ(quiet.status, 0) << quiet.output;
  EXPECT_THAT(quiet.output, Not(HasSubstr("Saved the model")));
  EXPECT_EQ(sanitize({"surgeon", "--silent", "sanitize"}).output, "");
  const Finished wrong = sanitize({"surgeon", "--toposort", "sanitize"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.output, AllOf(HasSubstr("--toposort"), HasSubstr("Only logging options")));
}

TEST_F(Grammar, LoggingOptionsBetweenToolAndSubtoolLeaveTheCheckAlone) {
  const Finished finished =
      assay({"debug", "-q", "reduce", "neg.onnx", "-o", "out.onnx", "--check", "grep", "-q", "nothing", "{model}"});
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(finished.output, Not(HasSubstr("nodes left")));
}

// Returns the first words of the lines below a heading of a help text.
Words listed(const std::string& help, const std::string& heading) {
  Words names;
  bool is_below = false;
  for (const std::string& line : base::split(help, '\n')) {
    if (line.empty() || line == heading) {
      is_below = !line.empty();
    } else if (is_below && line.find_first_not_of(' ') == 2) {
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
  }
  return names;
}

TEST_F(Grammar, EveryCommandWorksThroughALinkNamedPolygraphy) {
  fs::create_symlink(with_program({})[0], path("polygraphy"));
  std::vector<Words> commands = {{"data", "to-input"}};  // an older name
  for (const std::string& tool : listed(assay({"--help"}).output, "Tools:")) {
    const Words subtools = listed(assay({tool, "--help"}).output, "Subtools:");
    for (const std::string& subtool : subtools) commands.push_back({tool, subtool});
    if (subtools.empty()) commands.push_back({tool});
  }
  EXPECT_THAT(commands, IsSupersetOf({Words{"run"}, Words{"surgeon", "extract"}, Words{"debug", "reduce"}}));
  for (const Words& words : commands) {
    Words argv = {"./polygraphy"};
    argv.insert(argv.end(), words.begin(), words.end());
    argv.push_back("--help");
    const Finished finished = run(argv);
    EXPECT_EQ(finished.status, 0) << finished.output;
    EXPECT_THAT(finished.output, HasSubstr("Usage: assay " + words[0]));
  }
  const Finished inspected = run({"./polygraphy", "inspect", "model", "neg.onnx"});
  EXPECT_EQ(inspected.status, 0) << inspected.output;
}

// New shapes of the model's own inputs are errors then; options for generated inputs may be for several models.
TEST_F(Grammar, UnknownInputsAreNamedWithThoseOfTheModel) {
  const auto sanitize = [&](const std::string& shape) {
    return assay({"surgeon", "sanitize", "neg.onnx", "-o", "out.onnx", "--override-input-shapes", shape});
  };
  EXPECT_EQ(sanitize("stranger:[1,2]").status, 1);
  EXPECT_THAT(sanitize("stranger:[1,2]").output, ContainsRegex("\\[E\\] .*'stranger'.* inputs are: x"));
  EXPECT_EQ(sanitize("x:[3]").status, 0);
  EXPECT_THAT(assay({"inspect", "model", "out.onnx"}).output, HasSubstr("shape=(3,)"));
  const Finished lint = assay({"check", "lint", "neg.onnx", "--input-shapes", "stranger:[1,2]"});
  EXPECT_EQ(lint.status, 0) << lint.output;
  EXPECT_THAT(lint.output, ContainsRegex("\\[W\\] .*'stranger'.* inputs are: x"));
}

TEST_F(Grammar, UnknownSubtoolsAreNamed) {
  EXPECT_THAT(assay({"check", "nonsense"}).output, HasSubstr("'check' has no subtool 'nonsense'"));
}

TEST_F(Grammar, AnInvalidNumberIsRefusedInASentence) {
  const Finished negative = assay({"run", "neg.onnx", "--onnxrt", "--iterations", "-1"});
  EXPECT_EQ(negative.status, 2);
  EXPECT_THAT(negative.output, HasSubstr("--iterations must be at least 0, but is -1\n"));
  EXPECT_THAT(assay({"run", "neg.onnx", "--warm-up", "-3"}).output,
              HasSubstr("--warm-up must be at least 0, but is -3\n"));
  EXPECT_THAT(assay({"debug", "reduce", "neg.onnx", "--fail-ratio", "2"}).output,
              HasSubstr("--fail-ratio must be from 0 to 1, but is 2\n"));
}

TEST_F(Grammar, OptionsWithoutEffectAreRefused) {
  const Finished lint = assay({"check", "lint", "neg.onnx", "--iterations", "2"});
  EXPECT_EQ(lint.status, 1);
  EXPECT_THAT(lint.output, HasSubstr("this command uses one set of inputs, not 2 (in --iterations)"));
  const Finished converted = assay({"convert", "neg.onnx", "-o", "out.onnx", "--seed", "3"});
  EXPECT_EQ(converted.status, 1);
  EXPECT_THAT(converted.output, HasSubstr("which only calibrate TensorRT engines (in --seed)"));
  const Finished built =
      assay({"debug", "build", "neg.onnx", "--onnxrt", "--until", "1", "--load-inputs", "in.json", "--check", "true"});
  EXPECT_EQ(built.status, 1);
  EXPECT_THAT(built.output, HasSubstr("none is calibrated (in --load-inputs)"));
  EXPECT_THAT(assay({"convert", "neg.onnx", "-o", "out.onnx", "--input-shapes", "x:[2]"}).output,
              HasSubstr("(in --input-shapes)"));
  const Finished reduced =
      assay({"debug", "reduce", "neg.onnx", "-o", "out.onnx", "--iterations", "5", "--check", "false"});
  EXPECT_EQ(reduced.status, 1);
  EXPECT_THAT(reduced.output, HasSubstr("this command uses one set of inputs, not 5 (in --iterations)"));
  for (const Words& command :
       {Words{"optimizers", "neg.onnx", "--onnxrt"}, {"versions", "neg.onnx", "--onnxrt-libs", "x"}}) {
    Words words = {"debug"};
    words.insert(words.end(), command.begin(), command.end());
    words.insert(words.end(), {"--input-shapes", "x:[1]", "--check", "true"});
    const Finished judged = assay(words);
    EXPECT_EQ(judged.status, 1);
    EXPECT_THAT(judged.output, HasSubstr("the check judges, so this option would have no effect (in --input-shapes)"));
  }
  const Finished compared = assay({"run", "--load-outputs", "a.json", "b.json", "--threads", "4"});
  EXPECT_EQ(compared.status, 1);
  EXPECT_THAT(compared.output, HasSubstr("this is a setting of engines, and none runs (in --threads). Leave it out"));
}

TEST_F(Grammar, ARunWithoutAnEngineWarns) {
  const Finished finished = assay({"run", "neg.onnx"});
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(finished.output, HasSubstr("[W] No engine is given, so nothing was run"));
}

TEST_F(Grammar, LinesTellWhereTheyComeFromIfAsked) {
  EXPECT_THAT(assay({"run", "neg.onnx", "--log-format", "line-info"}).output,
              ContainsRegex("\\[W\\] \\[cli/commands/run\\.cc:[0-9]+\\] No engine"));
}

TEST_F(Grammar, VerbosityMayDifferByPath) {
  const auto output = [&](const Words& levels) {
    Words words = {"run", "neg.onnx", "--verbosity"};
    words.insert(words.end(), levels.begin(), levels.end());
    return assay(words).output;
  };
  EXPECT_THAT(output({"error", "cli/commands:warning"}), AllOf(HasSubstr("No engine"), Not(HasSubstr("RUNNING"))));
  EXPECT_THAT(output({"info", "cli/commands/run.cc:error"}), AllOf(Not(HasSubstr("No engine")), HasSubstr("RUNNING")));
  EXPECT_THAT(output({"INFO", "backend/trt:VERBOSE"}), HasSubstr("No engine"));
  EXPECT_THAT(output({"backend:loud"}), HasSubstr("'loud' is not a log level"));
}

TEST_F(Grammar, VersionListsEachEngineOnce) {
  const std::string packages = "python/lib/python3.11/site-packages/onnxruntime/capi/";
  write(packages + "libonnxruntime.so.1.22.0", "");
  write("libonnxruntime.so.1.21.0", "");
  environment_ = {{"VIRTUAL_ENV", path("python").string()},
                  {"ASSAY_ONNXRUNTIME_LIB", path("libonnxruntime.so.1.21.0").string()}};
  const Finished version = assay({"--version"});
  EXPECT_EQ(version.status, 0);
  int engines = 0;
  for (const std::string& line : base::split(version.output, '\n')) engines += line.starts_with("onnxruntime ") ? 1 : 0;
  EXPECT_EQ(engines, 1) << version.output;
  EXPECT_THAT(version.output, HasSubstr("onnxruntime 1.21.0"));
  environment_["ASSAY_ONNXRUNTIME_LIB"] = "/nonexistent";
  EXPECT_THAT(assay({"--version"}).output,
              HasSubstr("onnxruntime ? (there is no ONNX Runtime at /nonexistent (in ASSAY_ONNXRUNTIME_LIB)."));
}

TEST_F(Grammar, ErrorsAreJsonIfTheOutputIs) {
  const std::string words = " run neg.onnx --onnxrt --load-inputs nothing.json --format json 2> log.txt";
  const Finished failed = run({"sh", "-c", with_program({})[0] + words});
  EXPECT_EQ(failed.status, 1);
  const auto document = nlohmann::json::parse(failed.output);
  EXPECT_EQ(document.at("error").at("kind"), "not_found");
  EXPECT_EQ(document.at("error").at("where"), "nothing.json");
  EXPECT_THAT(read("log.txt"), HasSubstr("[E] "));
}

TEST_F(GrammarWithEngine, RefusedModelsAreErrorsInJson) {
  write_model("refused.onnx", R"(<ir_version: 8, opset_import: ["" : 13, "my.domain" : 1]>
    g (float[2] x) => (float[2] y) { y = my.domain.Unheard(x) })");
  const std::string words = " run refused.onnx --onnxrt --refused-code 125 --format json 2> log.txt";
  const Finished refused = run({"sh", "-c", with_program({})[0] + words});
  EXPECT_EQ(refused.status, 125);
  EXPECT_EQ(nlohmann::json::parse(refused.output).at("error").at("kind"), "engine");
}

TEST_F(GrammarWithEngine, NoIterationsLoadTheEnginesAndRunNothing) {
  const Words words = {"run", "neg.onnx", "--onnxrt", "--onnxrt", "--iterations", "0"};
  const Finished finished = assay(words);
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(finished.output, Not(HasSubstr("Outputs: y")));
  write("neg.onnx", "no model");
  EXPECT_EQ(assay(words).status, 1);
}

TEST_F(GrammarWithEngine, WhatExistsDecidesBetweenAFileAndAFolder) {
  write("file", "");
  write("inputs", "");
  fs::create_directory(path("folder"));
  EXPECT_EQ(assay({"run", "neg.onnx", "--onnxrt", "--save-outputs", "file", "--save-inputs", "inputs"}).status, 0);
  EXPECT_EQ(assay({"run", "neg.onnx", "--onnxrt", "--save-outputs", "folder", "--save-inputs", "new"}).status, 0);
  EXPECT_EQ(nlohmann::json::parse(read("file")).at("lst").size(), 1U);
  EXPECT_EQ(nlohmann::json::parse(read("inputs")).size(), 1U);
  EXPECT_THAT(files(), AllOf(Contains("folder/0000000000.json"), Contains("new/0000000000.json")));
  EXPECT_EQ(assay({"data", "concat", "inputs", "new", "-o", "both"}).status, 0);
  EXPECT_EQ(nlohmann::json::parse(read("both")).size(), 2U);
  EXPECT_EQ(assay({"run", "neg.onnx", "--onnxrt", "--load-inputs", "both", "--load-outputs", "file"}).status, 0);
}

TEST_F(GrammarWithEngine, ResultsOfOneRunAreNotCompared) {
  ASSERT_EQ(assay({"run", "neg.onnx", "--onnxrt", "--save-outputs", "out.json"}).status, 0);
  const Finished one = assay({"run", "--load-outputs", "out.json"});
  EXPECT_EQ(one.status, 0) << one.output;
  EXPECT_THAT(one.output, HasSubstr("[W] Only one run's results are given, so nothing is compared"));
  const Words validate = {"run", "--load-outputs", "out.json", "--validate"};
  EXPECT_THAT(assay(validate).output, Not(HasSubstr("nothing is compared")));
}

TEST_F(GrammarWithEngine, CheckAccuracyWithoutAQuestionPasses) {
  ASSERT_EQ(assay({"run", "neg.onnx", "--onnxrt", "--onnxrt", "--save-accuracy-results", "accuracy"}).status, 0);
  const Finished nothing = assay({"check", "accuracy", "accuracy"});
  EXPECT_EQ(nothing.status, 0) << nothing.output;
  EXPECT_THAT(nothing.output, HasSubstr("[W] Nothing was judged"));
  EXPECT_EQ(assay({"check", "accuracy", "accuracy", "--check-error-stat", "max"}).status, 0);
  EXPECT_EQ(assay({"check", "accuracy", "accuracy", "--compare", "l2"}).status, 1) << "the file has no such results";
}

TEST_F(GrammarWithEngine, CheckAccuracyPrintsJson) {
  ASSERT_EQ(assay({"run", "neg.onnx", "--onnxrt", "--onnxrt", "--iterations", "2", "--compare", "l2",
                   "cosine_similarity", "--save-accuracy-results", "a.json"})
                .status,
            0);
  const auto judged = [&](const Words& more, int status) {
    Words words = {"check", "accuracy", "a.json", "--format", "json", "--verbosity", "critical"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = assay(words);
    EXPECT_EQ(finished.status, status) << finished.output;
    return nlohmann::json::parse(finished.output);
  };
  const auto saved = judged({}, 0);
  EXPECT_TRUE(saved.at("passed").is_null());
  EXPECT_EQ(saved.at("comparisons").size(), 2U);
  const auto failing = judged({"--compare", "cosine_similarity", "--cosine-similarity-threshold", "1.5"}, 1);
  EXPECT_EQ(failing.at("passed"), false);
  ASSERT_EQ(failing.at("comparisons").size(), 1U);
  const auto& outputs = failing.at("comparisons")[0].at("outputs");
  ASSERT_EQ(outputs.size(), 2U) << "one for each iteration";
  EXPECT_EQ(outputs[1].at("iteration"), 1);
  EXPECT_EQ(outputs[1].at("thresholds").at("cosine_similarity_threshold"), 1.5);
  EXPECT_EQ(judged({"--compare", "psnr"}, 1).at("error").at("kind"), "not_found");
}

TEST_F(GrammarWithEngine, CheckAccuracyNamesSavedComparisonsThatItDoesNotJudge) {
  const auto save = [&](const std::string& first, const std::string& second) {
    return assay(
        {"run", "neg.onnx", "--onnxrt", "--onnxrt", "--save-accuracy-results", "a.json", "--compare", first, second});
  };
  ASSERT_EQ(save("l2", "cosine_similarity").status, 0);
  EXPECT_THAT(assay({"check", "accuracy", "a.json"}).output,
              HasSubstr("[W] Nothing was judged, since no option says how. Name the saved comparisons, as in --compare "
                        "l2 cosine_similarity"));
  ASSERT_EQ(save("simple", "l2").status, 0);
  EXPECT_THAT(assay({"check", "accuracy", "a.json", "--check-error-stat", "max"}).output,
              HasSubstr("[W] Other saved comparisons weren't judged; to judge them, add --compare l2"));
  EXPECT_THAT(assay({"check", "accuracy", "a.json", "--compare", "simple", "--check-error-stat", "max"}).output,
              Not(HasSubstr("Other saved comparisons")));
}

TEST_F(Grammar, DataOptionsThatHaveNoEffectAreMentioned) {
  for (const std::string command : {"sanitize", "extract"}) {
    const Finished finished =
        assay({"surgeon", command, "neg.onnx", "-o", "out.onnx", "--seed", "5", "--load-inputs", "missing.json"});
    EXPECT_EQ(finished.status, 0) << finished.output;
    EXPECT_THAT(finished.output,
                AllOf(HasSubstr("[W] --seed has no effect"), HasSubstr("[W] --load-inputs has no effect")));
  }
  EXPECT_THAT(assay({"surgeon", "extract", "neg.onnx", "-o", "out.onnx", "--model-inputs", "nope:[1]"}).output,
              HasSubstr("[W] --model-input-shapes has no effect"));
  EXPECT_THAT(assay({"run", "neg.onnx", "--load-inputs", "in.json", "--onnx-outputs", "y"}).output,
              AllOf(HasSubstr("[W] --load-inputs has no effect: no engine runs"),
                    HasSubstr("[W] --onnx-outputs has no effect: no engine runs")));
  write_inputs("in.json", {named({{"x", floats({2}, {1, 2})}})});
  const auto inspect = [&](const Words& options) {
    Words words = {"inspect", "data", "in.json", "-s", "--format", "json", "--line-width", "40", "-n"};
    words.insert(words.end(), options.begin(), options.end());
    const Finished finished = assay(words);
    EXPECT_EQ(finished.status, 0) << finished.output;
    return finished.output;
  };
  EXPECT_THAT(inspect({"5"}), AllOf(HasSubstr("[W] --num-items has no effect with --format json"),
                                    HasSubstr("[W] --line-width has no effect with --format json")));
  EXPECT_THAT(inspect({"-1"}), AllOf(Not(HasSubstr("--num-items has")), HasSubstr("[W] --line-width has no effect")));
}

TEST_F(GrammarWithEngine, ThresholdsOfOtherComparisonsAreMentioned) {
  for (const Words& command : {Words{"run", "neg.onnx", "--onnxrt"},
                               {"debug", "locate", "neg.onnx", "--onnxrt", "--onnxrt"},
                               {"debug", "optimizers", "neg.onnx", "--onnxrt"},
                               {"debug", "precision", "neg.onnx", "--onnxrt"},
                               {"check", "accuracy", "missing.json"},
                               {"diagnose", "neg.onnx", "--onnxrt", "--skip", "compare", "settings"}}) {
    Words words = command;
    words.insert(words.end(), {"--l2-threshold", "1"});
    EXPECT_THAT(assay(words).output, HasSubstr("[W] --l2-threshold has no effect: it needs --compare l2"));
  }
}

TEST_F(GrammarWithEngine, HowToSaveNothingIsMentioned) {
  const Words how = {"--save-external-data", "w.bin", "--external-data-size-threshold", "1",
                     "--no-save-all-tensors-to-one-file"};
  const std::vector<std::pair<Words, std::string>> commands = {
      {{"run", "neg.onnx", "--onnxrt"}, "--save-onnx"},
      {{"debug", "locate", "neg.onnx", "--onnxrt", "--onnxrt"}, "-o"},
      {{"debug", "precision", "neg.onnx", "--onnxrt"}, "-o"},
      {{"convert", "neg.onnx", "-o", "neg.plan"}, "an ONNX output"}};
  for (const auto& [command, option] : commands) {
    Words words = command;
    words.insert(words.end(), how.begin(), how.end());
    const std::string output = assay(words).output;
    for (const std::string name :
         {"--save-external-data", "--external-data-size-threshold", "--no-save-all-tensors-to-one-file"}) {
      EXPECT_THAT(output, HasSubstr("[W] " + name + " has no effect without " + option + ": no model is saved"));
    }
  }
  EXPECT_THAT(
      assay({"run", "neg.onnx", "--onnxrt", "--save-onnx", "saved.onnx", "--save-external-data", "w.bin"}).output,
      Not(HasSubstr("has no effect")));
}

TEST_F(GrammarWithEngine, WhatAScriptReplacesIsMentioned) {
  const Finished compared = assay({"run", "neg.onnx", "--onnxrt", "--onnxrt", "--compare-func-script", "compare.py",
                                   "--compare", "l2", "--psnr-threshold", "1", "--no-shape-check",
                                   "--nans-compare-equal", "--show-heatmaps", "--fail-fast", "--postprocess", "top-1"});
  for (const std::string option :
       {"--compare", "--psnr-threshold", "--no-shape-check", "--nans-compare-equal", "--show-heatmaps"}) {
    EXPECT_THAT(compared.output, HasSubstr("[W] " + option + " has no effect: --compare-func-script compares instead"));
  }
  EXPECT_THAT(compared.output, AllOf(Not(HasSubstr("--fail-fast has")), Not(HasSubstr("--postprocess has")),
                                     Not(HasSubstr("it needs --compare"))));
  EXPECT_THAT(assay({"run", "neg.onnx", "--onnxrt", "--onnxrt", "--postprocess-func-script", "change.py",
                     "--postprocess", "top-1", "--atol", "1"})
                  .output,
              AllOf(HasSubstr("[W] --postprocess has no effect: --postprocess-func-script changes the results instead"),
                    Not(HasSubstr("--atol has"))));
}

TEST_F(GrammarWithEngine, AnOptionWithAnEqualsSignTakesOneValue) {
  for (const Words& words : {Words{"run", "--onnx-outputs=y", "neg.onnx", "--onnxrt", "--val-range=[0,1]"},
                             {"debug", "locate", "--onnxrt", "--onnxrt", "--val-range=x:[0,1]", "neg.onnx"}}) {
    const Finished finished = assay(words);
    EXPECT_EQ(finished.status, 0) << finished.output;
  }
}

TEST_F(Grammar, TheHelpOfIterationsOnlyPromisesWhatIsPossible) {
  for (const Words& command :
       {Words{"check", "lint"}, {"debug", "reduce"}, {"surgeon", "extract"}, {"surgeon", "sanitize"}}) {
    EXPECT_THAT(assay({command[0], command[1], "--help"}).output, Not(HasSubstr("only load the model")));
  }
  EXPECT_THAT(assay({"run", "--help"}).output, HasSubstr("only load the model"));
}

TEST_F(Grammar, AnUnknownWordOfAListIsAUsageError) {
  const Finished function = assay({"run", "neg.onnx", "--onnxrt", "--compare", "foo"});
  EXPECT_EQ(function.status, 2);
  EXPECT_THAT(function.output, AllOf(HasSubstr("--compare must be one of simple, "), HasSubstr("but is foo")));
  const Finished word = assay({"run", "neg.onnx", "--onnxrt", "--check-error-stat", "y:foo"});
  EXPECT_EQ(word.status, 2);
  EXPECT_THAT(word.output, HasSubstr("--check-error-stat must be one of elemwise, "));
  for (const Words& command : {Words{"run"}, {"check", "lint"}}) {
    Words words = command;
    words.insert(words.end(), {"neg.onnx", "--graph-optimization-level", "FAST"});
    const Finished level = assay(words);
    EXPECT_EQ(level.status, 2);
    EXPECT_THAT(level.output, AllOf(HasSubstr("--graph-optimization-level must be one of ORT_DISABLE_ALL, "),
                                    HasSubstr("but is FAST")));
  }
  const Finished sources = assay({"run", "neg.onnx", "--trt", "--tactic-sources", "cudnn", "foo"});
  EXPECT_EQ(sources.status, 2);
  EXPECT_THAT(sources.output, AllOf(HasSubstr("--tactic-sources must be one of CUBLAS, "), HasSubstr("but is foo")));
}

TEST_F(Grammar, AWrongSizeIsAUsageError) {
  for (const Words& command : {Words{"surgeon", "extract", "neg.onnx", "-o", "out.onnx"},
                               {"surgeon", "sanitize", "neg.onnx", "-o", "out.onnx"},
                               {"check", "lint", "neg.onnx"}}) {
    Words words = command;
    words.insert(words.end(), {"--engine-memory", "lots"});
    const Finished finished = assay(words);
    EXPECT_EQ(finished.status, 2);
    EXPECT_THAT(finished.output,
                HasSubstr("--engine-memory must be a size above 0, such as 512M or 4G, but is lots\n"));
  }
}

TEST_F(Grammar, AttributesAreShownWithLayersOnly) {
  EXPECT_THAT(assay({"inspect", "model", "neg.onnx", "--show", "attrs"}).output,
              HasSubstr("[W] --show attrs has no effect without --show layers"));
  EXPECT_THAT(assay({"inspect", "model", "neg.onnx", "--show", "attrs", "layers"}).output, Not(HasSubstr("[W]")));
}

}  // namespace
}  // namespace assay::e2e
