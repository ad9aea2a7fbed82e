#include "backend/serve/serve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <new>
#include <thread>

#include "backend/serve/serve_packets.h"
#include "worker/channel.h"

namespace assay::backend {
namespace {

using testing::HasSubstr;
using worker::Phase;

// An engine that behaves as the library's name or the model's bytes request.
class Engine final : public backend::EngineAdapter {
 public:
  Answer<std::string> open(const std::string& library, const std::map<std::string, std::string>&) override {
    if (library == "throw") throw std::runtime_error("thrown");
    return "1.0";
  }
  Answer<worker::SessionInfo> load(const worker::ModelSource& model) override {
    const std::string_view order = std::get<worker::ModelBytes>(model).bytes.view();
    if (order == "no memory") throw std::bad_alloc();
    if (order == "unknown") throw 1;  // NOLINT: what an engine may do
    return worker::SessionInfo{};
  }
  Answer<worker::InferResult> infer(const tensor::NamedTensors&, const std::vector<std::string>&) override {
    return worker::InferResult{};
  }
  void unload() override { ++unloads; }
  int unloads = 0;
};

// Runs the loop in a thread and sends requests over a real channel.
class Serve : public testing::Test {
 protected:
  void SetUp() override {
    auto ends = worker::Channel::pair();
    ASSERT_TRUE(ends);
    tool_ = std::make_unique<worker::Channel>(std::move(ends->first));
    const int worker_end = ::dup(ends->second.get());
    thread_ = std::thread([this, worker_end] { status_ = serve(engine_, worker_end); });
  }
  void TearDown() override {
    if (!thread_.joinable()) return;
    EXPECT_EQ(end(), 0);
  }
  // Disconnects, and returns the loop's exit status.
  int end() {
    tool_.reset();
    thread_.join();
    return status_;
  }
  worker::Reply ask(const worker::Request& request) {
    send(worker::encode(request).value());
    pollfd fd{tool_->fd(), POLLIN, 0};
    while (tool_->receive() == worker::Progress::again) ::poll(&fd, 1, -1);
    return worker::decode_reply(tool_->take()).value();
  }
  void send(worker::Packet packet) {
    ASSERT_TRUE(tool_->start_send(std::move(packet)));
    ASSERT_EQ(tool_->send(), worker::Progress::done);
  }
  // Returns the message of a refusal; expects that it is in this phase.
  std::string refusal(const worker::Request& request, Phase phase) {
    const worker::Reply reply = ask(request);
    const auto* refused = std::get_if<worker::Refused>(&reply);
    if (refused == nullptr) return "not refused";
    EXPECT_EQ(refused->failed.phase, phase);
    return refused->failed.message + (refused->out_of_memory ? " (out of memory)" : "");
  }
  static worker::Request load(const char* order) {
    return worker::LoadRequest{worker::ModelBytes{tensor::Buffer::own(std::string(order)), {}}};
  }

  Engine engine_;
  std::unique_ptr<worker::Channel> tool_;
  std::thread thread_;
  int status_ = -1;
};

TEST_F(Serve, AnswersEachRequestWithItsKind) {
  EXPECT_EQ(std::get<worker::Opened>(ask(worker::OpenRequest{})).version, "1.0");
  EXPECT_TRUE(std::holds_alternative<worker::Loaded>(ask(load("model"))));
  EXPECT_TRUE(std::holds_alternative<worker::Inferred>(ask(worker::InferRequest{})));
  EXPECT_TRUE(std::holds_alternative<worker::Unloaded>(ask(worker::UnloadRequest{})));
  EXPECT_EQ(engine_.unloads, 1);
}

TEST_F(Serve, UnloadsWhatAFailedLoadLeaves) {
  ask(worker::UnloadRequest{});
  EXPECT_EQ(engine_.unloads, 0) << "no engine is open";
  ask(worker::OpenRequest{});
  EXPECT_EQ(refusal(load("no memory"), Phase::load), "no memory left (out of memory)");
  ask(worker::UnloadRequest{});
  EXPECT_EQ(engine_.unloads, 1);
}

TEST_F(Serve, RejectsRequestsInTheWrongOrder) {
  EXPECT_EQ(refusal(load("model"), Phase::load), "no engine is open");
  EXPECT_EQ(refusal(worker::InferRequest{}, Phase::run), "no model is loaded");
  ask(worker::OpenRequest{});
  ask(load("model"));
  ask(worker::UnloadRequest{});
  EXPECT_EQ(refusal(worker::InferRequest{}, Phase::run), "no model is loaded");
}

TEST_F(Serve, RejectsAToolOfAnotherVersion) {
  EXPECT_THAT(refusal(worker::OpenRequest{worker::kProtocol + 1, {}, {}}, Phase::start), HasSubstr("another version"));
}

TEST_F(Serve, AnswersForAnEngineThatThrows) {
  EXPECT_EQ(refusal(worker::OpenRequest{worker::kProtocol, "throw", {}}, Phase::start), "thrown");
  ask(worker::OpenRequest{});
  EXPECT_EQ(refusal(load("no memory"), Phase::load), "no memory left (out of memory)");
  EXPECT_EQ(refusal(load("unknown"), Phase::load), "the engine threw an unknown exception");
  EXPECT_TRUE(std::holds_alternative<worker::Loaded>(ask(load("model"))));
}

TEST_F(Serve, EndsOnAnInvalidRequest) {
  send({"\xff\xff\xff", {}});
  EXPECT_EQ(end(), 2);
}

TEST(SendReply, RefusesWhatTheChannelDoesNotTake) {
  auto ends = worker::Channel::pair();
  ASSERT_TRUE(ends);
  worker::Channel tool(std::move(ends->first));
  worker::Channel channel(std::move(ends->second), 1000);
  worker::InferResult result;
  result.outputs.set("y", tensor::Tensor::make_strings({1}, {std::string(2000, 'y')}).value());
  ASSERT_TRUE(send_reply(channel, worker::Inferred{result}));
  ASSERT_EQ(tool.receive(), worker::Progress::done);
  const worker::Reply reply = worker::decode_reply(tool.take()).value();
  ASSERT_TRUE(std::holds_alternative<worker::Refused>(reply));
  EXPECT_THAT(std::get<worker::Refused>(reply).failed.message, HasSubstr("cannot be sent"));
}

TEST(ServeAlone, RefusesToRunWithoutTheTool) {
  Engine engine;
  EXPECT_EQ(serve(engine, -1), 2);
}

}  // namespace
}  // namespace assay::backend
