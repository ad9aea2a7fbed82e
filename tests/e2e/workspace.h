// A folder for one test, in which the program runs.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/temp_dir.h"
#include "tensor/tensor.h"

namespace assay::e2e {

using Words = std::vector<std::string>;
using Environment = std::map<std::string, std::string>;

struct Finished {
  int status = -1;            // exit status; 128 + signal if a signal killed it
  std::string output;         // standard output and standard error, interleaved, without Assay's echo of the command
  std::uint64_t max_rss = 0;  // most bytes of resident memory, of itself or of one process that it has waited for
};

// A running program. The destructor kills it.
class Running {
 public:
  // `columns`: of the terminal on which it runs. 0: its output goes to a pipe, and its input is empty.
  Running(const Words& argv, const std::filesystem::path& folder, const Environment& environment, int columns = 0);
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running();

  // Reads until the output contains `text`; returns false if the program exits first.
  bool wait_for(std::string_view text);
  void send(int signal) const;
  // Types keys on the program's terminal. "\x03" is Ctrl-C.
  void type(std::string_view keys) const;
  Finished finish();

 private:
  bool read_more();
  pid_t pid_ = -1;
  int output_fd_ = -1;
  std::string output_;
};

// Base class of all tests: a temporary folder, which is the program's working folder.
class Workspace : public testing::Test {
 protected:
  Workspace();

  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  // Returns the names of everything in the folder, at any depth, sorted.
  [[nodiscard]] std::vector<std::string> files() const;
  [[nodiscard]] std::string read(const std::string& name) const;
  void write(const std::string& name, std::string_view content) const;
  // Writes a model given in ONNX's text format.
  void write_model(const std::string& name, const std::string& text) const;
  void write_inputs(const std::string& name, const std::vector<tensor::NamedTensors>& iterations) const;
  // Returns the operators of a model's nodes, in order.
  [[nodiscard]] Words operators(const std::string& name) const;

  // Runs `assay WORDS...` and waits for it.
  [[nodiscard]] Finished assay(const Words& words) const { return run(with_program(words)); }
  // Run `assay WORDS...`, which has to pass, or to fail, and return its output.
  std::string passes(const Words& words) const;
  std::string fails(const Words& words) const;
  // Runs any command; the first word is looked up in PATH.
  [[nodiscard]] Finished run(const Words& argv) const { return Running(argv, folder_.path(), environment_).finish(); }
  [[nodiscard]] std::unique_ptr<Running> start(const Words& words) const {
    return std::make_unique<Running>(with_program(words), folder_.path(), environment_);
  }
  [[nodiscard]] std::unique_ptr<Running> start_on_terminal(const Words& words, int columns) const {
    return std::make_unique<Running>(with_program(words), folder_.path(), environment_, columns);
  }
  [[nodiscard]] Words with_program(const Words& words) const;
  // Returns true once no process remains that a program of this test started; waits for those that are exiting.
  [[nodiscard]] static bool no_process_left();

  // Skips the test without ONNX Runtime; otherwise the program uses it.
  void use_onnxruntime();
  // Makes the program run the fake engine of tests/fakes, whose model files are orders to misbehave.
  void use_fake_engine();

  Environment environment_;  // added to that of the test

 private:
  base::TempDir folder_;
  std::filesystem::path program_;
};

// Base class of tests that run models: skipped without ONNX Runtime.
class EngineWorkspace : public Workspace {
 protected:
  void SetUp() override { use_onnxruntime(); }
};

tensor::Tensor floats(const tensor::Shape& shape, const std::vector<float>& values);
tensor::NamedTensors named(const std::vector<std::pair<std::string, tensor::Tensor>>& tensors);

}  // namespace assay::e2e
