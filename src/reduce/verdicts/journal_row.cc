// Each row carries a hash of itself, since SQLite detects broken pages but not changed bytes inside a page.
#include "reduce/verdicts/journal_row.h"

#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "reduce/verdicts/hash.h"

namespace assay::reduce {
namespace {

// Names instead of numbers: new kinds of verdicts don't renumber them, and people can read them.
constexpr std::array kKinds = {std::pair{Verdict::Kind::passes, std::string_view("passes")},
                               std::pair{Verdict::Kind::fails, std::string_view("fails")},
                               std::pair{Verdict::Kind::unresolved, std::string_view("unresolved")}};

std::string_view kind_name(Verdict::Kind kind) {
  for (const auto& [value, name] : kKinds) {
    if (value == kind) return name;
  }
  return {};
}

std::optional<Verdict::Kind> kind_of(std::string_view text) {
  for (const auto& [value, name] : kKinds) {
    if (name == text) return value;
  }
  return std::nullopt;
}

void add_number(Hash& hash, std::uint64_t number) {
  hash.add({reinterpret_cast<const char*>(&number), sizeof number});
}

std::string checksum(const JournalRow& row) {
  Hash hash;
  for (const std::string_view part :
       {std::string_view(row.identity), std::string_view(row.candidate), kind_name(row.verdict.kind),
        std::string_view(row.verdict.text), std::string_view(row.verdict.output)}) {
    add_number(hash, part.size());
    hash.add(part);
  }
  add_number(hash, std::bit_cast<std::uint64_t>(row.verdict.seconds));
  return hash.hex();
}

}  // namespace

std::optional<JournalRow> read_row(const sqlite::Statement& rows) {
  JournalRow row{.identity = rows.bytes(0), .candidate = rows.bytes(1), .verdict = {}};
  const auto kind = kind_of(rows.bytes(2));
  if (!kind) return std::nullopt;
  row.verdict = {.kind = *kind, .text = rows.bytes(3), .output = rows.bytes(4), .seconds = rows.real(5)};
  if (rows.bytes(6) != checksum(row)) return std::nullopt;
  return row;
}

sqlite::Result<void> write_row(sqlite::Statement& insert, const JournalRow& row) {
  insert.reset();
  insert.bind(1, row.identity);
  insert.bind(2, row.candidate);
  insert.bind(3, kind_name(row.verdict.kind));
  insert.bind(4, row.verdict.text);
  insert.bind(5, row.verdict.output);
  insert.bind(6, row.verdict.seconds);
  insert.bind(7, checksum(row));
  const auto done = insert.step();
  insert.reset();  // ends its transaction
  if (!done) return tl::unexpected(done.error());
  return {};
}

}  // namespace assay::reduce
