// Messages hold only descriptions: elements and models go into shared memory, and a message refers to them by offset
// and length. Every reference is checked against the size of the memory that actually arrived, and then becomes a view
// of it, so large tensors are copied once, by their sender, or not at all if they were created in a SharedRegion.
#include "worker/protocol.h"

#include <fmt/format.h>

#include "protocol.pb.h"
#include "worker/overloaded.h"
#include "worker/shared_memory.h"

namespace assay::worker {
namespace {

using base::ErrorKind;
using base::fail;

using WireTensors = google::protobuf::RepeatedPtrField<wire::Tensor>;
using WirePorts = google::protobuf::RepeatedPtrField<wire::Port>;
using WireMessages = google::protobuf::RepeatedPtrField<wire::EngineMessage>;

base::Status to_wire(const tensor::NamedTensors& tensors, WireTensors& wire, SharedMemoryWriter& shared) {
  for (const auto& [name, tensor] : tensors) {
    wire::Tensor& out = *wire.Add();
    out.set_name(name);
    out.set_type(static_cast<std::int32_t>(tensor.type()));
    out.mutable_shape()->Add(tensor.shape().begin(), tensor.shape().end());
    if (tensor.type() == tensor::ElementType::string) {
      for (const std::string& value : tensor.strings()) out.add_strings(value);
      continue;
    }
    ASSAY_ASSIGN(const std::uint64_t offset, shared.add(tensor.bytes()));
    out.set_offset(offset);
    out.set_length(tensor.bytes().size());
  }
  return {};
}

tensor::ElementType type_from_wire(std::int32_t number) {
  return tensor::info(static_cast<tensor::ElementType>(number)).type;  // `undefined` if there is no such type
}

base::Expected<tensor::Buffer> part_of(const tensor::Buffer& shared, std::uint64_t offset, std::uint64_t length) {
  const std::uint64_t size = shared.bytes().size();
  if (length == 0) return tensor::Buffer();
  if (offset > size || length > size - offset) {
    return fail(
        ErrorKind::invalid_input,
        fmt::format("the message refers to {} bytes at offset {}, but only {} were sent", length, offset, size));
  }
  const auto bytes = shared.bytes().subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
  return tensor::Buffer(bytes, std::make_shared<const tensor::Buffer>(shared));
}

base::Expected<tensor::Tensor> from_wire(const wire::Tensor& wire, const tensor::Buffer& shared) {
  const tensor::ElementType type = type_from_wire(wire.type());
  if (type == tensor::ElementType::undefined) {
    return fail(ErrorKind::invalid_input, fmt::format("unknown element type {}", wire.type()));
  }
  tensor::Shape shape(wire.shape().begin(), wire.shape().end());
  if (type == tensor::ElementType::string) {
    return tensor::Tensor::make_strings(std::move(shape), {wire.strings().begin(), wire.strings().end()});
  }
  ASSAY_ASSIGN(tensor::Buffer bytes, part_of(shared, wire.offset(), wire.length()));
  return tensor::Tensor::make(type, std::move(shape), std::move(bytes));
}

base::Expected<tensor::NamedTensors> from_wire(const WireTensors& wire, const tensor::Buffer& shared) {
  tensor::NamedTensors tensors;
  for (const wire::Tensor& item : wire) {
    auto tensor = from_wire(item, shared);
    if (!tensor) return fail(std::move(tensor).error().within(fmt::format("tensor '{}'", item.name())));
    tensors.set(item.name(), *std::move(tensor));
  }
  return tensors;
}

void to_wire(const std::vector<Port>& ports, WirePorts& wire) {
  for (const Port& port : ports) {
    wire::Port& out = *wire.Add();
    out.set_name(port.name);
    out.set_type(static_cast<std::int32_t>(port.type));
    out.mutable_shape()->Add(port.shape.begin(), port.shape.end());
    out.set_kind(port.kind);
  }
}

std::vector<Port> from_wire(const WirePorts& wire) {
  std::vector<Port> ports;
  for (const wire::Port& port : wire) {
    ports.push_back(
        {port.name(), type_from_wire(port.type()), {port.shape().begin(), port.shape().end()}, port.kind()});
  }
  return ports;
}

void to_wire(const std::vector<EngineMessage>& messages, WireMessages& wire) {
  for (const EngineMessage& message : messages) {
    wire::EngineMessage& out = *wire.Add();
    out.set_level(static_cast<std::int32_t>(message.level));
    out.set_text(message.text);
  }
}

base::Expected<std::vector<EngineMessage>> from_wire(const WireMessages& wire) {
  constexpr std::int32_t kLast = static_cast<std::int32_t>(base::Level::critical);
  std::vector<EngineMessage> messages;
  for (const wire::EngineMessage& message : wire) {
    if (message.level() < 0 || message.level() > kLast) {
      return fail(ErrorKind::invalid_input, fmt::format("unknown level {} of a message", message.level()));
    }
    messages.push_back({static_cast<base::Level>(message.level()), message.text()});
  }
  return messages;
}

void to_wire(const OpenRequest& request, wire::Open& wire) {
  wire.set_protocol(request.protocol);
  wire.set_library(request.library);
  for (const auto& [name, value] : request.options) {
    wire.add_option_names(name);
    wire.add_option_values(value);
  }
}

base::Expected<Request> from_wire(const wire::Open& wire) {
  if (wire.option_names_size() != wire.option_values_size()) {
    return fail(ErrorKind::invalid_input, "the numbers of option names and option values differ");
  }
  OpenRequest request{wire.protocol(), wire.library(), {}};
  for (int i = 0; i < wire.option_names_size(); ++i) request.options[wire.option_names(i)] = wire.option_values(i);
  return request;
}

base::Status to_wire(const ModelSource& model, wire::Load& wire, SharedMemoryWriter& shared) {
  if (const auto* file = std::get_if<ModelFile>(&model)) {
    wire.set_path(file->path.string());
    return {};
  }
  const auto& bytes = std::get<ModelBytes>(model);
  wire.set_from_memory(true);
  wire.set_length(bytes.bytes.bytes().size());
  wire.set_external_data_dir(bytes.external_data_dir.string());
  wire.set_output_bytes(bytes.output_bytes);
  ASSAY_TRY(shared.add(bytes.bytes.bytes()));
  return {};
}

base::Expected<Request> from_wire(const wire::Load& wire, const tensor::Buffer& shared) {
  if (!wire.from_memory()) return LoadRequest{ModelFile{wire.path()}};
  ASSAY_ASSIGN(tensor::Buffer bytes, part_of(shared, 0, wire.length()));
  return LoadRequest{ModelBytes{std::move(bytes), wire.external_data_dir(), wire.output_bytes()}};
}

base::Expected<Reply> from_wire(const wire::Refused& wire) {
  constexpr std::int32_t kLast = static_cast<std::int32_t>(Phase::run);
  if (wire.phase() < 0 || wire.phase() > kLast) {
    return fail(ErrorKind::invalid_input, fmt::format("unknown phase {}", wire.phase()));
  }
  return Refused{Failed{static_cast<Phase>(wire.phase()), wire.code(), wire.message()}, wire.out_of_memory()};
}

template <class Message>
base::Expected<Packet> pack(const Message& message, SharedMemoryWriter shared) {
  Packet packet;
  if (!message.SerializeToString(&packet.body)) {
    return fail(ErrorKind::unsupported, "a message of more than 2 GiB cannot be sent to a worker");
  }
  ASSAY_ASSIGN(packet.shared, std::move(shared).finish());
  return packet;
}

}  // namespace

base::Expected<Packet> encode(const Request& request) {
  wire::Request wire;
  SharedMemoryWriter shared;
  ASSAY_TRY(std::visit(Overloaded{
                           [&](const OpenRequest& r) -> base::Status {
                             to_wire(r, *wire.mutable_open());
                             return {};
                           },
                           [&](const LoadRequest& r) { return to_wire(r.model, *wire.mutable_load(), shared); },
                           [&](const InferRequest& r) {
                             wire::Infer& infer = *wire.mutable_infer();
                             for (const std::string& name : r.wanted) infer.add_wanted(name);
                             return to_wire(r.feeds, *infer.mutable_feeds(), shared);
                           },
                           [&](const UnloadRequest&) -> base::Status {
                             wire.mutable_unload();
                             return {};
                           },
                       },
                       request));
  return pack(wire, std::move(shared));
}

base::Expected<Packet> encode(const Reply& reply) {
  wire::Reply wire;
  SharedMemoryWriter shared;
  base::Status status;
  std::visit(Overloaded{
                 [&](const Refused& r) {
                   wire::Refused& refused = *wire.mutable_refused();
                   refused.set_phase(static_cast<std::int32_t>(r.failed.phase));
                   refused.set_code(r.failed.code);
                   refused.set_message(r.failed.message);
                   refused.set_out_of_memory(r.out_of_memory);
                 },
                 [&](const Opened& r) { wire.mutable_opened()->set_version(r.version); },
                 [&](const Loaded& r) {
                   wire::Loaded& loaded = *wire.mutable_loaded();
                   to_wire(r.info.inputs, *loaded.mutable_inputs());
                   to_wire(r.info.outputs, *loaded.mutable_outputs());
                   loaded.set_load_s(r.info.load_s);
                   loaded.set_reduced_precision(r.info.reduced_precision);
                   for (const std::string& name : r.info.optimizers) loaded.add_optimizers(name);
                   to_wire(r.info.messages, *loaded.mutable_messages());
                 },
                 [&](const Inferred& r) {
                   shared = SharedMemoryWriter(r.region);
                   wire.mutable_inferred()->set_runtime_s(r.result.runtime_s);
                   to_wire(r.result.messages, *wire.mutable_inferred()->mutable_messages());
                   status = to_wire(r.result.outputs, *wire.mutable_inferred()->mutable_outputs(), shared);
                 },
                 [&](const Unloaded&) { wire.mutable_unloaded(); },
             },
             reply);
  ASSAY_TRY(std::move(status));
  return pack(wire, std::move(shared));
}

base::Expected<Request> decode_request(const Packet& packet) {
  wire::Request wire;
  if (!wire.ParseFromString(packet.body)) return fail(ErrorKind::invalid_input, "malformed request");
  ASSAY_ASSIGN(const tensor::Buffer shared, map_shared_memory(packet.shared));
  switch (wire.kind_case()) {
    case wire::Request::kOpen:
      return from_wire(wire.open());
    case wire::Request::kLoad:
      return from_wire(wire.load(), shared);
    case wire::Request::kInfer: {
      ASSAY_ASSIGN(tensor::NamedTensors feeds, from_wire(wire.infer().feeds(), shared));
      return InferRequest{std::move(feeds), {wire.infer().wanted().begin(), wire.infer().wanted().end()}};
    }
    case wire::Request::kUnload:
      return UnloadRequest{};
    case wire::Request::KIND_NOT_SET:
      break;
  }
  return fail(ErrorKind::invalid_input, "unknown kind of request");
}

base::Expected<Reply> decode_reply(const Packet& packet) {
  wire::Reply wire;
  if (!wire.ParseFromString(packet.body)) return fail(ErrorKind::invalid_input, "malformed answer");
  ASSAY_ASSIGN(const tensor::Buffer shared, map_shared_memory(packet.shared));
  switch (wire.kind_case()) {
    case wire::Reply::kRefused:
      return from_wire(wire.refused());
    case wire::Reply::kOpened:
      return Opened{wire.opened().version()};
    case wire::Reply::kLoaded: {
      ASSAY_ASSIGN(std::vector<EngineMessage> messages, from_wire(wire.loaded().messages()));
      return Loaded{{.engine_version = {},
                     .inputs = from_wire(wire.loaded().inputs()),
                     .outputs = from_wire(wire.loaded().outputs()),
                     .load_s = wire.loaded().load_s(),
                     .reduced_precision = wire.loaded().reduced_precision(),
                     .optimizers = {wire.loaded().optimizers().begin(), wire.loaded().optimizers().end()},
                     .messages = std::move(messages)}};
    }
    case wire::Reply::kInferred: {
      ASSAY_ASSIGN(tensor::NamedTensors outputs, from_wire(wire.inferred().outputs(), shared));
      ASSAY_ASSIGN(std::vector<EngineMessage> messages, from_wire(wire.inferred().messages()));
      return Inferred{{std::move(outputs), wire.inferred().runtime_s(), std::move(messages)}};
    }
    case wire::Reply::kUnloaded:
      return Unloaded{};
    case wire::Reply::KIND_NOT_SET:
      break;
  }
  return fail(ErrorKind::invalid_input, "unknown kind of answer");
}

}  // namespace assay::worker
