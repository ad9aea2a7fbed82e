#include "surgeon/float16/scope.h"

#include <algorithm>

namespace assay::surgeon {
namespace {

using Entry = Float16Scope::Entry;

Precision other(Precision precision) {
  return precision == Precision::float32 ? Precision::float16 : Precision::float32;
}

std::string ending(Precision precision) {
  return precision == Precision::float32 ? "/float32" : "/float16";
}

bool wants(const Entry& entry, Precision precision) {
  const auto at = entry.wanted.find(precision);
  return at != entry.wanted.end() && at->second;
}

}  // namespace

void Float16Scope::define(const std::string& name, Origin origin, Precision precision, bool is_output) {
  Entry& entry = entries_[name];
  entry.type = types_[name];
  entry.origin = origin;
  entry.precision = precision;
  entry.is_output = is_output;
  if (is_output) entry.wanted[Precision::float32] = true;
}

const std::string& Float16Scope::type(const std::string& name) const {
  static const std::string unknown;
  for (const Float16Scope* scope = this; scope != nullptr; scope = scope->outer_) {
    if (!scope->entries_.contains(name)) continue;
    const auto at = scope->types_.find(name);
    return at == scope->types_.end() ? unknown : at->second;
  }
  // Types of node outputs are needed before the outputs are defined.
  const auto at = types_.find(name);
  return at == types_.end() ? unknown : at->second;
}

Entry* Float16Scope::look_up(const std::string& name) {
  for (Float16Scope* scope = this; scope != nullptr; scope = scope->outer_) {
    const auto at = scope->entries_.find(name);
    if (at != scope->entries_.end()) return &at->second;
  }
  return nullptr;
}

void Float16Scope::want(const std::string& name, Precision precision) {
  if (Entry* entry = look_up(name)) entry->wanted[precision] = true;
}

void Float16Scope::want_any(const std::string& name) {
  Entry* entry = look_up(name);
  if (entry != nullptr && entry->origin == Origin::weight) entry->wanted[Precision::float16] = true;
}

bool Float16Scope::keep_float32(const std::string& name) {
  const auto at = entries_.find(name);
  if (at == entries_.end() || at->second.type != "tensor(float)" || !wants(at->second, Precision::float32))
    return false;
  at->second.precision = Precision::float32;
  return true;
}

bool Float16Scope::casts_others() const {
  return std::ranges::any_of(entries_, [](const auto& item) {
    const Entry& entry = item.second;
    const bool is_other = is_float32(entry.type) && entry.type != "tensor(float)";
    return is_other &&
           (wants(entry, other(entry.precision)) || (entry.is_output && entry.precision != Precision::float32));
  });
}

void Float16Scope::choose_names(const std::function<std::string(const std::string& base)>& fresh) {
  for (auto& [name, entry] : entries_) {
    entry.produced_name = name;
    if (!is_float32(entry.type)) continue;
    if (entry.origin == Origin::weight) {
      const bool half = wants(entry, Precision::float16) && !entry.is_output;
      entry.precision = half ? Precision::float16 : Precision::float32;
    }
    const Precision known_as = entry.is_output ? Precision::float32 : entry.precision;
    entry.names[known_as] = name;
    if (known_as != entry.precision) {
      entry.produced_name = fresh(name + ending(entry.precision));
      entry.casts.push_back({entry.produced_name, name, known_as});
    }
    if (const Precision second = other(known_as); wants(entry, second)) {
      entry.names[second] = fresh(name + ending(second));
      if (entry.origin != Origin::weight) entry.casts.push_back({name, entry.names[second], second});
    }
  }
}

std::string Float16Scope::name(const std::string& name, Precision precision) const {
  for (const Float16Scope* scope = this; scope != nullptr; scope = scope->outer_) {
    const auto at = scope->entries_.find(name);
    if (at == scope->entries_.end()) continue;
    const auto chosen = at->second.names.find(precision);
    return chosen == at->second.names.end() ? name : chosen->second;
  }
  return name;
}

const Entry* Float16Scope::find(const std::string& name) const {
  const auto at = entries_.find(name);
  return at == entries_.end() || !is_float32(at->second.type) ? nullptr : &at->second;
}

}  // namespace assay::surgeon
