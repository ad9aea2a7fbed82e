#include "tests/e2e/workspace.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>

#include "base/files.h"
#include "data/inputs_file.h"
#include "model/load.h"
#include "model/save.h"
#include "tests/support/paths.h"

namespace assay::e2e {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

void connect_to_pipe(int output) {
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
}

[[noreturn]] void become(const Words& argv, const fs::path& folder, const Environment& environment) {
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  if (chdir(folder.c_str()) != 0) _exit(126);
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  _exit(127);
}

// Removes the command line from the lines in which Assay repeats it. Otherwise, an assertion that the output names an
// option or a file could not fail.
std::string without_commands(std::string output) {
  constexpr std::string_view kEcho = " | Command: ";
  for (std::size_t at = 0; (at = output.find(kEcho, at)) != std::string::npos;) {
    output.erase(at, output.find_first_of("\r\n\033", at) - at);
  }
  return output;
}

}  // namespace

Running::Running(const Words& argv, const fs::path& folder, const Environment& environment, int columns) {
  // Orphaned processes become our children, so that no_process_left() sees them.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (columns > 0) {
    winsize size = {};
    size.ws_row = 24;
    size.ws_col = static_cast<unsigned short>(columns);
    pid_ = forkpty(&output_fd_, nullptr, nullptr, &size);
    if (pid_ == 0) become(argv, folder, environment);
    fcntl(output_fd_, F_SETFD, FD_CLOEXEC);
    return;
  }
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
  pid_ = fork();
  if (pid_ == 0) {
    connect_to_pipe(ends[1]);
    become(argv, folder, environment);
  }
  close(ends[1]);
  output_fd_ = ends[0];
}

Running::~Running() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (output_fd_ >= 0) close(output_fd_);
}

bool Running::read_more() {
  std::array<char, 4096> buffer;
  ssize_t count = 0;
  do {
    count = ::read(output_fd_, buffer.data(), buffer.size());
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return false;
  output_.append(buffer.data(), static_cast<std::size_t>(count));
  return true;
}

bool Running::wait_for(std::string_view text) {
  while (output_.find(text) == std::string::npos) {
    if (!read_more()) return false;
  }
  return true;
}

void Running::send(int signal) const {
  kill(pid_, signal);
}

void Running::type(std::string_view keys) const {
  EXPECT_EQ(::write(output_fd_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
}

Finished Running::finish() {
  while (read_more()) {
  }
  int status = 0;
  rusage usage = {};
  while (wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), without_commands(output_),
          static_cast<std::uint64_t>(usage.ru_maxrss) << 10};
}

// Inside the build folder, so that the program can be linked into it (use_fake_engine).
Workspace::Workspace()
    : folder_(base::TempDir::create(test::build_dir() / "Testing").value()),
      program_(test::build_dir() / "bin" / "assay") {}

std::vector<std::string> Workspace::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
    if (!entry.is_directory()) names.push_back(fs::relative(entry.path(), folder_.path()).string());
  }
  std::ranges::sort(names);
  return names;
}

std::string Workspace::read(const std::string& name) const {
  auto content = base::read_file(path(name));
  EXPECT_TRUE(content) << (content ? "" : content.error().message());
  return content.value_or("");
}

void Workspace::write(const std::string& name, std::string_view content) const {
  const base::Status status = base::write_file(path(name), content);
  EXPECT_TRUE(status) << (status ? "" : status.error().message());
}

void Workspace::write_model(const std::string& name, const std::string& text) const {
  const auto model = model::parse_text(text);
  ASSERT_TRUE(model) << model.error().message();
  const base::Status status = model::save(*model, path(name));
  ASSERT_TRUE(status) << status.error().message();
}

void Workspace::write_inputs(const std::string& name, const std::vector<tensor::NamedTensors>& iterations) const {
  const base::Status status = data::save_inputs(path(name), iterations);
  ASSERT_TRUE(status) << status.error().message();
}

Words Workspace::operators(const std::string& name) const {
  const auto model = model::load(path(name));
  EXPECT_TRUE(model) << (model ? "" : model.error().message());
  Words found;
  if (!model) return found;
  for (const auto& node : model->graph().node()) found.push_back(node.op_type());
  return found;
}

std::string Workspace::passes(const Words& words) const {
  const Finished finished = assay(words);
  EXPECT_EQ(finished.status, 0) << finished.output;
  return finished.output;
}

std::string Workspace::fails(const Words& words) const {
  const Finished finished = assay(words);
  EXPECT_EQ(finished.status, 1) << finished.output;
  return finished.output;
}

Words Workspace::with_program(const Words& words) const {
  Words argv = {program_.string()};
  argv.insert(argv.end(), words.begin(), words.end());
  return argv;
}

bool Workspace::no_process_left() {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (;;) {
    const pid_t ended = waitpid(-1, nullptr, WNOHANG);
    if (ended < 0) return errno == ECHILD;
    if (ended > 0) continue;
    if (std::chrono::steady_clock::now() > deadline) return false;
    poll(nullptr, 0, 5);
  }
}

// The program finds its workers relative to itself, so a link in another folder uses other workers.
void Workspace::use_fake_engine() {
  const fs::path root = folder_.path() / ".program";
  fs::create_directories(root / "bin");
  fs::create_directories(root / "libexec" / "assay");
  fs::create_hard_link(program_, root / "bin" / "assay");
  fs::create_symlink(test::fake("assay-worker-fake"), root / "libexec" / "assay" / "assay-worker-onnxruntime");
  program_ = root / "bin" / "assay";
  environment_["ASSAY_ONNXRUNTIME_LIB"] = test::fake("assay-worker-fake");  // any file: the fake opens no library
}

void Workspace::use_onnxruntime() {
  if (!variable("ASSAY_ONNXRUNTIME_LIB").empty()) return;
  const std::string fetched = variable("ASSAY_FETCHED_ONNXRUNTIME_LIB");
  if (fetched.empty()) {
    GTEST_SKIP() << "no ONNX Runtime (ASSAY_ONNXRUNTIME_LIB, ASSAY_FETCHED_ONNXRUNTIME_LIB)";
  }
  environment_["ASSAY_ONNXRUNTIME_LIB"] = fetched;
}

tensor::Tensor floats(const tensor::Shape& shape, const std::vector<float>& values) {
  return tensor::Tensor::of(tensor::ElementType::float32, shape, values);
}

tensor::NamedTensors named(const std::vector<std::pair<std::string, tensor::Tensor>>& tensors) {
  tensor::NamedTensors result;
  for (const auto& [name, tensor] : tensors) result.set(name, tensor);
  return result;
}

}  // namespace assay::e2e
