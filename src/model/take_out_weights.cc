// One walk over the wire format. Messages smaller than kByReference are copied unexamined, so the walk touches little
// more than the headers of large messages, and its cost does not depend on the size of the weights.
//
// The length of a message is known only after its content is written. It therefore always takes five bytes, which
// protobuf accepts, and is filled in later.
#include "model/take_out_weights.h"

#include <fmt/format.h>

#include <limits>

#include "model/model.h"
#include "model/wire.h"
#include "tensor/tensor.h"

namespace assay::model {
namespace {

using base::ErrorKind;
using base::fail;
using wire::Field;
using wire::FieldReader;
using wire::Message;
using TensorField = onnx::TensorProto;  // for the numbers of its fields

constexpr std::size_t kLengthBytes = 5;

base::Status damaged() {
  return fail(ErrorKind::invalid_input, "the file is damaged: it is not valid protobuf", {}, "Export or copy it again");
}

// The facts that decide whether the values of a tensor can be cut out.
struct TensorFacts {
  tensor::ElementType type = tensor::ElementType::undefined;
  tensor::Shape shape;
  int value_fields = 0;
  Field values;
  bool plain = true;  // no segments, other data forms or external data, all of which would need interpretation
};

TensorFacts read_facts(std::string_view tensor) {
  TensorFacts facts;
  FieldReader reader(tensor);
  while (const auto field = reader.next()) {
    switch (field->number) {
      case TensorField::kDimsFieldNumber:
        if (field->type == wire::Type::varint) facts.shape.push_back(static_cast<std::int64_t>(field->value));
        if (field->type == wire::Type::bytes) {
          for (std::string_view packed = field->content; !packed.empty();) {
            facts.shape.push_back(static_cast<std::int64_t>(wire::read_varint(packed).value_or(0)));
          }
        }
        break;
      case TensorField::kDataTypeFieldNumber:
        facts.type = static_cast<tensor::ElementType>(static_cast<std::int32_t>(field->value));
        break;
      case TensorField::kRawDataFieldNumber:
      case TensorField::kFloatDataFieldNumber:
      case TensorField::kDoubleDataFieldNumber:
        ++facts.value_fields;
        facts.values = *field;
        break;
      case TensorField::kSegmentFieldNumber:
      case TensorField::kInt32DataFieldNumber:
      case TensorField::kStringDataFieldNumber:
      case TensorField::kInt64DataFieldNumber:
      case TensorField::kUint64DataFieldNumber:
      case TensorField::kExternalDataFieldNumber:
        facts.plain = false;
        break;
      case TensorField::kDataLocationFieldNumber:
        facts.plain &= field->value == 0;
        break;
      default:
        break;
    }
  }
  facts.plain &= reader.ended();
  return facts;
}

bool holds(std::uint32_t value_field, tensor::ElementType type) {
  using enum tensor::ElementType;
  switch (value_field) {
    case TensorField::kFloatDataFieldNumber:
      return type == float32 || type == complex64;
    case TensorField::kDoubleDataFieldNumber:
      return type == float64 || type == complex128;
    default:
      return type != float6e2m3 && type != float6e3m2;  // the only types with padding inside
  }
}

bool can_take_out(const TensorFacts& facts) {
  if (!facts.plain || facts.value_fields != 1 || facts.values.type != wire::Type::bytes) return false;
  if (facts.values.content.size() < kByReference || !holds(facts.values.number, facts.type)) return false;
  const auto count = tensor::element_count(facts.shape);
  const auto bytes = count ? tensor::byte_size(facts.type, *count) : std::nullopt;
  return bytes && *bytes == facts.values.content.size();
}

class Rewriter {
 public:
  Rewriter(const base::MappedFile& file, std::string_view location) : file_(file), location_(location) {
    file_.expect_sparse_access(true);
  }

  ~Rewriter() { file_.expect_sparse_access(false); }
  Rewriter(const Rewriter&) = delete;
  Rewriter& operator=(const Rewriter&) = delete;

  base::Status message(std::string_view content, Message kind, int depth) {
    if (depth > wire::kMaxDepth) {
      return fail(ErrorKind::invalid_input, fmt::format("graphs are nested deeper than {} messages", wire::kMaxDepth));
    }
    FieldReader reader(content);
    const char* begin = content.data();  // of the bytes not yet copied
    look_ahead(begin);
    while (const auto field = reader.next()) {
      look_ahead(field->whole.data() + field->whole.size());
      const auto child = field->type == wire::Type::bytes ? wire::message_of(kind, field->number) : std::nullopt;
      if (!child || field->content.size() < kByReference) continue;
      const TensorFacts facts = *child == Message::tensor ? read_facts(field->content) : TensorFacts{};
      if (*child == Message::tensor && !can_take_out(facts)) continue;
      out_.append(begin, field->whole.data());
      begin = field->whole.data() + field->whole.size();
      const std::size_t length_at = open(field->number);
      if (*child == Message::tensor) {
        reference(field->content, facts);
      } else {
        ASSAY_TRY(message(field->content, *child, depth + 1));
      }
      ASSAY_TRY(close(length_at));
    }
    if (!reader.ended()) return damaged();
    out_.append(begin, content.data() + content.size());
    return {};
  }

  [[nodiscard]] bool took_some() const { return took_some_; }
  std::string result() && { return std::move(out_); }

 private:
  std::size_t open(std::uint32_t field_number) {
    wire::append_varint(out_, static_cast<std::uint64_t>(field_number) << 3 | static_cast<unsigned>(wire::Type::bytes));
    out_.append(kLengthBytes, '\0');
    return out_.size() - kLengthBytes;
  }

  base::Status close(std::size_t length_at) {
    std::uint64_t length = out_.size() - length_at - kLengthBytes;
    if (length > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) {
      return fail(ErrorKind::unsupported, "the model has 2 GiB or more without its weights");
    }
    for (std::size_t i = 0; i < kLengthBytes; ++i) {
      const std::uint64_t more = i + 1 < kLengthBytes ? 0x80 : 0;
      out_[length_at + i] = static_cast<char>((length & 0x7F) | more);
      length >>= 7;
    }
    return {};
  }

  void reference(std::string_view tensor, const TensorFacts& facts) {
    const char* values = facts.values.whole.data();
    out_.append(tensor.data(), values);
    out_.append(values + facts.values.whole.size(), tensor.data() + tensor.size());
    wire::append_varint(out_, TensorField::kDataLocationFieldNumber << 3);
    wire::append_varint(out_, 1);  // TensorProto.EXTERNAL
    entry("location", location_);
    entry("offset", std::to_string(position(facts.values.content.data())));
    entry("length", std::to_string(facts.values.content.size()));
    entry(kInlineKey, inline_form(facts.values.number));
    took_some_ = true;
    const auto end = position(facts.values.content.data()) + facts.values.content.size();
    // A touched byte can bring in a page of 2 MiB: without this, a walk over the headers would count as reading the
    // whole file.
    if (end - released_ > kReleaseEvery) file_.release(released_ = end);
  }

  // Prefetches a little before the walk reaches `at`. The kernel's own read-ahead would read most of the weights that
  // the walk skips.
  void look_ahead(const char* at) {
    const std::size_t here = position(at);
    if (here >= prefetched_from_ && here < prefetched_from_ + kLookAhead / 2) return;
    file_.prefetch(here, kLookAhead);
    prefetched_from_ = here;
  }

  [[nodiscard]] std::size_t position(const char* at) const {
    return static_cast<std::size_t>(at - reinterpret_cast<const char*>(file_.bytes().data()));
  }

  static std::string_view inline_form(std::uint32_t value_field) {
    return value_field == TensorField::kFloatDataFieldNumber    ? kInlineFloats
           : value_field == TensorField::kDoubleDataFieldNumber ? kInlineDoubles
                                                                : kInlineRaw;
  }

  void entry(std::string_view key, std::string_view value) {
    std::string content;
    wire::append_bytes(content, onnx::StringStringEntryProto::kKeyFieldNumber, key);
    wire::append_bytes(content, onnx::StringStringEntryProto::kValueFieldNumber, value);
    wire::append_bytes(out_, TensorField::kExternalDataFieldNumber, content);
  }

  static constexpr std::size_t kReleaseEvery = 16 << 20;
  static constexpr std::size_t kLookAhead = 128 << 10;
  const base::MappedFile& file_;
  std::string_view location_;
  std::string out_;
  bool took_some_ = false;
  std::size_t prefetched_from_ = std::numeric_limits<std::size_t>::max() / 2;
  std::size_t released_ = 0;  // bytes of the file whose memory was released
};

// Checks that the fields of the outermost message end where the file ends. In a truncated file they don't.
base::Status check_end(std::string_view file) {
  FieldReader reader(file);
  while (reader.next()) {
  }
  if (reader.ended()) return {};
  if (!reader.overruns()) return damaged();
  return fail(ErrorKind::invalid_input,
              fmt::format("the file is cut off: it ends, after {} bytes, inside the model", file.size()), {},
              "Copy or download it again");
}

}  // namespace

base::Expected<std::string> take_out_weights(const base::MappedFile& file, std::string_view location) {
  const std::string_view bytes(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  ASSAY_TRY(check_end(bytes));
  Rewriter rewriter(file, location);
  ASSAY_TRY(rewriter.message(bytes, Message::model, 1));
  return rewriter.took_some() ? std::move(rewriter).result() : std::string();
}

}  // namespace assay::model
