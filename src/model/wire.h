// Reads protobuf's wire format field by field without building messages, and knows the path from a ModelProto to its
// tensors.
//
// Protobuf itself would copy every weight into memory. Walking the bytes finds each tensor's position in the file, and
// removing or inserting values changes only the lengths of the enclosing messages. Source:
// protobuf.dev/programming-guides/encoding. Field numbers come from the code that protobuf generates.
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
  std::uint64_t value = 0;   // varint only
  std::string_view content;  // the bytes after tag and length; for a varint, its bytes
  std::string_view whole;    // including tag and length
};

// Removes a number from the front of `rest`. Returns nothing if the number is too long, or if `rest` ends inside it and
// is then empty.
std::optional<std::uint64_t> read_varint(std::string_view& rest);

// Reads the fields of one message. Never reads outside `message`, whatever it contains.
class FieldReader {
 public:
  explicit FieldReader(std::string_view message) : rest_(message) {}
  // Returns the next field, or nothing at the end and on malformed bytes; ended() distinguishes the two.
  std::optional<Field> next();
  [[nodiscard]] bool ended() const { return rest_.empty() && !broken_; }
  // True if a field claims to be longer than the message around it, as in a truncated file.
  [[nodiscard]] bool overruns() const { return overruns_; }

 private:
  std::string_view rest_;
  bool broken_ = false;
  bool overruns_ = false;
};

// The messages on the path from a model to a tensor's data.
enum class Message : std::uint8_t { model, training_info, function, graph, node, attribute, sparse_tensor, tensor };

// Returns the kind of message that a field of type `bytes` holds, or nothing if it can't contain a tensor.
std::optional<Message> message_of(Message parent, std::uint32_t field_number);

// The nesting that protobuf accepts by default. Deeper files are refused.
inline constexpr int kMaxDepth = 100;

void append_varint(std::string& out, std::uint64_t value);
// Appends tag and length of a field of type `bytes`; the caller appends the content.
void append_header(std::string& out, std::uint32_t field_number, std::uint64_t length);
void append_bytes(std::string& out, std::uint32_t field_number, std::string_view content);

}  // namespace assay::model::wire
