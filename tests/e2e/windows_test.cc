// assay run with many marked tensors: windows, failures within one, saved files, the table of layers.
#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "data/run_results.h"
#include "tests/e2e/workspace.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Six tensors of 4 KiB each.
constexpr auto kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1024] x) => (float[1024] f) {
    a = Neg(x) b = Abs(a) c = Exp(b) d = Neg(c) e = Add(d, x) f = Mul(e, c)
  })";
// Only a run shows that i is out of range.
constexpr auto kBreaks = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[8] x) => (float[1] e) {
    a = Neg(x) b = Abs(a) n = ReduceSum<keepdims = 0>(b) i = Cast<to = 7>(n) c = Gather(b, i) d = Neg(c) s = Exp(a)
    e = Add(d, s)
  })";

class WindowsTest : public EngineWorkspace {
 protected:
  [[nodiscard]] data::RunResults results(const std::string& name) const {
    auto loaded = data::load_run_results(path(name));
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message());
    return loaded ? *std::move(loaded) : data::RunResults();
  }
  static void expect_same(const data::RunResults& found, const data::RunResults& expected) {
    ASSERT_EQ(found.runners.size(), expected.runners.size());
    for (std::size_t r = 0; r < found.runners.size(); ++r) {
      const auto& iterations = found.runners[r].iterations;
      ASSERT_EQ(iterations.size(), expected.runners[r].iterations.size());
      for (std::size_t i = 0; i < iterations.size(); ++i) {
        const tensor::NamedTensors& wanted = expected.runners[r].iterations[i].outputs;
        ASSERT_EQ(iterations[i].outputs.names(), wanted.names());
        for (const auto& [name, tensor] : wanted) {
          EXPECT_TRUE(tensor::identical(*iterations[i].outputs.find(name), tensor)) << name;
        }
      }
    }
  }
};

TEST_F(WindowsTest, GiveExactlyWhatOneRunGives) {
  // Without optimisations, which fuse nodes whose outputs aren't marked.
  const std::string model = (test::models_dir() / "light_squeezenet.onnx").string();
  const Words command = {"run",
                         model,
                         "--onnxrt",
                         "--onnxrt",
                         "--onnx-outputs",
                         "mark",
                         "all",
                         "--iterations",
                         "2",
                         "--graph-optimization-level",
                         "ORT_DISABLE_ALL",
                         "--save-outputs"};
  const auto with = [&](const Words& more) {
    Words words = command;
    words.insert(words.end(), more.begin(), more.end());
    return assay(words);
  };
  const Finished whole = with({"whole.json"});
  ASSERT_EQ(whole.status, 0) << whole.output;
  EXPECT_THAT(whole.output, AllOf(Not(HasSubstr("Window 1")), HasSubstr("agree")));
  const Finished parts = with({"parts.json", "--memory-budget", "30M"});
  ASSERT_EQ(parts.status, 0) << parts.output;
  EXPECT_THAT(parts.output, AllOf(HasSubstr("windows: the memory budget of 30.0 MiB"), HasSubstr("Window 2 of ")));
  EXPECT_THAT(parts.output, HasSubstr("2 of 2 iterations agree"));
  expect_same(results("parts.json"), results("whole.json"));
  ASSERT_EQ(with({"folder", "--memory-budget", "30M"}).status, 0);
  expect_same(results("folder"), results("whole.json"));
}

TEST_F(WindowsTest, ComparesWithSavedResultsWithoutHoldingThem) {
  write_model("m.onnx", kChain);
  const Words run = {"run", "m.onnx", "--onnxrt", "--onnx-outputs", "*", "--memory-budget", "16K"};
  Words save = run;
  save.insert(save.end(), {"--save-outputs", "golden.json"});
  ASSERT_EQ(assay(save).status, 0);
  Words against = run;
  against.insert(against.end(), {"--load-outputs", "golden.json"});
  const Finished same = assay(against);
  EXPECT_EQ(same.status, 0) << same.output;
  EXPECT_THAT(same.output, AllOf(HasSubstr("in 6 windows"), HasSubstr("all 6 agree")));

  data::RunResults golden = results("golden.json");
  tensor::NamedTensors& outputs = golden.runners[0].iterations[0].outputs;
  for (const char* name : {"c", "d"}) outputs.set(name, floats({1024}, std::vector<float>(1024, 7)));
  ASSERT_TRUE(data::save_run_results(path("golden.json"), golden));
  const Finished other = assay(against);
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.output, AllOf(HasSubstr("2 of 6 differ"), HasSubstr("The first is 'c', Exp"),
                                  HasSubstr("born there"), HasSubstr("debug locate m.onnx")));

  const Finished saved = assay({"run", "--load-outputs", "golden.json", "golden.json", "--memory-budget", "20K"});
  EXPECT_EQ(saved.status, 0) << saved.output;
  EXPECT_THAT(saved.output, HasSubstr("in 3 windows"));
}

// The verdict, with budgets from one tensor at a time to everything at once.
class VerdictTest : public WindowsTest {
 protected:
  // Runs the command with several budgets, and expects the same status of all. Returns the output of the last one,
  // which runs in one window.
  std::string same_for_all_budgets(const Words& words, int status) {
    std::string output;
    for (const char* budget : {"4K", "16K", "50K", "100K", "1G"}) {
      Words command = words;
      command.insert(command.end(), {"--memory-budget", budget});
      const Finished finished = assay(command);
      EXPECT_EQ(finished.status, status) << budget << finished.output;
      output = finished.output;
    }
    EXPECT_THAT(output, Not(HasSubstr("Window 1")));
    return output;
  }
  // Saves tensors of 1024 times one value each, by iteration, as NAME.json.
  void save(const std::string& name, const std::vector<std::vector<std::pair<std::string, float>>>& iterations) {
    data::RunResults saved;
    data::RunnerResults& runner = saved.runners.emplace_back(data::RunnerResults{name, {}});
    for (const auto& values : iterations) {
      data::IterationResult& result = runner.iterations.emplace_back();
      result.runner = name;
      for (const auto& [tensor, value] : values) {
        result.outputs.set(tensor, floats({1024}, std::vector<float>(1024, value)));
      }
    }
    ASSERT_TRUE(data::save_run_results(path(name + ".json"), saved));
  }
};

TEST_F(VerdictTest, TensorsThatSavedResultsLackAreNotCompared) {
  write_model("m.onnx", kChain);
  ASSERT_EQ(assay({"run", "m.onnx", "--onnxrt", "--iterations", "2", "--save-outputs", "golden.json"}).status, 0);
  const Words marked = {"run",          "m.onnx", "--onnxrt",       "--onnx-outputs", "*",
                        "--iterations", "2",      "--load-outputs", "golden.json"};
  EXPECT_THAT(same_for_all_budgets(marked, 0), HasSubstr("2 of 2 iterations agree"));

  data::RunResults golden = results("golden.json");
  golden.runners[0].iterations[1].outputs.set("f", floats({1024}, std::vector<float>(1024, 7)));
  ASSERT_TRUE(data::save_run_results(path("golden.json"), golden));
  EXPECT_THAT(same_for_all_budgets(marked, 1), HasSubstr("1 of 2 iterations agree"));
  // Nothing is left to compare.
  for (data::IterationResult& iteration : golden.runners[0].iterations) iteration.outputs = {};
  ASSERT_TRUE(data::save_run_results(path("golden.json"), golden));
  EXPECT_THAT(same_for_all_budgets(marked, 1), HasSubstr("0 of 2 iterations agree"));
}

TEST_F(VerdictTest, SavedResultsAreComparedInTensorsThatTheFirstRunLacks) {
  save("a", {{{"f", 0}, {"g", 0}}});
  save("b", {{{"f", 0}, {"g", 0}, {"t", 0}}});
  save("c", {{{"t", 1}, {"f", 0}, {"g", 0}}});
  EXPECT_THAT(same_for_all_budgets({"run", "--load-outputs", "a.json", "b.json", "c.json"}, 1),
              HasSubstr("PASSED | a and b"));
  same_for_all_budgets({"run", "--load-outputs", "a.json", "b.json", "b.json"}, 0);
  // The first run can also be an engine whose model has no t.
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1024] x) => (float[1024] f, float[1024] g) { f = Sub(x, x) e = Neg(f) g = Add(f, e) })");
  same_for_all_budgets({"run", "m.onnx", "--onnxrt", "--onnx-outputs", "*", "--load-outputs", "b.json", "c.json"}, 1);
  same_for_all_budgets({"run", "m.onnx", "--onnxrt", "--onnx-outputs", "*", "--load-outputs", "b.json", "b.json"}, 0);
}

TEST_F(VerdictTest, IterationsMayHaveOtherOutputs) {
  save("a", {{{"f", 0}, {"g", 0}}, {{"f", 0}, {"t", 0}}, {{"t", 0}}});
  save("b", {{{"f", 0}, {"g", 0}}, {{"t", 0}}, {{"t", 1}}});
  EXPECT_THAT(same_for_all_budgets({"run", "--load-outputs", "a.json", "b.json"}, 1),
              HasSubstr("2 of 3 iterations agree"));
  save("c", {{{"f", 0}}, {}});
  EXPECT_THAT(same_for_all_budgets({"run", "--load-outputs", "a.json", "c.json"}, 1),
              HasSubstr("1 of 2 iterations agree"));
}

TEST_F(VerdictTest, OutputsOfOtherNamesAreMatchedOnce) {
  // p and q are matched by their positions, A and A1 by their names; r has no partner.
  save("a", {{{"A", 1}, {"b", 2}, {"p", 3}, {"r", 9}}});
  save("b", {{{"b", 2}, {"x", 8}, {"q", 3}, {"A1", 1}}});
  EXPECT_THAT(same_for_all_budgets({"run", "--load-outputs", "a.json", "b.json"}, 0),
              HasSubstr("All outputs agree (3)"));
  save("b", {{{"b", 2}, {"x", 8}, {"q", 4}, {"A1", 1}}});
  EXPECT_THAT(same_for_all_budgets({"run", "--load-outputs", "a.json", "b.json"}, 1),
              HasSubstr("Outputs that differ: [\"p\"]"));
}

TEST_F(VerdictTest, OutputsWithoutAPartnerAreValidated) {
  save("a", {{{"f", 0}, {"g", 0}}});
  save("b", {{{"f", 0}, {"g", 0}, {"t", std::numeric_limits<float>::infinity()}}});
  same_for_all_budgets({"run", "--load-outputs", "a.json", "b.json", "--validate"}, 1);
  same_for_all_budgets({"run", "--load-outputs", "a.json", "b.json"}, 0);
}

TEST_F(WindowsTest, SizesThatOnlyRunningTellsAreFound) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N] x) => (int64[1, M] n) { a = Neg(x) n = NonZero(a) b = Cast<to = 1>(n) c = Exp(b) })");
  const Finished finished = assay({"run", "m.onnx", "--onnxrt", "--onnx-outputs", "*", "--memory-budget", "1M",
                                   "--input-shapes", "x:[100000]", "--save-outputs", "o.json"});
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_THAT(finished.output, AllOf(HasSubstr("the sizes of 3 of 4 tensors"), HasSubstr("in 4 windows")));
  EXPECT_EQ(results("o.json").runners.at(0).iterations.at(0).outputs.size(), 4U);
}

TEST_F(WindowsTest, TheTensorThatFailsIsFoundAndTheOthersAreKept) {
  write_model("m.onnx", kBreaks);
  write_inputs("in.json", {named({{"x", floats({8}, {5, 5, 5, 5, 5, 5, 5, 5})}})});
  for (const char* budget : {"1G", "64"}) {
    const Finished finished = assay({"run", "m.onnx", "--onnxrt", "--load-inputs", "in.json", "--onnx-outputs", "*",
                                     "--memory-budget", budget, "--save-outputs", "o.json"});
    EXPECT_EQ(finished.status, 1);
    EXPECT_THAT(finished.output,
                AllOf(HasSubstr("Tensor 'c' is unavailable"), HasSubstr("indices element out of data")));
    EXPECT_THAT(results("o.json").runners.at(0).iterations.at(0).outputs.names(), ElementsAre("a", "b", "n", "i", "s"));
  }
  // A single tensor that fails is an error, and nothing is saved.
  EXPECT_EQ(assay({"run", "m.onnx", "--onnxrt", "--load-inputs", "in.json", "--save-outputs", "p.json"}).status, 1);
  EXPECT_FALSE(std::filesystem::exists(path("p.json")));
}

TEST_F(WindowsTest, AnEngineThatCrashesOverATensorLosesNoOthers) {
  const std::string python = test::fetched_python();
  if (python.empty()) GTEST_SKIP() << test::kNoPython;
  write_model("m.onnx", kChain);
  write("engine.py", R"(
import os, signal
def load(path):
    return open(path, "rb").read()
def infer(model, feeds, wanted):
    if b"Exp" in model:
        os.kill(os.getpid(), signal.SIGSEGV)
    return {name: feeds["x"] for name in wanted}
)");
  const Finished finished = assay({"run", "m.onnx", "--python", "engine.py", "--python-interpreter", python,
                                   "--onnx-outputs", "*", "--memory-budget", "24K", "--save-outputs", "o.json"});
  EXPECT_EQ(finished.status, 1) << finished.output;
  EXPECT_THAT(finished.output, AllOf(HasSubstr("Tensor 'c' is unavailable"), HasSubstr("signal 11")));
  EXPECT_THAT(results("o.json").runners.at(0).iterations.at(0).outputs.names(), ElementsAre("a", "b"));
}

TEST_F(WindowsTest, ProgramsGetOneJsonDocument) {
  write_model("m.onnx", kChain);
  const Finished finished = run({"sh", "-c",
                                 "\"$0\" run m.onnx --onnxrt --onnxrt --onnx-outputs '*' --format json "
                                 "--memory-budget 32K 2>/dev/null",
                                 with_program({})[0]});
  EXPECT_EQ(finished.status, 0);
  const auto document = nlohmann::json::parse(finished.output, nullptr, false);
  ASSERT_TRUE(document.is_object()) << finished.output;
  EXPECT_EQ(document["passed"], true);
  EXPECT_EQ(document["windows"], 3);
  const auto& tensors = document["layers"][0]["tensors"];
  ASSERT_EQ(tensors.size(), 6U);
  EXPECT_EQ(tensors[2]["tensor"], "c");
  EXPECT_EQ(tensors[2]["op_type"], "Exp");
  EXPECT_EQ(tensors[2]["error"], 0.0);
}

TEST_F(WindowsTest, TheTableOfLayersIsLongOrLeftOut) {
  write_model("m.onnx", kChain);
  const auto output = [&](const Words& options) {
    Words command = {"run", "m.onnx", "--onnxrt", "--onnxrt"};
    command.insert(command.end(), options.begin(), options.end());
    const Finished finished = assay(command);
    EXPECT_EQ(finished.status, 0) << finished.output;
    return finished.output;
  };
  constexpr auto kTitle = "Layers of onnxrt N0 and onnxrt N1";
  constexpr auto kRow = "c       Exp (#2)";
  EXPECT_THAT(output({}), Not(HasSubstr(kTitle)));
  EXPECT_THAT(output({"--layers", "all"}), AllOf(HasSubstr(kTitle), HasSubstr("f       Mul (#5)")));
  EXPECT_THAT(output({"--onnx-outputs", "*"}), AllOf(HasSubstr(kTitle), Not(HasSubstr(kRow))));
  EXPECT_THAT(output({"--onnx-outputs", "*", "--layers", "all"}), AllOf(HasSubstr(kTitle), HasSubstr(kRow)));
  EXPECT_THAT(output({"--onnx-outputs", "*", "--layers", "none"}), Not(HasSubstr(kTitle)));
}

TEST_F(WindowsTest, NamesComeFromFiles) {
  write_model("m.onnx", kChain);
  write("names.txt", "# what we look at\n\n  d \nc\r\n[ab]\n");
  const auto outputs = [&](const Words& words) {
    Words command = {"run", "m.onnx", "--onnxrt", "--save-outputs", "o.json"};
    command.insert(command.end(), words.begin(), words.end());
    const Finished finished = assay(command);
    EXPECT_EQ(finished.status, 0) << finished.output;
    return results("o.json").runners.at(0).iterations.at(0).outputs.names();
  };
  EXPECT_THAT(outputs({"--onnx-outputs", "@names.txt"}), ElementsAre("d", "c", "a", "b"));
  EXPECT_THAT(outputs({"--onnx-outputs", "*", "--onnx-exclude-outputs", "@names.txt"}), ElementsAre("e", "f"));
  EXPECT_THAT(outputs({"--onnx-outputs-by-type", "exp", "float64", "neg"}), ElementsAre("c", "a", "d"));

  write("empty.txt", "# nothing\n");
  write("wrong.txt", "a\nnope\n");
  const auto error = [&](const std::string& file) {
    const Finished finished = assay({"run", "m.onnx", "--onnxrt", "--onnx-outputs", "@" + file});
    EXPECT_EQ(finished.status, 1);
    return finished.output;
  };
  EXPECT_THAT(error("empty.txt"), HasSubstr("the file contains no names"));
  EXPECT_THAT(error("wrong.txt"), HasSubstr("no such tensor: nope"));
  EXPECT_THAT(error("m.onnx"),
              AllOf(HasSubstr("a file of names, one per line, and it isn't text"), Not(HasSubstr("Exp"))));
  EXPECT_THAT(error("none.txt"), AllOf(HasSubstr("none.txt"), HasSubstr("one per line")));
}

// Two runs return 64 tensors of 4 MiB each.
TEST_F(WindowsTest, TheBudgetBoundsTheMemory) {
  std::string nodes;
  for (int i = 1; i <= 64; ++i) nodes += " t" + std::to_string(i) + " = Neg(t" + std::to_string(i - 1) + ")";
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1048576] t0) => (float[1048576] t64) {)" +
                            nodes + " }");
  const auto memory = [this](const std::string& budget) {
    const Finished finished =
        assay({"run", "m.onnx", "--onnxrt", "--onnxrt", "--onnx-outputs", "*", "--memory-budget", budget});
    EXPECT_EQ(finished.status, 0) << finished.output;
    return finished.max_rss;
  };
  EXPECT_LT(memory("32M") + (std::uint64_t{100} << 20), memory("1G"));
}

TEST_F(WindowsTest, ABudgetThatMakesNoSenseIsRefused) {
  write_model("m.onnx", kChain);
  for (const char* budget : {"0", "much", "-1"}) {
    const Finished finished =
        assay({"run", "m.onnx", "--onnxrt", "--onnx-outputs", "*", std::string("--memory-budget=") + budget});
    EXPECT_EQ(finished.status, 2) << budget;
    EXPECT_THAT(finished.output, HasSubstr("--memory-budget must be a size above 0, such as ")) << budget;
  }
}

TEST_F(WindowsTest, PolygraphyReadsWhatWindowsSaved) {
  const std::string python = test::fetched_python();
  if (python.empty()) GTEST_SKIP() << test::kNoPython;
  write_model("m.onnx", kChain);
  for (const char* name : {"out.json", "out"}) {
    ASSERT_EQ(assay({"run", "m.onnx", "--onnxrt", "--onnxrt", "--onnx-outputs", "*", "--iterations", "2",
                     "--memory-budget", "32K", "--save-inputs", std::string("in_") + name, "--save-outputs", name})
                  .status,
              0);
    const std::string polygraphy = (std::filesystem::path(python).parent_path() / "polygraphy").string();
    const Finished compared = run({polygraphy, "run", "m.onnx", "--onnxrt", "--onnx-outputs", "*", "--load-inputs",
                                   std::string("in_") + name, "--load-outputs", name});
    EXPECT_EQ(compared.status, 0) << compared.output;
    EXPECT_THAT(compared.output, HasSubstr("PASSED"));
  }
}

}  // namespace
}  // namespace assay::e2e
