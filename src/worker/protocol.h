// The messages between Assay and a worker process, and their encoding.
//
// Assay sends a request, the worker sends one answer, in turn. A message is a protobuf (protocol.proto); the elements
// of tensors, and models in memory, are in shared memory that is sent with it. Both sides treat messages as untrusted:
// they check types, shapes, offsets and lengths before they read a byte.
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

// To be increased when a message changes its meaning, so that a worker of another version fails with a clear error.
inline constexpr std::uint32_t kProtocol = 1;

// The first request: loads the engine's library and sets its options. Answer: Opened.
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
  std::vector<std::string> wanted;  // outputs; empty for all
};
// Answer: Unloaded.
struct UnloadRequest {};
using Request = std::variant<OpenRequest, LoadRequest, InferRequest, UnloadRequest>;

// The answer to any request that failed.
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
  // Shared memory that some outputs are in already, so that they needn't be copied; may be null. It must not be written
  // to after encode().
  std::shared_ptr<SharedRegion> region = nullptr;
};
struct Unloaded {};
using Reply = std::variant<Refused, Opened, Loaded, Inferred, Unloaded>;

// An encoded message.
struct Packet {
  std::string body;
  FileDescriptor shared;  // not valid() if there is no shared memory
};

// Errors: io if shared memory isn't available; unsupported for messages over 2 GiB.
base::Expected<Packet> encode(const Request& request);
base::Expected<Packet> encode(const Reply& reply);
// The tensors are views of the shared memory and keep it mapped. Errors: invalid_input if the message is malformed.
base::Expected<Request> decode_request(const Packet& packet);
base::Expected<Reply> decode_reply(const Packet& packet);

}  // namespace assay::worker
