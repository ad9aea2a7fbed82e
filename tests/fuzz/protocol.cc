// Messages between Assay and a worker, either of which may send anything. The first byte chooses what receives the
// rest: the decoder of requests or of replies, with shared memory of as many bytes as the second byte says, or the
// socket.
#include "worker/protocol.h"

#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/fuzz/fuzz.h"
#include "worker/channel.h"

namespace {
using namespace assay;

worker::Packet packet_of(std::string_view bytes) {
  const std::vector<std::byte> shared(fuzz::choose(bytes, 256), std::byte{'s'});
  worker::SharedMemoryWriter writer;
  if (!shared.empty()) fuzz::require(writer.add(shared).has_value(), "shared memory is available");
  return {std::string(bytes), std::move(writer).finish().value()};
}

// What was decoded can be sent.
template <class Message>
void send_again(const base::Expected<Message>& decoded) {
  if (decoded) fuzz::require(worker::encode(*decoded).has_value(), "a decoded message can be encoded");
}

void receive(std::string_view bytes) {
  auto ends = worker::Channel::pair().value();
  worker::Channel channel(std::move(ends.second));
  {
    const worker::FileDescriptor sender = std::move(ends.first);
    if (!bytes.empty()) fuzz::require(::write(sender.get(), bytes.data(), bytes.size()) > 0, "bytes can be sent");
  }
  while (channel.receive() == worker::Progress::done) channel.take();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes = fuzz::text_of(data, size);
  switch (fuzz::choose(bytes, 3)) {
    case 0:
      send_again(worker::decode_request(packet_of(bytes)));
      break;
    case 1:
      send_again(worker::decode_reply(packet_of(bytes)));
      break;
    default:
      receive(bytes);
  }
  return 0;
}
