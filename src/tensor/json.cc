// One pass over the text copies everything except arrays into an outline, in which each array is replaced by a short
// placeholder that no array can equal. The outline is parsed as JSON; views of the arrays' texts are kept by number,
// and positions in errors are translated back. A string is recognised as an array by its first characters, the base64
// of an .npy file's magic number.
#include "tensor/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/mapped_file.h"
#include "base/shorten_middle.h"
#include "tensor/base64.h"
#include "tensor/escape_bytes.h"
#include "tensor/npy.h"
#include "tensor/parse_json.h"

namespace assay::tensor {
namespace {

using base::ErrorKind;
using base::fail;
using nlohmann::ordered_json;

constexpr std::string_view kArrayStart = "k05VTVB";  // base64 of \x93NUMP, with which every .npy file begins
constexpr std::size_t kLarge = 64 << 10;             // bytes of an array's text whose pages are worth releasing
constexpr std::string_view kOldClassPrefix = "__polygraphy_encoded_";

// A document without its arrays: each is replaced by kArrayStart, '#' (not a base64 character) and its number.
struct Outline {
  std::string text;
  std::vector<std::string_view> arrays;
  // The positions in `text` and in the file after each replacement. Between two of them, both advance alike.
  std::vector<std::pair<std::size_t, std::size_t>> shifts{{0, 0}};
};

// Returns the line and the column in `file` of the byte before `at`, a position in the outline. Both count from 1; the
// column counts bytes, as nlohmann-json does.
std::pair<std::size_t, std::size_t> line_and_column(const Outline& outline, std::string_view file, std::size_t at) {
  const auto after = std::ranges::upper_bound(outline.shifts, at, {}, &std::pair<std::size_t, std::size_t>::first);
  const auto [from, to] = *std::prev(after);
  at = std::min(at - from + to, file.size() + 1);
  const std::string_view before = file.substr(0, at);
  const std::size_t line_begin = before.rfind('\n') + 1;  // 0 if this is the first line
  return {static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1, at - line_begin};
}

// Returns the position of the quote that closes the string literal whose content starts at `begin`.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  for (std::size_t at = begin; at < text.size(); ++at) {
    at = text.find('"', at);
    if (at == std::string_view::npos) break;
    std::size_t backslashes = 0;
    while (at - backslashes > begin && text[at - backslashes - 1] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return at;
  }
  return text.size();
}

// Appends text[begin, end), which contains no strings. Quotes the words that Python writes for numbers but JSON doesn't
// allow.
void add_quoting_numbers(Outline& outline, std::string_view text, std::size_t begin, std::size_t end) {
  const std::string_view between = text.substr(0, end);
  for (std::size_t word = 0; (word = between.find_first_of("NI", begin)) != std::string_view::npos;) {
    const std::string_view rest = between.substr(word);
    const std::size_t length = rest.starts_with("NaN") ? 3 : rest.starts_with("Infinity") ? 8 : 0;
    if (length == 0) {  // not JSON, which the parser will report
      outline.text += between.substr(begin, word + 1 - begin);
      begin = word + 1;
      continue;
    }
    const std::size_t number = word > begin && between[word - 1] == '-' ? word - 1 : word;
    outline.text += between.substr(begin, number - begin);
    begin = word + length;
    fmt::format_to(std::back_inserter(outline.text), "\"{}\"", between.substr(number, begin - number));
    outline.shifts.emplace_back(outline.text.size(), begin);
  }
  outline.text += between.substr(begin);
}

// `file` may be null, or the file that `text` is a view of; its pages are then released along the way.
Outline make_outline(std::string_view text, const base::MappedFile* file) {
  constexpr std::size_t kReleaseEvery = std::size_t{64} << 20;  // bytes
  Outline outline;
  std::size_t at = 0;
  std::size_t released = 0;
  while (at < text.size()) {
    if (file != nullptr && at - released > kReleaseEvery) {
      file->release(at);
      released = at;
    }
    const std::size_t quote = std::min(text.find('"', at), text.size());
    add_quoting_numbers(outline, text, at, quote);
    if (quote == text.size()) break;
    const std::size_t end = end_of_string(text, quote + 1);
    const std::string_view content = text.substr(quote + 1, end - quote - 1);
    if (content.starts_with(kArrayStart) && end < text.size()) {
      fmt::format_to(std::back_inserter(outline.text), "\"{}#{}\"", kArrayStart, outline.arrays.size());
      outline.arrays.push_back(content);
      outline.shifts.emplace_back(outline.text.size(), end + 1);
    } else {
      outline.text += text.substr(quote, end + 1 - quote);
    }
    at = end + 1;
  }
  return outline;
}

// Returns the parser's reason, with the place in `file` instead of that in the outline.
std::string explain(const nlohmann::json::exception& error, const Outline& outline, std::string_view file) {
  constexpr std::size_t kWidth = 200;  // the reason quotes the last token, which may be an array of any size
  const std::string whole = escape_bytes(base::shorten_middle(error.what(), kWidth));
  std::string_view reason = whole;  // "[ID] parse error at line L, column C: REASON" or "[ID] REASON"
  const auto* const broken = dynamic_cast<const nlohmann::json::parse_error*>(&error);
  const std::string_view before_reason = broken != nullptr ? ": " : "] ";
  reason.remove_prefix(std::min(reason.find(before_reason) + 2, reason.size()));
  if (broken == nullptr) return std::string(reason);
  const auto [line, column] = line_and_column(outline, file, broken->byte);
  return fmt::format("error at line {}, column {}: {}", line, column, reason);
}

constexpr const char* kHowToSave =
    "Save the arrays by name with numpy.savez('data.npz', NAME=array), or with save_json() of assay.json";

base::Error not_an_array(std::string_view what) {
  return {ErrorKind::invalid_input, std::string(what), {}, kHowToSave};
}

// Refuses files of arrays in other forms, which are often mistaken for those that Assay reads.
base::Status refuse_other_files(std::string_view bytes) {
  const auto refuse = [](std::string what, std::string fix) {
    return fail(ErrorKind::invalid_input, std::move(what), {}, std::move(fix));
  };
  if (bytes.starts_with("\x93NUMPY")) return refuse("an .npy file has one array without a name", kHowToSave);
  if (bytes.starts_with("PK\x03\x04")) {
    return refuse("a zip file, not a JSON file", "If it is NumPy's, give its name the extension .npz");
  }
  if (bytes.starts_with("\x80")) return refuse("a pickle, which can run code, so it isn't read", kHowToSave);
  return {};
}

}  // namespace

JsonDocument::JsonDocument() : root_(std::make_unique<ordered_json>()) {}
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

base::Expected<JsonDocument> JsonDocument::open(const std::filesystem::path& path) {
  ASSAY_ASSIGN(auto file, base::MappedFile::open(path));
  const std::string_view bytes(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
  auto document = refuse_other_files(bytes).and_then([&] { return parse(Buffer(file->bytes(), file), file); });
  if (!document) return fail(std::move(document).error().within(path.string()));
  return document;
}

base::Expected<JsonDocument> JsonDocument::parse(Buffer text, std::shared_ptr<const base::MappedFile> file) {
  JsonDocument document;
  document.text_ = std::move(text);
  document.file_ = std::move(file);
  Outline outline = make_outline(document.text_.view(), document.file_.get());
  document.arrays_ = std::move(outline.arrays);
  if (auto status = check_json_nesting(outline.text); !status) {
    status.error().fix = "Use a file that Assay or Polygraphy wrote";
    return fail(std::move(status).error());
  }
  try {
    *document.root_ = ordered_json::parse(outline.text);
  } catch (const nlohmann::json::exception& error) {
    return fail(ErrorKind::invalid_input, "not a JSON file: " + explain(error, outline, document.text_.view()), {},
                "Use a complete file that --save-inputs, --save-outputs or a similar option wrote");
  }
  return document;
}

base::Expected<std::string_view> JsonDocument::array_text(const ordered_json& object) const {
  const std::string type = polygraphy_class(object);
  if (type == "LazyArray" || type == "LazyNumpyArray") {
    const auto values = object.find("values");
    if (values == object.end()) return fail(not_an_array("the LazyArray has no values"));
    if (polygraphy_class(*values) == type) return fail(not_an_array("the LazyArray contains another LazyArray"));
    return array_text(*values);
  }
  if (type == "Tensor") {
    return fail(ErrorKind::unsupported, "a PyTorch tensor cannot be read: it is a pickle, which can run code", {},
                "Save the data with --data-loader-backend-module numpy, or convert it with tensor.numpy()");
  }
  if (type != "ndarray")
    return fail(not_an_array(type.empty() ? "not an array" : fmt::format("a {}, not an array", type)));
  const auto text = object.find("array");
  if (text == object.end() || !text->is_string()) return fail(not_an_array("the ndarray has no text"));
  const std::string_view content = text->get_ref<const std::string&>();
  std::size_t number = arrays_.size();
  if (content.starts_with(kArrayStart) && content.size() > kArrayStart.size() + 1) {
    std::from_chars(content.data() + kArrayStart.size() + 1, content.data() + content.size(), number);
  }
  if (number >= arrays_.size()) return fail(not_an_array("the text of the ndarray is not an .npy file"));
  return arrays_[number];
}

base::Expected<Tensor> JsonDocument::array(const ordered_json& object) const {
  ASSAY_ASSIGN(const std::string_view text, array_text(object));
  // Releases the pages of the file while the array is decoded, so that they and the array don't take memory together.
  const auto start = static_cast<std::size_t>(text.data() - text_.view().data());
  const auto release = [&](std::size_t characters) { file_->release(start + characters); };
  const bool large = file_ != nullptr && text.size() >= kLarge;
  ASSAY_ASSIGN(const Buffer file, decode_base64(text, large ? release : std::function<void(std::size_t)>()));
  return parse_npy(file);
}

std::uint64_t JsonDocument::array_bytes(const ordered_json& object) const {
  const auto text = array_text(object);
  return text ? text->size() / 4 * 3 : 0;
}

std::string polygraphy_class(const ordered_json& object) {
  if (!object.is_object()) return {};
  for (const auto& [key, value] : object.items()) {
    if (key == "polygraphy_class" && value.is_string()) return value.get<std::string>();
    if (key.starts_with(kOldClassPrefix)) return key.substr(kOldClassPrefix.size());
  }
  return {};
}

base::Expected<double> json_number(const ordered_json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (value == "Infinity") return std::numeric_limits<double>::infinity();
  if (value == "-Infinity") return -std::numeric_limits<double>::infinity();
  return fail(ErrorKind::invalid_input, fmt::format("expected a number, but found {}", value.dump().substr(0, 60)));
}

}  // namespace assay::tensor
