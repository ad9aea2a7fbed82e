#include "tensor/npy_strings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/utf8.h"

namespace assay::tensor {
namespace {

using base::ErrorKind;
using base::fail;

constexpr std::uint32_t kLastCharacter = 0x10FFFF;

bool is_surrogate(std::uint32_t character) {
  return character >= 0xD800 && character <= 0xDFFF;
}

// Returns the characters of a UTF-8 text, or nullopt if it isn't UTF-8.
std::optional<std::u32string> from_utf8(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) {
    const auto character = base::first_character(text);
    if (!character) return std::nullopt;
    characters.push_back(character->code);
    text.remove_prefix(character->length);
  }
  return characters;
}

void append_utf8(std::string& text, std::uint32_t c) {
  const auto put = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6), put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 0x3F)), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
  }
}

base::Expected<std::string> parse_unicode(std::span<const std::byte> item, bool big_endian) {
  std::string text;
  std::size_t zeros = 0;  // pending: part of the text only if another character follows
  for (std::size_t i = 0; i < item.size(); i += 4) {
    std::uint32_t c = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      c |= std::to_integer<std::uint32_t>(item[i + k]) << 8 * (big_endian ? 3 - k : k);
    }
    if (c > kLastCharacter || is_surrogate(c)) {
      return fail(ErrorKind::invalid_input,
                  fmt::format("an .npy string has a character that is not Unicode: {:#x}", c));
    }
    if (c == 0) {
      ++zeros;
      continue;
    }
    text.append(std::exchange(zeros, 0), '\0');
    append_utf8(text, c);
  }
  return text;
}

}  // namespace

std::string NpyStringForm::descr() const {
  return fmt::format("{}{}", unicode ? "<U" : "|S", width);
}

base::Expected<NpyStringForm> npy_string_form(const std::vector<std::string>& values) {
  NpyStringForm form;
  std::size_t characters = 1;
  std::size_t bytes = 1;
  for (const std::string& value : values) {
    if (value.ends_with('\0')) {
      return fail(ErrorKind::unsupported, "a string that ends in a zero byte cannot be saved in NumPy's format", {},
                  "Remove the zero, or create the string inside the model");
    }
    bytes = std::max(bytes, value.size());
    const auto text = form.unicode ? from_utf8(value) : std::nullopt;
    form.unicode = text.has_value();
    if (text) characters = std::max(characters, text->size());
  }
  form.width = form.unicode ? characters : bytes;
  return form;
}

base::Status write_npy_strings(const std::vector<std::string>& values, const NpyStringForm& form,
                               const ByteSink& sink) {
  for (const std::string& value : values) {
    std::string item;
    if (form.unicode) {
      const auto characters = from_utf8(value).value_or(std::u32string());
      item.assign(reinterpret_cast<const char*>(characters.data()), characters.size() * 4);
    } else {
      item = value;
    }
    item.resize(form.item_bytes(), '\0');
    ASSAY_TRY(sink(item));
  }
  return {};
}

base::Expected<std::vector<std::string>> parse_npy_strings(std::span<const std::byte> data, std::uint64_t count,
                                                           const NpyStringForm& form, bool big_endian) {
  std::vector<std::string> values;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto item = data.subspan(i * form.item_bytes(), form.item_bytes());
    if (form.unicode) {
      ASSAY_ASSIGN(std::string value, parse_unicode(item, big_endian));
      values.push_back(std::move(value));
    } else {
      const std::string_view text(reinterpret_cast<const char*>(item.data()), item.size());
      const std::size_t last = text.find_last_not_of('\0');
      values.emplace_back(last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1));
    }
  }
  return values;
}

}  // namespace assay::tensor
