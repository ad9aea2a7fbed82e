// Puts messages of one model into a repeated field of another without copying them.
//
// A candidate of the reducer has a subset of the original model's nodes and tensors. Copying and freeing those took
// more time than everything else that a candidate costs, and more the larger the heap was. This is protobuf's
// documented idiom for pointers that a field doesn't own: they are extracted again before the field is destroyed.
#pragma once

#include <google/protobuf/repeated_ptr_field.h>

namespace assay::model {

// `field` must belong to a message that isn't on an arena. The field neither owns nor changes the lent messages: users
// of the message may only read it or copy it (a copy has its own messages). The field and the lent messages must
// outlive this object.
template <class Message>
class LentMessages {
 public:
  using Field = google::protobuf::RepeatedPtrField<Message>;
  explicit LentMessages(Field& field) : field_(field), begin_(field.size()) {}
  LentMessages(const LentMessages&) = delete;
  LentMessages& operator=(const LentMessages&) = delete;
  ~LentMessages() { field_.UnsafeArenaExtractSubrange(begin_, count_, nullptr); }

  void reserve(std::size_t count) { field_.Reserve(begin_ + static_cast<int>(count)); }
  // Must be called before anything else is added to the field.
  void add(const Message& message) {
    field_.UnsafeArenaAddAllocated(const_cast<Message*>(&message));
    ++count_;
  }

 private:
  Field& field_;
  int begin_;  // index of the first lent message
  int count_ = 0;
};

}  // namespace assay::model
