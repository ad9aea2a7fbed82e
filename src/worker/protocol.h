// The messages between the tool and a worker process, and their form on the wire.
//
// The tool asks, the worker answers, one message each, in turn. A message is a protobuf (protocol.proto); elements of
// tensors and models in memory lie in shared memory that goes with it. Both sides treat what they get as untrusted:
// types, shapes, offsets and lengths are checked before a byte is looked at.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "worker/engine.h"
#include "worker/file_descriptor.h"
#include "worker/outcome.h"
#include "worker/shared_memory.h"

namespace assay::worker {

// Raised when a message changes its meaning; a worker of another Assay is then refused with a clear error.
inline constexpr std::uint32_t kProtocol = 1;

// First of all: load the engine's library and take its options, for all that follows. Answer: Opened.
struct OpenRequest {
  std::uint32_t protocol = kProtocol;
  std::string library;
  std::map<std::string, std::string> options;
};
// Answer: Loaded.
struct LoadRequest {
  ModelSource model;
};
// Answer: Inferred.
struct InferRequest {
  tensor::NamedTensors feeds;
  std::vector<std::string> wanted;  // empty: all outputs
};
// Answer: Unloaded.
struct UnloadRequest {};
using Request = std::variant<OpenRequest, LoadRequest, InferRequest, UnloadRequest>;

// The answer to any request that did not work.
struct Refused {
  Failed failed;
  bool out_of_memory = false;
};
struct Opened {
  std::string version;
};
struct Loaded {
  SessionInfo info;  // without the engine's version
};
struct Inferred {
  InferResult result;
  // Where outputs lie that need not be copied to be sent; nobody may change it after encode(). Null: nowhere.
  std::shared_ptr<SharedRegion> region = nullptr;
};
struct Unloaded {};
using Reply = std::variant<Refused, Opened, Loaded, Inferred, Unloaded>;

// A message as it goes over the wire.
struct Packet {
  std::string body;
  FileDescriptor shared;  // not valid() where nothing is shared
};

// Errors: io where shared memory cannot be had.
base::Expected<Packet> encode(const Request& request);
base::Expected<Packet> encode(const Reply& reply);
// Tensors are views of the shared memory and keep it mapped. Errors: invalid_input, saying what makes no sense.
base::Expected<Request> decode_request(const Packet& packet);
base::Expected<Reply> decode_reply(const Packet& packet);

}  // namespace assay::worker
