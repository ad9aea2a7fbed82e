// Protobuf's wire format, read field by field without building messages, and the way from a ModelProto to its tensors.
//
// Why not protobuf itself: it copies every weight into memory. Walking the bytes finds where each tensor lies in the
// file; what is left out or put in changes only the lengths of the messages around it. Source:
// protobuf.dev/programming-guides/encoding; field numbers are those of onnx.proto.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::model::wire {

enum class Type : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

struct Field {
  std::uint32_t number = 0;
  Type type = Type::varint;
  std::uint64_t value = 0;   // of a varint
  std::string_view content;  // what follows tag and length; of a varint, its bytes
  std::string_view whole;    // with tag and length
};

// Reads a number off the front of `rest`. Nothing where `rest` ends within it (then it is empty) or it is too long.
std::optional<std::uint64_t> read_varint(std::string_view& rest);

// Reads the fields of one message. Never reads outside `message`, whatever it holds.
class FieldReader {
 public:
  explicit FieldReader(std::string_view message) : rest_(message) {}
  // The next field; nothing at the end or where the bytes are no field. Then ended() tells which it was.
  std::optional<Field> next();
  [[nodiscard]] bool ended() const { return rest_.empty() && !broken_; }
  // A field says that it is longer than the message around it: what a file that was cut off looks like.
  [[nodiscard]] bool overruns() const { return overruns_; }

 private:
  std::string_view rest_;
  bool broken_ = false;
  bool overruns_ = false;
};

// Messages on the way from a model to a tensor's data.
enum class Message : std::uint8_t { model, training_info, function, graph, node, attribute, sparse_tensor, tensor };

// What kind of message a field of type `bytes` holds; nothing where no tensor can lie in it.
std::optional<Message> message_of(Message parent, std::uint32_t field_number);

// Nesting that protobuf itself accepts by default. Deeper files are refused.
inline constexpr int kMaxDepth = 100;

// Fields of TensorProto.
namespace tensor_field {
inline constexpr std::uint32_t kDims = 1, kDataType = 2, kSegment = 3, kFloatData = 4, kInt32Data = 5, kStringData = 6,
                               kInt64Data = 7, kRawData = 9, kDoubleData = 10, kUint64Data = 11, kExternalData = 13,
                               kDataLocation = 14;
}  // namespace tensor_field

void append_varint(std::string& out, std::uint64_t value);
// Tag and length of a field of type `bytes`; the content is to follow.
void append_header(std::string& out, std::uint32_t field_number, std::uint64_t length);
void append_bytes(std::string& out, std::uint32_t field_number, std::string_view content);

}  // namespace assay::model::wire
