// Sends and receives packets in a worker, blocking until they are complete.
#pragma once

#include "worker/channel.h"

namespace assay::backend {

inline constexpr const char* kOtherVersion =
    "this worker belongs to another version of Assay: install both from the same version";

// Returns true if a descriptor is a socket. It is one if Assay started the worker.
bool is_socket(int fd);
// Writes an error for users who start a worker directly. Returns the exit status.
int report_missing_channel();

// Receives a whole packet. Returns done, or how the connection ended.
worker::Progress receive_packet(worker::Channel& channel);
// Returns false if the other end has disconnected. Replaces a reply that is too large by a Refused that says so.
bool send_reply(worker::Channel& channel, const worker::Reply& reply);

}  // namespace assay::backend
