#include "cli/checks/check_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "base/files.h"
#include "base/temp_dir.h"
#include "cli/context/built_installation_test_support.h"
#include "model/load.h"
#include "model/save.h"
#include "tensor/npz.h"
#include "tests/support/paths.h"
#include "worker/process_tree.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kAdd = R"(<ir_version: 8, opset_import: ["" : 13]>
g (float[2] x) => (float[2] y) { y = Add(x, x) })";

// Runs for days.
constexpr const char* kLong = R"(<ir_version: 8, opset_import: ["" : 13]>
g (float[2] x) => (float[2] y) {
  n = Constant<value = int64 {1000000000000}>()
  c = Constant<value = bool {1}>()
  y = Loop<body = b (int64 i, bool go, float[2] s) => (bool on, float[2] t) { on = Identity(go) t = Add(s, s) }>(n, c, x)
})";

class Runner : public testing::Test {
 protected:
  std::string model(const std::string& name, const char* text) const {
    const fs::path path = dir_.path() / name;
    EXPECT_TRUE(model::save(model::parse_text(text).value(), path));
    return path.string();
  }
  worker::Outcome<worker::Exited> run(const Words& words, const base::Stop& stop) {
    return check_runner(installation_, pool_)({.argv = words, .environment = {{"ASSAY_MODEL", "x"}}, .folder = {}}, {},
                                              stop)
        .value()
        .outcome;
  }
  // Returns the processor time in seconds that living child processes have used.
  static double busy_children() {
    double seconds = 0;
    for (const pid_t pid : worker::tree_members(getpid())) {
      if (pid == getpid()) continue;
      const auto text = base::read_file("/proc/" + std::to_string(pid) + "/stat");
      if (!text) continue;
      unsigned long user = 0;
      const std::size_t close = text->rfind(')');
      if (std::sscanf(text->c_str() + close + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu", &user) == 1) {
        seconds += static_cast<double>(user) / static_cast<double>(sysconf(_SC_CLK_TCK));
      }
    }
    return seconds;
  }
  bool has_engine() const { return backend::find_onnxruntime(installation_.engines).has_value(); }

  base::TempDir dir_ = base::TempDir::create().value();
  base::Stop stop_;
  Installation installation_ = built_installation();
  worker::Pool pool_{{test::workers_dir()}, stop_};
};

TEST_F(Runner, RunsToolsThatMayCrashAsProcesses) {
  const std::string path = model("add.onnx", kAdd);
  const auto compared = run({"assay", "diff", path, path}, stop_);
  ASSERT_TRUE(compared);
  EXPECT_EQ(compared->code, 0) << compared->output;
}

TEST_F(Runner, KnowsCommandsThatCanJudgeNoModel) {
  const std::string path = model("add.onnx", kAdd);
  const auto runner = check_runner(installation_, pool_);
  const auto why = [&](const Words& options, const worker::Limits& limits = {}) {
    Words words{"assay", "run", path};
    words.insert(words.end(), options.begin(), options.end());
    return runner({.argv = words, .environment = {{"ASSAY_MODEL", path}}, .folder = {}}, limits, stop_)
        .value()
        .unusable;
  };
  EXPECT_THAT(why({"--onnxrt", "--no-such-option"}),
              testing::HasSubstr("there is no option --no-such-option (in the words of --check)"));
  EXPECT_THAT(why({"--onnxrt", "--iterations", "many"}), testing::HasSubstr("many"));
  EXPECT_THAT(why({"--onnxrt", "--onnxrt-lib", "/nowhere.so"}), testing::HasSubstr("/nowhere.so"));
  if (has_engine()) {
    EXPECT_THAT(why({"--onnxrt", "--onnxrt", "--atol", "y:abc"}), testing::HasSubstr("(in --atol)"));
  }
  EXPECT_THAT(why({"--onnxrt", "--onnxrt", "--atol", "y:1", "y:2"}), testing::HasSubstr("two values"));
  EXPECT_THAT(why({"--onnxrt", "--session-config", "key"}), testing::HasSubstr("(in --session-config)"));
  EXPECT_THAT(why({"--onnxrt", "--load-inputs", "nowhere.json"}), testing::HasSubstr("nowhere.json"));
  const std::string script = (dir_.path() / "data.py").string();
  ASSERT_TRUE(base::write_file(script, "raise ValueError('no such data')\n"));
  const worker::Limits as_process{.time_s = 60, .memory_bytes = {}};
  for (const worker::Limits& limits : {worker::Limits(), as_process}) {
    for (const Words& loader : {Words{"--data-loader-script", script}, Words{"--data-loader-script=" + script},
                                Words{"--data-loader-s", script}, Words{"--data-loader-scr=" + script}}) {
      Words options = {"--onnxrt", "--python-interpreter", "/bin/false"};
      options.insert(options.end(), loader.begin(), loader.end());
      EXPECT_THAT(why(options, limits), testing::HasSubstr(script + ":load_data"));
    }
  }
  const std::string damaged = (dir_.path() / "damaged.json").string();
  ASSERT_TRUE(base::write_file(damaged, "{"));
  for (const worker::Limits& limits : {worker::Limits(), as_process}) {
    for (const Words& data : {Words{"--load-inputs", damaged}, Words{"--load-in=" + damaged},
                              Words{"--load-outputs", damaged}, Words{"--load-results", dir_.path().string()}}) {
      Words options = {"--onnxrt"};
      options.insert(options.end(), data.begin(), data.end());
      EXPECT_THAT(why(options, limits), testing::HasSubstr("(in " + damaged + ")"));
    }
  }
  if (has_engine()) {
    const std::string other = (dir_.path() / "other.npz").string();
    tensor::NamedTensors values;
    values.set("other", tensor::Tensor::of<float>(tensor::ElementType::float32, {7}, std::vector<float>(7)));
    ASSERT_TRUE(tensor::write_npz(other, values));
    const auto lacks_data = testing::HasSubstr("there is no data for input 'x'");
    EXPECT_THAT(why({"--onnxrt", "--load-inputs", other}), lacks_data);
    EXPECT_THAT(why({"--onnxrt", "--load-inputs", other}, as_process), lacks_data);
  }
  EXPECT_THAT(why({"--onnxrt", "--iterations", "many"}, as_process), testing::HasSubstr("many"));
  // The two ways report the same.
  for (const Words& options : {Words{"--onnxrt", "--no-such-option"}, Words{"--onnxrt", "--onnxrt-lib", "/nowhere.so"},
                               Words{"--onnxrt", "--load-inputs", "nowhere.json"}}) {
    EXPECT_EQ(why(options, as_process), why(options));
  }
}

TEST_F(Runner, KnowsThatAMissingEngineCanJudgeNoModel) {
  const std::string path = model("add.onnx", kAdd);
  const auto why = [&](const Installation& installation) {
    return check_runner(installation, pool_)(
               {.argv = {"assay", "run", path, "--onnxrt"}, .environment = {}, .folder = {}}, {}, stop_)
        .value()
        .unusable;
  };
  Installation without = installation_;
  without.engines = {};
  EXPECT_THAT(why(without), testing::HasSubstr("ONNX Runtime was not found on this machine"));
  without.engines.libraries["onnxruntime"].variable = "/nowhere.so";
  EXPECT_THAT(why(without), testing::HasSubstr("/nowhere.so (in ASSAY_ONNXRUNTIME_LIB)"));
}

TEST_F(Runner, RecognisesAnEngineOfAProcessThatDoesNotStart) {
  const std::string library = (dir_.path() / "libonnxruntime.so").string();
  ASSERT_TRUE(base::write_file(library, "no library"));
  const Words words = {"assay", "run", model("add.onnx", kAdd), "--onnxrt", "--onnxrt-lib", library};
  const auto run = check_process_runner(installation_)(
      {.argv = words, .environment = {{"ASSAY_MODEL", "x"}}, .folder = {}}, {}, stop_);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->refused, "");
  EXPECT_THAT(run->unusable, testing::HasSubstr("the engine failed while starting"));
}

TEST_F(Runner, TakesNoFailureOfAModelForOneOfAllModels) {
  if (!has_engine()) GTEST_SKIP() << "no ONNX Runtime on this machine";
  const std::string refused = model("refused.onnx", R"(<ir_version: 8, opset_import: ["" : 13, "my.domain" : 1]>
    g (float[2] x) => (float[2] y) { y = my.domain.Unheard(x) })");
  const auto runner = check_runner(installation_, pool_);
  for (const Words& options : {Words{}, Words{"--input-shapes", "other:[3]"}}) {
    Words words{"assay", "run", refused, "--onnxrt"};
    words.insert(words.end(), options.begin(), options.end());
    EXPECT_EQ(runner({.argv = words, .environment = {}, .folder = {}}, {}, stop_).value().unusable, "");
  }
}

// A model that an engine refuses can't be judged by a check that compares engines.
TEST_F(Runner, SeesThroughAScriptThatAnEngineRefusedTheModel) {
  if (!has_engine()) GTEST_SKIP() << "no ONNX Runtime on this machine";
  const fs::path wrapper = dir_.path() / "assay";
  ASSERT_TRUE(base::write_file(wrapper, "#!/bin/sh\nexec '" + installation_.executable.string() + "' \"$@\"\n"));
  fs::permissions(wrapper, fs::perms::owner_all);
  const std::string refused = model("refused.onnx", R"(<ir_version: 8, opset_import: ["" : 13, "my.domain" : 1]>
    g (float[2] x) => (float[2] y) { y = my.domain.Unheard(x) })");
  const auto runner = check_runner(installation_, pool_);
  const auto check = [&](const std::string& path) {
    return runner({.argv = {wrapper.string(), "run", path, "--onnxrt"}, .environment = {}, .folder = {}}, {}, stop_);
  };
  const auto failed = check(refused);
  ASSERT_TRUE(failed && failed->outcome);
  EXPECT_EQ(failed->outcome->code, 1);
  EXPECT_EQ(failed->refused, "an engine");
  const auto passed = check(model("add.onnx", kAdd));
  ASSERT_TRUE(passed && passed->outcome);
  EXPECT_EQ(passed->outcome->code, 0) << passed->outcome->output;
  EXPECT_EQ(passed->refused, "");
}

TEST_F(Runner, RunsOurCommandsInSeveralThreadsAtOnce) {
  const std::string path = model("add.onnx", kAdd);
  std::vector<std::thread> threads;
  std::vector<std::string> outputs(8);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    threads.emplace_back([&, i] {
      const base::Stop stop{base::Stop::PartOf{stop_}};
      const auto outcome = i % 2 == 0 ? run({"assay", "inspect", "model", path, "--show", "layers"}, stop)
                                      : run({"assay", "surgeon", "sanitize", path, "--cleanup", "-o",
                                             (dir_.path() / ("out" + std::to_string(i) + ".onnx")).string()},
                                            stop);
      if (outcome && outcome->code == 0) outputs[i] = outcome->output;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < outputs.size(); i += 2) {
    EXPECT_THAT(outputs[i], testing::HasSubstr("Add"));
    EXPECT_TRUE(fs::exists(dir_.path() / ("out" + std::to_string(i + 1) + ".onnx"))) << outputs[i + 1];
  }
}

TEST_F(Runner, RunsAnEngineInSeveralThreadsAtOnce) {
  if (!has_engine()) GTEST_SKIP() << "no ONNX Runtime on this machine";
  const std::string path = model("add.onnx", kAdd);
  std::vector<std::thread> threads;
  std::vector<int> codes(4, -1);
  for (int& code : codes) {
    threads.emplace_back([&] {
      const base::Stop stop{base::Stop::PartOf{stop_}};
      for (int i = 0; i < 3; ++i) {
        const auto outcome = run({"assay", "run", path, "--onnxrt"}, stop);
        code = outcome ? outcome->code : -2;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(codes, testing::Each(0));
}

TEST_F(Runner, EndsOneCallOfAnEngineInTheMiddleAndLeavesTheOthers) {
  if (!has_engine()) GTEST_SKIP() << "no ONNX Runtime on this machine";
  const std::string endless = model("long.onnx", kLong);
  const std::string path = model("add.onnx", kAdd);
  base::Stop stop{base::Stop::PartOf{stop_}};
  std::thread stopper([&] {
    while (busy_children() < 0.6) std::this_thread::yield();  // more than starting an engine takes
    stop.request();
  });
  const auto outcome = run({"assay", "run", endless, "--onnxrt"}, stop);
  stopper.join();
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(std::holds_alternative<worker::Stopped>(outcome.error()));
  const auto other = run({"assay", "run", path, "--onnxrt"}, stop_);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->code, 0) << other->output;
}

}  // namespace
}  // namespace assay::cli
