import Foundation
import SystemCalls
import SystemPackage

/// A proxy between rclone and a local HTTP server, which answers in place of the server, cuts connections, or stays
/// silent.
package final class FaultProxy: Sendable {
    /// The fate of a request.
    package enum Fault: String, Sendable, CaseIterable {
        case tooMany = "429"
        case broken = "500"
        case unavailable = "503"
        case denied = "403"
        case unauthorized = "401"
        /// The connection ends without an answer.
        case cut
        /// The connection ends during the answer.
        case short
        /// There is never an answer.
        case stall
        /// Listings give a wrong size for each file: ten bytes more, ten less, none, the largest number.
        case more, fewer, none, huge

        /// The faults of a failing server; not those of a server that gives wrong information.
        package static let failing: [Self] = [
            .tooMany, .broken, .unavailable, .denied, .unauthorized, .cut, .short, .stall,
        ]
    }

    /// The port of the loopback address.
    package let port: Int
    private let home: TemporaryFolder
    private let process: HelperProcess

    /// - Parameter server: a server with a port.
    package init(to server: StorageServer) throws {
        home = try TemporaryFolder(prefix: "ticds-proxy")
        try TestFiles.write(home.path.appending("rule"), [])
        process = try HelperProcess(
            "/usr/bin/env", ["python3", "-c", Self.script],
            environment: [
                "PATH=\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")", "HOME=\(home.path)",
                "PYTHONUNBUFFERED=1", "TARGET=\(server.port ?? 0)",
            ])
        port = try StorageServer.port(process)
    }

    deinit { stop() }

    /// Ends the proxy.
    package func stop() { process.stop() }

    /// Makes requests number `first` to `last`, counted from 0, have `fault` from then on.
    /// - Parameter distinct: whether equal requests count as one, with the same number.
    package func set(_ fault: Fault, from first: Int, to last: Int = .max, distinct: Bool = false) throws {
        let rule = "\(UUID()) \(fault.rawValue) \(first) \(last) \(distinct ? 1 : 0)"
        try rule.write(toFile: home.path.appending("rule").string, atomically: true, encoding: .utf8)
    }

    /// Resets the count, and passes all requests.
    package func clear() throws { try set(.cut, from: .max) }

    /// The number of requests since the last rule; without repeated ones, if these count as one.
    package var count: Int {
        get throws {
            let text = try? String(contentsOfFile: home.path.appending("count").string, encoding: .utf8)
            return text.flatMap { Int($0) } ?? 0
        }
    }

    private static let script = """
        import http.client, os, re, socket, sys, threading, time
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
        home, target, lock = os.environ["HOME"], int(os.environ["TARGET"]), threading.Lock()
        state = {"rule": None, "count": 0, "seen": {}}

        def fault(what):
            with lock:
                rule = open(home + "/rule").read()
                if rule != state["rule"]:
                    state.update(rule=rule, count=0, seen={})
                words = rule.split()
                if not words:
                    return None
                number = state["seen"].get(what) if words[4] == "1" else None
                if number is None:
                    number = state["count"]
                    state["count"] += 1
                    state["seen"][what] = number
                    with open(home + "/count.new", "w") as file:
                        file.write(str(state["count"]))
                    os.rename(home + "/count.new", home + "/count")
                return words[1] if int(words[2]) <= number <= int(words[3]) else None

        sizes = {"more": lambda size: size + 10, "fewer": lambda size: max(size - 10, 0),
            "none": lambda size: 0, "huge": lambda size: (1 << 63) - 1}

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def log_message(self, *words):
                pass
            def cut(self):
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
            def handle_one_request(self):
                try:
                    super().handle_one_request()
                except OSError:
                    self.close_connection = True
            def forward(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                what = fault((self.command, self.path, self.headers.get("Range"), self.headers.get("Depth")))
                if what == "cut":
                    return self.cut()
                if what == "stall":
                    time.sleep(3600)
                if what and what.isdigit():
                    self.send_response(int(what))
                    self.send_header("Content-Length", "0")
                    return self.end_headers()
                server = http.client.HTTPConnection("127.0.0.1", target)
                server.request(self.command, self.path, body, dict(self.headers))
                answer = server.getresponse()
                bytes = answer.read()
                if what in sizes and self.command == "PROPFIND":
                    bytes = re.sub(rb"(getcontentlength[^>]*>)(\\d+)(?=<)",
                        lambda found: found[1] + b"%d" % sizes[what](int(found[2])), bytes)
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                        self.send_header(name, value)
                size = answer.getheader("Content-Length") if self.command == "HEAD" else len(bytes)
                if size is not None and answer.status not in (204, 304):
                    self.send_header("Content-Length", str(size))
                self.end_headers()
                if what == "short":
                    self.wfile.write(bytes[:len(bytes) // 2])
                    return self.cut()
                self.wfile.write(bytes)
            do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = do_OPTIONS = forward
            do_PROPFIND = do_MKCOL = do_MOVE = do_COPY = do_PROPPATCH = forward

        ThreadingHTTPServer.daemon_threads = True
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print("127.0.0.1:%d" % server.server_port, file=sys.stderr)
        server.serve_forever()
        """
}
