#include "CCurl.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static struct {
    __typeof__(&curl_global_init) global_init;
    __typeof__(&curl_version) version;
    __typeof__(&curl_easy_init) init;
    // The macros of curl.h check the types of arguments; these are called with the right ones.
    CURLcode (*setopt)(CURL *, CURLoption, ...);
    CURLcode (*getinfo)(CURL *, CURLINFO, ...);
    __typeof__(&curl_easy_perform) perform;
    __typeof__(&curl_easy_reset) reset;
    __typeof__(&curl_easy_cleanup) cleanup;
    __typeof__(&curl_easy_strerror) describe;
    __typeof__(&curl_slist_append) append;
    __typeof__(&curl_slist_free_all) free_all;
} curl;

struct ticds_http {
    CURL *handle;
    char *socket;
    struct curl_slist *json;
    char problem[CURL_ERROR_SIZE];
    const struct ticds_request *request;
    size_t refused;
    char refusal[4096];
    char server[64];
};

const char *ticds_http_load(void) {
    if (curl.version) return NULL;
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib"};
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
    const struct {
        const char *name;
        void *place;
    } functions[] = {
        {"curl_global_init", &curl.global_init}, {"curl_easy_init", &curl.init},
        {"curl_easy_setopt", &curl.setopt},      {"curl_easy_getinfo", &curl.getinfo},
        {"curl_easy_perform", &curl.perform},    {"curl_easy_reset", &curl.reset},
        {"curl_easy_cleanup", &curl.cleanup},    {"curl_easy_strerror", &curl.describe},
        {"curl_slist_append", &curl.append},     {"curl_slist_free_all", &curl.free_all},
        {"curl_version", &curl.version},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function) {
            curl.version = NULL;
            return dlerror();
        }
        memcpy(functions[i].place, &function, sizeof function);
    }
    // No TLS: all requests go through a socket of this machine.
    curl.global_init(CURL_GLOBAL_NOTHING);
    return NULL;
}

const char *ticds_http_version(void) { return curl.version(); }

struct ticds_http *ticds_http_new(const char *socket) {
    struct ticds_http *new = calloc(1, sizeof *new);
    if (!new) return NULL;
    new->handle = curl.init();
    new->socket = strdup(socket);
    new->json = curl.append(NULL, "Content-Type: application/json");
    if (new->json) {
        // Without it, libcurl waits a second for permission to send a large body.
        struct curl_slist *more = curl.append(new->json, "Expect:");
        if (more) new->json = more;
    }
    if (new->handle && new->socket && new->json) return new;
    ticds_http_free(new);
    return NULL;
}

void ticds_http_free(struct ticds_http *connection) {
    if (!connection) return;
    if (connection->handle) curl.cleanup(connection->handle);
    if (connection->json) curl.free_all(connection->json);
    free(connection->socket);
    free(connection);
}

static size_t receive(const char *bytes, size_t one, size_t count, void *context) {
    (void)one;
    struct ticds_http *connection = context;
    long status = 0;
    curl.getinfo(connection->handle, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 200 && status < 300)
        return connection->request->take(bytes, count, connection->request->context) ? count : 0;
    size_t room = sizeof connection->refusal - connection->refused, taken = count < room ? count : room;
    memcpy(connection->refusal + connection->refused, bytes, taken);
    connection->refused += taken;
    return count;
}

static size_t receive_header(const char *line, size_t one, size_t count, void *context) {
    (void)one;
    struct ticds_http *connection = context;
    static const char name[] = "Server: ";
    size_t start = sizeof name - 1, end = count;
    while (end > start && (line[end - 1] == '\r' || line[end - 1] == '\n')) end--;
    if (end > start && end - start < sizeof connection->server && !strncasecmp(line, name, start)) {
        memcpy(connection->server, line + start, end - start);
        connection->server[end - start] = 0;
    }
    return count;
}

static int progress(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    (void)a, (void)b, (void)c, (void)d;
    struct ticds_http *connection = context;
    return connection->request->wait(connection->request->context) ? 0 : 1;
}

const char *ticds_http_send(
    struct ticds_http *connection, const struct ticds_request *request, struct ticds_answer *answer) {
    CURL *handle = connection->handle;
    curl.reset(handle);  // keeps the connection
    connection->problem[0] = 0;
    connection->request = request;
    connection->refused = 0;
    connection->server[0] = 0;
    *answer = (struct ticds_answer){0, -1, connection->refusal, 0, connection->server};
    CURLcode code = curl.setopt(handle, CURLOPT_UNIX_SOCKET_PATH, connection->socket);
#define SET(option, value) \
    if (code == CURLE_OK) code = curl.setopt(handle, option, value)
    SET(CURLOPT_ERRORBUFFER, connection->problem);
    SET(CURLOPT_URL, request->url);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_NOPROXY, "*");
    SET(CURLOPT_PATH_AS_IS, 1L);
    SET(CURLOPT_FILETIME, 1L);
    SET(CURLOPT_WRITEFUNCTION, receive);
    SET(CURLOPT_WRITEDATA, connection);
    SET(CURLOPT_HEADERFUNCTION, receive_header);
    SET(CURLOPT_HEADERDATA, connection);
    SET(CURLOPT_BUFFERSIZE, 256L << 10);
    SET(CURLOPT_RANGE, request->range);
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, progress);
    SET(CURLOPT_XFERINFODATA, connection);
    if (request->body) {
        SET(CURLOPT_HTTPHEADER, connection->json);
        SET(CURLOPT_POSTFIELDS, request->body);
        SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->length);
    }
    if (code == CURLE_OK) code = curl.perform(handle);
    curl_off_t modified = -1;
    curl.getinfo(handle, CURLINFO_RESPONSE_CODE, &answer->status);
    curl.getinfo(handle, CURLINFO_FILETIME_T, &modified);
    answer->modified = modified;
    answer->refused = connection->refused;
    if (code == CURLE_OK) return NULL;
    return connection->problem[0] ? connection->problem : curl.describe(code);
}
