#include "worker/protocol.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cmath>
#include <cstring>
#include <random>

#include "worker/shared_memory.h"

namespace assay::worker {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using testing::ElementsAre;
using testing::HasSubstr;

tensor::NamedTensors tensors() {
  tensor::NamedTensors tensors;
  tensors.set("floats", Tensor::of<float>(ElementType::float32, {2, 1}, {1, NAN}));
  tensors.set("scalar", Tensor::of<std::int64_t>(ElementType::int64, {}, {-1}));
  tensors.set("none", Tensor::of<double>(ElementType::float64, {0}, {}));
  tensors.set("packed", Tensor::of<std::uint8_t>(ElementType::int4, {3}, {0x21, 3}));
  tensors.set("", Tensor::make_strings({1, 2}, {std::string("a\0b", 3), "\xff\xfe"}).value());
  return tensors;
}

void expect_same(const tensor::NamedTensors& a, const tensor::NamedTensors& b) {
  ASSERT_EQ(a.names(), b.names());
  for (const auto& [name, tensor] : a) EXPECT_TRUE(identical(tensor, *b.find(name))) << name;
}

template <class T>
T round_trip(const Request& request) {
  auto packet = encode(request);
  if (!packet) throw std::runtime_error(packet.error().message());
  auto decoded = decode_request(*packet);
  if (!decoded) throw std::runtime_error(decoded.error().message());
  return std::get<T>(*decoded);
}

template <class T>
T round_trip(const Reply& reply) {
  auto packet = encode(reply);
  if (!packet) throw std::runtime_error(packet.error().message());
  auto decoded = decode_reply(*packet);
  if (!decoded) throw std::runtime_error(decoded.error().message());
  return std::get<T>(*decoded);
}

TEST(Protocol, CarriesRequests) {
  const auto open = round_trip<OpenRequest>(Request(OpenRequest{7, "/lib\xff.so", {{"a", "b"}, {"c", ""}}}));
  EXPECT_EQ(open.protocol, 7U);
  EXPECT_EQ(open.library, "/lib\xff.so");
  EXPECT_THAT(open.options, ElementsAre(std::pair("a", "b"), std::pair("c", "")));

  const auto file = round_trip<LoadRequest>(Request(LoadRequest{ModelFile{"/a/b.onnx"}}));
  EXPECT_EQ(std::get<ModelFile>(file.model).path, "/a/b.onnx");

  const auto bytes = round_trip<LoadRequest>(
      Request(LoadRequest{ModelBytes{tensor::Buffer::own(std::string(10000, 'x')), "/data", 5}}));
  EXPECT_EQ(std::get<ModelBytes>(bytes.model).bytes.view(), std::string(10000, 'x'));
  EXPECT_EQ(std::get<ModelBytes>(bytes.model).external_data_dir, "/data");
  EXPECT_EQ(std::get<ModelBytes>(bytes.model).output_bytes, 5U);
  const auto empty = round_trip<LoadRequest>(Request(LoadRequest{ModelBytes{}}));
  EXPECT_TRUE(std::get<ModelBytes>(empty.model).bytes.view().empty());

  const auto infer = round_trip<InferRequest>(Request(InferRequest{tensors(), {"y", "x"}}));
  expect_same(infer.feeds, tensors());
  EXPECT_THAT(infer.wanted, ElementsAre("y", "x"));

  round_trip<UnloadRequest>(Request(UnloadRequest{}));
}

TEST(Protocol, CarriesReplies) {
  const auto refused = round_trip<Refused>(Reply(Refused{{Phase::build, -3, "wh\xffy"}, true}));
  EXPECT_EQ(refused.failed.phase, Phase::build);
  EXPECT_EQ(refused.failed.code, -3);
  EXPECT_EQ(refused.failed.message, "wh\xffy");
  EXPECT_TRUE(refused.out_of_memory);

  EXPECT_EQ(round_trip<Opened>(Reply(Opened{"1.2"})).version, "1.2");

  SessionInfo info;
  info.inputs = {{"x", ElementType::bfloat16, {-1, 3}}};
  info.outputs = {{"y", ElementType::undefined, {}, "sequence(tensor(float32))"}};
  info.load_s = 0.25;
  info.reduced_precision = "bf16";
  info.optimizers = {"First", "\xff"};
  info.messages = {{base::Level::warning, "slo\xffw"}};
  const auto loaded = round_trip<Loaded>(Reply(Loaded{info}));
  ASSERT_EQ(loaded.info.inputs.size(), 1U);
  EXPECT_EQ(loaded.info.inputs[0].type, ElementType::bfloat16);
  EXPECT_THAT(loaded.info.inputs[0].shape, ElementsAre(-1, 3));
  EXPECT_EQ(loaded.info.outputs[0].kind, "sequence(tensor(float32))");
  EXPECT_EQ(loaded.info.load_s, 0.25);
  EXPECT_EQ(loaded.info.reduced_precision, "bf16");
  EXPECT_EQ(loaded.info.optimizers, info.optimizers);
  ASSERT_EQ(loaded.info.messages.size(), 1U);
  EXPECT_EQ(loaded.info.messages[0].level, base::Level::warning);
  EXPECT_EQ(loaded.info.messages[0].text, "slo\xffw");

  const auto inferred = round_trip<Inferred>(Reply(Inferred{{tensors(), 1.5, {{base::Level::info, "done"}}}}));
  expect_same(inferred.result.outputs, tensors());
  EXPECT_EQ(inferred.result.runtime_s, 1.5);
  ASSERT_EQ(inferred.result.messages.size(), 1U);
  EXPECT_EQ(inferred.result.messages[0].text, "done");

  round_trip<Unloaded>(Reply(Unloaded{}));
}

TEST(Protocol, AlignsTensorsForEngines) {
  const auto infer = round_trip<InferRequest>(Request(InferRequest{tensors(), {}}));
  for (const auto& [name, tensor] : infer.feeds) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.bytes().data()) % 64, 0U) << name;
  }
}

// Writing to a feed only changes the writer's copy.
TEST(Protocol, SharedMemoryCannotBeChangedByTheOtherSide) {
  auto packet = encode(Request(InferRequest{tensors(), {}}));
  ASSERT_TRUE(packet);
  EXPECT_EQ(pwrite(packet->shared.get(), "x", 1, 0), -1);
  EXPECT_EQ(ftruncate(packet->shared.get(), 0), -1);
  const auto mine = decode_request(*packet);
  const auto theirs = decode_request(*packet);
  const tensor::Tensor& feed = *std::get<InferRequest>(*theirs).feeds.find("floats");
  const_cast<std::byte*>(feed.bytes().data())[0] = std::byte{0xff};
  EXPECT_TRUE(identical(*std::get<InferRequest>(*mine).feeds.find("floats"), *tensors().find("floats")));
}

std::uint64_t file_bytes(int fd) {
  struct stat info = {};
  EXPECT_EQ(fstat(fd, &info), 0);
  return static_cast<std::uint64_t>(info.st_blocks) * 512;
}

TEST(Protocol, ARegionThatShrinksGivesItsPagesBackAndKeepsTheRest) {
  constexpr std::size_t kPage = 4096;
  auto region = SharedRegion::create(1000 * kPage);
  ASSERT_TRUE(region) << region.error().message();
  (*region)->take_pages({});
  std::memset((*region)->bytes().data(), 'a', 10 * kPage);
  (*region)->shrink(2 * kPage + 1);
  EXPECT_EQ((*region)->bytes().size(), 2 * kPage + 1);
  (*region)->take_pages({});
  const auto bytes = (*region)->bytes();
  const std::string expected(bytes.size(), 'a');
  EXPECT_EQ(std::memcmp(bytes.data(), expected.data(), bytes.size()), 0);
  const auto packet = encode(Reply(Inferred{{tensors(), 0.5}, *region}));  // small ones follow it
  ASSERT_TRUE(packet) << packet.error().message();
  EXPECT_LE(file_bytes(packet->shared.get()), 8 * kPage);
  const auto reply = decode_reply(*packet);
  ASSERT_TRUE(reply) << reply.error().message();
  expect_same(std::get<Inferred>(*reply).result.outputs, tensors());
}

TEST(Protocol, SendsSharedRegionsWithoutACopy) {
  auto region = SharedRegion::create(3 * 4096);
  ASSERT_TRUE(region) << region.error().message();
  (*region)->take_pages({});
  const std::span<std::byte> bytes = (*region)->bytes();
  const std::vector<float> values = {1, -2, 3};
  std::memcpy(bytes.data() + 8192, values.data(), 12);
  tensor::NamedTensors outputs = tensors();
  outputs.set("placed",
              Tensor::make(ElementType::float32, {3}, tensor::Buffer(bytes.subspan(8192, 12), *region)).value());
  auto packet = encode(Reply(Inferred{{outputs, 0.5}, *region}));
  ASSERT_TRUE(packet) << packet.error().message();
  EXPECT_EQ(pwrite(packet->shared.get(), "x", 1, 0), -1) << "it is sealed";
  const auto reply = decode_reply(*packet);
  ASSERT_TRUE(reply) << reply.error().message();
  outputs.set("placed", Tensor::of<float>(ElementType::float32, {3}, values));
  expect_same(std::get<Inferred>(*reply).result.outputs, outputs);
}

std::string error_of(const base::Expected<Request>& result) {
  return result ? "no error" : result.error().message();
}

TEST(Protocol, RejectsTensorsThatExceedTheMemory) {
  const auto packet = encode(Request(InferRequest{tensors(), {}}));
  ASSERT_TRUE(packet);
  EXPECT_THAT(error_of(decode_request({packet->body, {}})), HasSubstr("8 bytes at offset 0, but only 0 were sent"));
}

TEST(Protocol, RejectsMemoryThatIsNotSealed) {
  const auto packet = encode(Request(InferRequest{tensors(), {}}));
  ASSERT_TRUE(packet);
  FileDescriptor unsealed(memfd_create("test", MFD_CLOEXEC));
  ASSERT_EQ(ftruncate(unsealed.get(), 4096), 0);
  EXPECT_THAT(error_of(decode_request({packet->body, std::move(unsealed)})), HasSubstr("sealed"));
  EXPECT_THAT(error_of(decode_request({packet->body, FileDescriptor(open("/dev/zero", O_RDONLY | O_CLOEXEC))})),
              HasSubstr("sealed"));
}

TEST(Protocol, RejectsInvalidMessages) {
  EXPECT_FALSE(decode_request({"", {}}));
  EXPECT_FALSE(decode_request({"\xff\xff", {}}));
  EXPECT_FALSE(decode_reply({"", {}}));
  EXPECT_FALSE(decode_reply({std::string(1000, '\x7f'), {}}));
}

// The decoder survives any bytes, and every byte of the tensors that it accepts can be read.
TEST(Protocol, SurvivesDamagedMessages) {
  std::mt19937 random(20240517);  // NOLINT: a constant seed, for the same damage every time
  const std::vector<std::string> bodies = {
      encode(Request(InferRequest{tensors(), {"a"}}))->body,
      encode(Request(LoadRequest{ModelBytes{tensor::Buffer::own(std::string(100, 'x')), "/d"}}))->body,
      encode(Reply(Inferred{{tensors(), 1}}))->body,
      encode(Reply(Loaded{{"", {{"x", ElementType::int4, {1}}}, {}, 1}}))->body,
  };
  SharedMemoryWriter writer;
  ASSERT_TRUE(writer.add(tensor::Buffer::own(std::string(300, 'm')).bytes()));
  const FileDescriptor memory = std::move(writer).finish().value();
  std::size_t accepted = 0;
  std::size_t bytes_read = 0;
  const auto read = [&](const tensor::NamedTensors& read_tensors) {
    ++accepted;
    for (const auto& [name, tensor] : read_tensors) {
      for (const std::byte byte : tensor.bytes()) bytes_read += byte == std::byte{'m'};
    }
  };
  for (int round = 0; round < 20000; ++round) {
    std::string body = bodies[random() % bodies.size()];
    for (std::size_t damage = random() % 4; damage > 0; --damage)
      body[random() % body.size()] = static_cast<char>(random());
    if (random() % 4 == 0) body.resize(random() % body.size());
    Packet packet{body, FileDescriptor(fcntl(memory.get(), F_DUPFD_CLOEXEC, 0))};
    if (const auto request = decode_request(packet)) {
      if (const auto* infer = std::get_if<InferRequest>(&*request)) read(infer->feeds);
    }
    if (const auto reply = decode_reply(packet)) {
      if (const auto* inferred = std::get_if<Inferred>(&*reply)) read(inferred->result.outputs);
    }
  }
  EXPECT_GT(accepted, 100U);
  EXPECT_GT(bytes_read, 0U);
}

}  // namespace
}  // namespace assay::worker
