// Packets between a worker and the tool, waited for.
#pragma once

#include "worker/channel.h"

namespace assay::backend {

inline constexpr const char* kOtherVersion =
    "this worker belongs to another version of Assay: install both from the same version";

// Whether a descriptor is a socket: what it is where the tool has started us.
bool is_socket(int fd);
// Tells a person who has started a worker by hand; gives the exit status.
int complain_of_no_channel();

// Waits for a whole packet: done, or how the line ended.
worker::Progress receive_packet(worker::Channel& channel);
// False where nobody is there any more. A reply that is too large is answered by a Refused that says so.
bool send_reply(worker::Channel& channel, const worker::Reply& reply);

}  // namespace assay::backend
