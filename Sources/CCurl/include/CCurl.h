#pragma once

#include <stddef.h>

// HTTP over a Unix socket, by libcurl. The library is loaded when it is asked for, so that commands which need no HTTP
// do not pay for it at their start.

/// Loads libcurl: NULL, or what the dynamic linker says. Call it once, before all other functions.
const char *ticds_http_load(void);

/// The version of the loaded library.
const char *ticds_http_version(void);

/// A connection that is kept for many requests, one after the other; NULL without memory.
struct ticds_http *ticds_http_new(const char *socket);
void ticds_http_free(struct ticds_http *connection);

/// What to ask for.
struct ticds_request {
    const char *url;
    /// JSON to post; NULL for GET.
    const char *body;
    size_t length;
    /// The range of bytes, "0-15"; NULL for all.
    const char *range;
    /// Gets each piece of an answer with a status of 200 to 299; the transfer ends unless it returns 1.
    int (*take)(const char *bytes, size_t count, void *context);
    /// Called at least every second; the transfer ends unless it returns 1.
    int (*wait)(void *context);
    void *context;
};

/// What was answered.
struct ticds_answer {
    /// The status of HTTP, such as 200; 0 where none came.
    long status;
    /// Last-Modified in seconds since 1970; -1 where the answer says none.
    long long modified;
    /// The first bytes of an answer with another status; valid until the next request of the connection.
    const char *refusal;
    size_t refused;
    /// The program that answers, as it names itself in the header Server; empty where it does not. Valid until then, too.
    const char *server;
};

/// Sends a request and waits for the whole answer. Returns NULL, or why it failed.
const char *ticds_http_send(struct ticds_http *connection, const struct ticds_request *request, struct ticds_answer *answer);
