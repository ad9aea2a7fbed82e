#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "base/files.h"
#include "base/temp_dir.h"
#include "tests/support/paths.h"
#include "worker/engine.h"
#include "worker/process_tree.h"

namespace assay::worker {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using testing::ElementsAre;
using testing::HasSubstr;

EngineSpec fake(std::map<std::string, std::string> options = {}) {
  return {.kind = "fake", .library = "lib", .options = std::move(options)};
}

ModelSource model(std::string order) {
  return ModelBytes{tensor::Buffer::own(std::move(order)), {}};
}

tensor::NamedTensors feeds() {
  tensor::NamedTensors feeds;
  feeds.set("x", Tensor::of<float>(ElementType::float32, {2, 2}, {1, 2, 3, 4}));
  feeds.set("empty", Tensor::of<float>(ElementType::float32, {0, 2}, {}));
  feeds.set("text", Tensor::make_strings({2}, {"caf\xc3\xa9", std::string("\0\xff", 2)}).value());
  feeds.set("half", Tensor::of<std::uint16_t>(ElementType::float16, {3}, {1, 2, 3}));
  feeds.set("packed", Tensor::of<std::uint8_t>(ElementType::int4, {3}, {0x21, 0x03}));
  return feeds;
}

// Checks that each test leaves no process behind, running or dead.
class PoolTest : public testing::Test {
 protected:
  void TearDown() override {
    pool_.reset();
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  }

  [[nodiscard]] static std::size_t workers() { return tree_members(getpid()).size() - 1; }

  // Loads and runs a model; returns the failure of either step.
  Outcome<InferResult> check(const std::string& order, const Limits& limits = {}) {
    auto session = pool_->load(fake(), model(order), limits);
    if (!session) return tl::make_unexpected(session.error());
    return (*session)->infer(feeds(), {}, limits);
  }

  // Returns how many models the worker of a new session has loaded, including the session's; checks that the pool
  // works.
  double loads() {
    auto session = pool_->load(fake({{"count", ""}}), model("works"), {});
    if (!session) return -1;
    auto result = (*session)->infer(feeds(), {"x"}, {});
    return result ? result->outputs.find("x")->load<double>(0) : -1;
  }

  void expect_works() {
    const auto result = check("works");
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_EQ(result->outputs.size(), feeds().size());
  }

  base::Stop stop_;
  std::unique_ptr<Pool> pool_ = std::make_unique<Pool>(Pool::Options{test::fakes_dir(), 4}, stop_);
};

TEST_F(PoolTest, OpensAnEngineWhoseOptionsExceedTheBufferOfTheSocket) {
  const EngineSpec spec = fake({{"names", std::string(4 << 20, 'n')}});
  pool_->prepare(spec);
  for (int i = 0; i < 2; ++i) {
    const auto session = pool_->load(spec, model("works"), {});
    ASSERT_TRUE(session) << describe(session.error());
  }
}

TEST_F(PoolTest, PassesTensorsOfAllKindsBothWays) {
  const auto result = check("works");
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_THAT(result->outputs.names(), ElementsAre("x", "empty", "text", "half", "packed"));
  for (const auto& [name, tensor] : feeds()) EXPECT_TRUE(identical(tensor, *result->outputs.find(name))) << name;
}

TEST_F(PoolTest, ReturnsOutputsInTheRequestedOrder) {
  auto session = pool_->load(fake(), model("works"), {});
  ASSERT_TRUE(session);
  const auto result = (*session)->infer(feeds(), {"text", "x"}, {});
  ASSERT_TRUE(result);
  EXPECT_THAT(result->outputs.names(), ElementsAre("text", "x"));
}

TEST_F(PoolTest, DescribesTheSession) {
  auto session = pool_->load(fake(), model("works"), {});
  ASSERT_TRUE(session);
  EXPECT_EQ((*session)->info().engine_version, "fake lib");
  EXPECT_EQ((*session)->info().load_s, 0.5);
  ASSERT_EQ((*session)->info().inputs.size(), 1U);
  EXPECT_EQ((*session)->info().inputs[0].name, "x");
  EXPECT_EQ((*session)->info().inputs[0].type, ElementType::float32);
  EXPECT_THAT((*session)->info().inputs[0].shape, ElementsAre(-1));
  EXPECT_EQ((*session)->info().inputs[0].kind, "tensor");
  EXPECT_EQ(pool_->engine_version(fake(), {}).value_or(""), "fake lib");
}

TEST_F(PoolTest, LoadsFromAFile) {
  const auto folder = base::TempDir::create();
  const auto path = folder->path() / "model";
  ASSERT_TRUE(base::write_file(path, "run fail"));
  auto session = pool_->load(fake(), ModelFile{path}, {});
  ASSERT_TRUE(session);
  EXPECT_FALSE((*session)->infer(feeds(), {}, {}));
}

TEST_F(PoolTest, OutputsOutliveTheSessionAndThePool) {
  auto result = check("works");
  ASSERT_TRUE(result);
  pool_.reset();
  EXPECT_TRUE(identical(*result->outputs.find("x"), *feeds().find("x")));
}

TEST_F(PoolTest, PassesLargeTensors) {
  tensor::NamedTensors large;
  std::vector<std::int32_t> values(3 << 20);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i * 2654435761U);
  large.set("ints", Tensor::of(ElementType::int32, {3, 1 << 20}, values));
  large.set("strings", Tensor::make_strings({2}, {std::string(5 << 20, 'a'), std::string(1 << 20, 'b')}).value());
  auto session = pool_->load(fake(), model("works"), {});
  ASSERT_TRUE(session);
  const auto result = (*session)->infer(large, {}, {});
  ASSERT_TRUE(result) << describe(result.error());
  for (const auto& [name, tensor] : large) EXPECT_TRUE(identical(tensor, *result->outputs.find(name))) << name;
}

TEST_F(PoolTest, ReusesAWarmWorker) {
  EXPECT_EQ(loads(), 1);
  EXPECT_EQ(loads(), 2);
  EXPECT_EQ(loads(), 3);
  EXPECT_EQ(workers(), 1U);
}

TEST_F(PoolTest, FindsThePreparedWorker) {
  pool_->prepare(fake());
  pool_->prepare(fake());
  EXPECT_EQ(workers(), 1U);
  const auto session = pool_->load(fake(), model("works"), {});
  ASSERT_TRUE(session) << describe(session.error());
  EXPECT_EQ((*session)->info().engine_version, "fake lib");
  EXPECT_EQ(workers(), 1U);
}

TEST_F(PoolTest, ReportsErrorsOfPreparing) {
  for (const auto& spec : {fake({{"behaviour", "fail"}}), fake({{"behaviour", "segfault"}})}) {
    pool_->prepare(spec);
    const auto session = pool_->load(spec, model("works"), {});
    ASSERT_FALSE(session);
    EXPECT_FALSE(std::holds_alternative<ProtocolError>(session.error())) << describe(session.error());
  }
  pool_->prepare({.kind = "no-such-engine", .library = {}, .options = {}});
  EXPECT_EQ(workers(), 0U);
}

TEST_F(PoolTest, EndsPreparedWorkersThatWereNeverUsed) {
  pool_->prepare(fake());
  pool_->prepare(fake({{"behaviour", "hang"}}));
}

TEST_F(PoolTest, AFailedModelLeavesTheWorkerWarm) {
  EXPECT_EQ(loads(), 1);
  const auto failed = pool_->load(fake({{"count", ""}}), model("load fail"), {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(loads(), 3);
}

TEST_F(PoolTest, AFailedRunLeavesTheSessionAlive) {
  auto session = pool_->load(fake(), model("works"), {});
  ASSERT_TRUE(session);
  const auto failed = (*session)->infer(feeds(), {"no such"}, {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(std::get<Failed>(failed.error()).message, "there is no output 'no such'");
  EXPECT_TRUE((*session)->infer(feeds(), {}, {}));
}

TEST_F(PoolTest, OtherOptionsGetAnotherWorker) {
  EXPECT_EQ(loads(), 1);
  expect_works();
  EXPECT_EQ(workers(), 2U);
  EXPECT_EQ(loads(), 2);
}

TEST_F(PoolTest, TwoSessionsAtOnceAreTwoWorkers) {
  auto a = pool_->load(fake(), model("works"), {});
  auto b = pool_->load(fake(), model("works"), {});
  ASSERT_TRUE(a && b);
  EXPECT_EQ(workers(), 2U);
  EXPECT_TRUE((*a)->infer(feeds(), {}, {}));
  EXPECT_TRUE((*b)->infer(feeds(), {}, {}));
}

TEST_F(PoolTest, AStopOfAPartOfTheWorkEndsThatPartAlone) {
  base::Stop part(base::Stop::PartOf{stop_});
  Pool stoppable(*pool_, part);
  auto other = pool_->load(fake(), model("works"), {});
  ASSERT_TRUE(other);
  auto session = stoppable.load(fake(), model("run hang"), {});
  ASSERT_TRUE(session) << describe(session.error());
  std::thread stopper([&] { part.request(); });
  const auto stopped = (*session)->infer(feeds(), {}, {});
  stopper.join();
  ASSERT_FALSE(stopped);
  EXPECT_TRUE(std::holds_alternative<Stopped>(stopped.error())) << describe(stopped.error());
  EXPECT_FALSE(stoppable.load(fake(), model("works"), {}));
  EXPECT_TRUE((*other)->infer(feeds(), {}, {}));
  expect_works();
}

TEST_F(PoolTest, AWorkerForgetsTheStopOfItsLastWork) {
  {
    base::Stop part(base::Stop::PartOf{stop_});
    Pool stoppable(*pool_, part);
    ASSERT_TRUE(stoppable.load(fake(), model("works"), {}));
    part.request();
  }
  expect_works();
  EXPECT_EQ(workers(), 1U);
}

TEST_F(PoolTest, KeepsTheRequestedNumberOfWorkersWarm) {
  pool_ = std::make_unique<Pool>(Pool::Options{test::fakes_dir(), 1}, stop_);
  pool_->keep_warm(2);
  {
    auto a = pool_->load(fake(), model("works"), {});
    auto b = pool_->load(fake(), model("works"), {});
    ASSERT_TRUE(a && b);
  }
  EXPECT_EQ(workers(), 2U);
}

TEST_F(PoolTest, KeepsAtMostMaxIdleWorkers) {
  pool_ = std::make_unique<Pool>(Pool::Options{test::fakes_dir(), 1}, stop_);
  {
    auto a = pool_->load(fake(), model("works"), {});
    auto b = pool_->load(fake(), model("works"), {});
    ASSERT_TRUE(a && b);
  }
  EXPECT_EQ(workers(), 1U);
  expect_works();
}

TEST_F(PoolTest, ReplacesAWorkerThatDiedWhileIdle) {
  expect_works();
  for (const pid_t pid : tree_members(getpid())) {
    if (pid == getpid()) continue;
    kill(pid, SIGKILL);
    siginfo_t info = {};
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT),
              0);  // it is dead, and the pool hasn't reaped it
  }
  expect_works();
}

TEST_F(PoolTest, DoesNotBlameTheNextModelForAWorkerThatDiesOverTheLastOne) {
  ASSERT_TRUE(check("unload segfault"));
  expect_works();
  ASSERT_TRUE(check("unload hang"));
  const auto result =
      check("works", {.time_s = 1.5, .memory_bytes = {}});  // less than the time that a worker has to unload
  EXPECT_TRUE(result) << describe(result.error());
}

TEST_F(PoolTest, NamesAWorkerThatDoesNotExist) {
  const auto session = pool_->load({.kind = "no-such-engine", .library = {}, .options = {}}, model("works"), {});
  ASSERT_FALSE(session);
  const auto& failed = std::get<Failed>(session.error());
  EXPECT_EQ(failed.phase, Phase::start);
  EXPECT_THAT(failed.message, HasSubstr("/assay-worker-no-such-engine is missing"));
  EXPECT_THAT(failed.message, HasSubstr("Build or install Assay again"));
}

// A way to misbehave and a check of the resulting failure.
struct Case {
  std::string behaviour;
  Limits limits;
  std::function<void(const Failure&, const std::string& place)> expect;
};

std::ostream& operator<<(std::ostream& stream, const Case& c) {
  return stream << c.behaviour;
}

void expect_crash(const Failure& failure, int signal, int code, const std::string& output) {
  const auto* crashed = std::get_if<Crashed>(&failure);
  ASSERT_NE(crashed, nullptr) << describe(failure);
  EXPECT_EQ(crashed->signal, signal);
  EXPECT_EQ(crashed->exit_code, code);
  EXPECT_EQ(crashed->last_output, output);
}

auto crash(int signal, int code, std::string output = {}) {
  return [=](const Failure& failure, const std::string&) { expect_crash(failure, signal, code, output); };
}

auto failed(int code, std::string message) {
  return [=](const Failure& failure, const std::string& place) {
    const auto* failed = std::get_if<Failed>(&failure);
    ASSERT_NE(failed, nullptr) << describe(failure);
    EXPECT_EQ(failed->phase, place == "load" ? Phase::load : Phase::run);
    EXPECT_EQ(failed->code, code);
    EXPECT_EQ(failed->message, message);
  };
}

auto timed_out(double limit) {
  return [=](const Failure& failure, const std::string&) {
    const auto* timed_out = std::get_if<TimedOut>(&failure);
    ASSERT_NE(timed_out, nullptr) << describe(failure);
    EXPECT_EQ(timed_out->limit_s, limit);
  };
}

auto out_of_memory(std::uint64_t limit) {
  return [=](const Failure& failure, const std::string&) {
    const auto* out_of_memory = std::get_if<OutOfMemory>(&failure);
    ASSERT_NE(out_of_memory, nullptr) << describe(failure);
    EXPECT_EQ(out_of_memory->limit_bytes, limit);
  };
}

auto protocol_error(std::string message) {
  return [=](const Failure& failure, const std::string&) {
    const auto* error = std::get_if<ProtocolError>(&failure);
    ASSERT_NE(error, nullptr) << describe(failure);
    EXPECT_EQ(error->message, message);
  };
}

class MisbehavingWorker : public PoolTest, public testing::WithParamInterface<Case> {};

TEST_P(MisbehavingWorker, IsReportedAndReplaced) {
  for (const std::string place : {"load", "run"}) {
    SCOPED_TRACE(place);
    const auto result = check(place + " " + GetParam().behaviour, GetParam().limits);
    ASSERT_FALSE(result);
    GetParam().expect(result.error(), place);
    expect_works();
    EXPECT_EQ(workers(), 1U);
  }
}

constexpr Limits kShort{.time_s = 0.3, .memory_bytes = {}};
constexpr std::uint64_t kMemory = 256 << 20;

const Case kCases[] = {
    {"fail", {}, failed(7, "as ordered")},
    {"throw", {}, failed(0, "thrown on demand")},
    {"throw_bad_alloc", {}, out_of_memory(0)},
    {"exit0", {}, crash(0, 0)},
    {"exit42", {}, crash(0, 42, "leaving\n")},
    {"abort", {}, crash(SIGABRT, 0, "about to abort\n")},
    {"segfault", {}, crash(SIGSEGV, 0)},
    {"kill", {}, crash(SIGKILL, 0)},
    {"hang", kShort, timed_out(0.3)},
    {"ignore_sigterm", kShort, timed_out(0.3)},
    {"eat_memory", {.time_s = 60, .memory_bytes = kMemory}, out_of_memory(kMemory)},
    {"leave_child", {}, crash(0, 42)},
    {"garbage", {}, protocol_error("it is not a message")},
    {"no_protobuf", {}, protocol_error("malformed answer")},
    {"half", {}, protocol_error("it disconnected in the middle of a message")},
    {"half_exit", {}, protocol_error("it disconnected in the middle of a message")},
    {"half_hang", kShort, timed_out(0.3)},
    {"close", {}, protocol_error("it disconnected without an answer")},
    {"wrong_answer", {}, protocol_error("it answered another request")},
};

INSTANTIATE_TEST_SUITE_P(All, MisbehavingWorker, testing::ValuesIn(kCases),
                         [](const auto& param) { return param.param.behaviour; });

TEST_F(PoolTest, ReportsFailuresWhileTheEngineIsOpened) {
  const auto crashed = pool_->load(fake({{"behaviour", "segfault"}}), model("works"), {});
  ASSERT_FALSE(crashed);
  expect_crash(crashed.error(), SIGSEGV, 0, "");
  const auto failed = pool_->load(fake({{"behaviour", "fail"}}), model("works"), {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(std::get<Failed>(failed.error()).phase, Phase::start);
  EXPECT_EQ(workers(), 0U);
}

// A candidate must not seem to hang because an interpreter takes long to start.
TEST_F(PoolTest, TheTimeLimitOfAModelBeginsWhenTheEngineHasStarted) {
  const auto session = pool_->load(fake({{"behaviour", "delay"}}), model("works"), {.time_s = 1.5, .memory_bytes = {}});
  EXPECT_TRUE(session) << describe(session.error());
}

TEST_F(PoolTest, ADeadSessionReportsIt) {
  auto session = pool_->load(fake(), model("run segfault"), {});
  ASSERT_TRUE(session);
  EXPECT_FALSE((*session)->infer(feeds(), {}, {}));
  const auto again = (*session)->infer(feeds(), {}, {});
  ASSERT_FALSE(again);
  EXPECT_TRUE(std::holds_alternative<ProtocolError>(again.error()));
}

TEST_F(PoolTest, ATalkativeEngineDoesNotHang) {
  for (const char* order : {"load chatter", "run chatter"}) {
    const auto result = check(order);
    EXPECT_TRUE(result) << describe(result.error());
  }
}

TEST_F(PoolTest, StopsAWorkerThatIsBusy) {
  std::thread asker;
  {
    auto session = pool_->load(fake(), model("run hang"), {});
    ASSERT_TRUE(session);
    asker = std::thread([this] { stop_.request(); });
    const auto result = (*session)->infer(feeds(), {}, {});
    ASSERT_FALSE(result);
    EXPECT_TRUE(std::holds_alternative<Stopped>(result.error())) << describe(result.error());
  }
  asker.join();
  const auto after = pool_->load(fake(), model("works"), {});
  ASSERT_FALSE(after);
  EXPECT_TRUE(std::holds_alternative<Stopped>(after.error()));
}

TEST_F(PoolTest, WorkersOutliveTheThreadThatWantedThem) {
  std::unique_ptr<Session> session;
  std::thread([&] { session = pool_->load(fake(), model("works"), {}).value(); }).join();
  EXPECT_TRUE(session->infer(feeds(), {}, {}));
}

// A process that is killed can't clean up, and its busy worker doesn't notice that it disconnected.
TEST_F(PoolTest, WorkersDieWithTheTool) {
  const auto folder = base::TempDir::create();
  const auto file = folder->path() / "pid";
  const pid_t tool = fork();
  if (tool == 0) {
    const base::Stop stop;
    Pool pool({test::fakes_dir(), 1}, stop);
    auto session = pool.load(fake(), model("run hang"), {});
    if (!session) _exit(3);
    for (const pid_t pid : tree_members(getpid())) {
      if (pid != getpid()) static_cast<void>(base::write_file(file, std::to_string(pid)));
    }
    if (!std::filesystem::exists(file)) _exit(1);
    static_cast<void>((*session)->infer(feeds(), {}, {}));
    _exit(2);
  }
  while (!std::filesystem::exists(file)) {
    ASSERT_EQ(waitpid(tool, nullptr, WNOHANG), 0) << "the tool ended";
    std::this_thread::yield();
  }
  const pid_t worker = std::atoi(base::read_file(file)->c_str());
  ASSERT_FALSE(session_members(worker).empty());
  kill(tool, SIGKILL);
  waitpid(tool, nullptr, 0);
  while (!session_members(worker).empty()) std::this_thread::yield();
}

TEST_F(PoolTest, ServesManyThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([this, i] {
      for (int round = 0; round < 6; ++round) {
        if ((i + round) % 3 == 0) {
          EXPECT_FALSE(check("run abort"));
        } else {
          const auto result = check("works");
          EXPECT_TRUE(result) << describe(result.error());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(workers(), 4U);
}

}  // namespace
}  // namespace assay::worker
