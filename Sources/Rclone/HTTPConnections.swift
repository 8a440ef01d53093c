import CCurl
import Synchronization
import SystemCalls
import SystemPackage

/// Connections to one Unix socket: as many as there are threads that send requests at the same time.
final class HTTPConnections: Sendable {
    /// An answer, without its bytes.
    struct Answer {
        /// The status of HTTP.
        var status: Int
        /// Last-Modified, in whole seconds; nil if the answer does not contain it.
        var modified: FileTime?
        /// The first 4 KiB of an answer with a status other than 200 to 299.
        var refusal: [UInt8]
        /// The program that answers, such as "rclone/v1.75.2"; empty if it does not name itself.
        var server: String
    }

    /// The reason why no answer came.
    struct Failure: Error {
        var message: String
        /// Whether there was no activity for too long.
        var isStall = false
        /// Whether the answer had begun with a status of 200 to 299, and ended before it was complete.
        var isCut = false
    }

    private let socket: FilePath
    private let idle = Mutex<[Connection]>([])

    private static let library: Result<Void, Failure> = {
        guard let problem = ticds_http_load() else { return .success(()) }
        return .failure(Failure(message: String(cString: problem)))
    }()

    /// Loads libcurl, which takes as long as rclone takes to start.
    static func load() { _ = library }

    /// Loads libcurl at the first use.
    init(_ socket: FilePath) throws(Failure) {
        try Self.library.get()
        self.socket = socket
    }

    /// Sends a request and passes every piece of the answer to `take`, which returns whether to continue. For an answer
    /// with a status other than 200 to 299, `take` is not called.
    /// - Parameters:
    ///   - target: the path after the host, percent-encoded.
    ///   - body: JSON to post; nil to get.
    ///   - range: the wanted bytes; nil for all.
    ///   - patience: when to give up.
    func send(
        _ target: String, body: [UInt8]? = nil, range: Range<Int64>? = nil, _ patience: StallTimeout,
        _ take: (UnsafeRawBufferPointer) -> Bool
    ) throws(Failure) -> Answer {
        let kept = idle.withLock { $0.popLast() }
        let connection = if let kept { kept } else { try Connection(socket) }
        let answer = try connection.send("http://localhost/\(target)", body, range, patience, take)
        idle.withLock { $0.append(connection) }
        return answer
    }
}

/// The time to wait without activity. The total time of a listing is not limited: it can be long, and answered only at
/// its end.
struct StallTimeout: Sendable {
    var seconds: Int64
    /// A number that grows with activity; nil if it is unknown.
    var activity: @Sendable () -> Int64?

    /// The smallest number of bytes that counts as activity: a program reads a few bytes even while it waits; an answer
    /// of a server has more.
    static let least: Int64 = 64
}

/// One connection, used by one thread at a time.
private final class Connection: @unchecked Sendable {
    private let handle: OpaquePointer

    init(_ socket: FilePath) throws(HTTPConnections.Failure) {
        guard let handle = socket.withPlatformString({ ticds_http_new($0) }) else {
            throw HTTPConnections.Failure(message: "no memory for a connection")
        }
        self.handle = handle
    }

    deinit { ticds_http_free(handle) }

    func send(
        _ url: String, _ body: [UInt8]?, _ range: Range<Int64>?, _ patience: StallTimeout,
        _ take: (UnsafeRawBufferPointer) -> Bool
    ) throws(HTTPConnections.Failure) -> HTTPConnections.Answer {
        var answer = ticds_answer()
        var isStall = false
        let message = withoutActuallyEscaping(take) { take -> String? in
            let sink = Sink(take, patience)
            defer { isStall = sink.isStall }
            let range = range.map { "\($0.lowerBound)-\($0.upperBound - 1)" }
            return url.withCString { url in
                (body ?? []).withUnsafeBufferPointer { bytes in
                    withOptionalCString(range) { range in
                        var request = ticds_request()
                        request.url = url
                        request.range = range
                        if body != nil {
                            request.body = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(
                                to: CChar.self)
                            request.length = bytes.count
                        }
                        request.context = Unmanaged.passUnretained(sink).toOpaque()
                        request.take = { bytes, count, context in
                            guard let context else { return 0 }
                            let sink = Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
                            return sink.take(UnsafeRawBufferPointer(start: bytes, count: count)) ? 1 : 0
                        }
                        request.wait = { context in
                            guard let context else { return 0 }
                            return Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue().mayWait() ? 1 : 0
                        }
                        return ticds_http_send(handle, &request, &answer).map { String(cString: $0) }
                    }
                }
            }
        }
        if let message {
            let isCut = !isStall && (200..<300).contains(answer.status)
            throw HTTPConnections.Failure(message: message, isStall: isStall, isCut: isCut)
        }
        return HTTPConnections.Answer(
            status: answer.status, modified: answer.modified < 0 ? nil : FileTime(seconds: answer.modified),
            refusal: Array(UnsafeRawBufferPointer(start: answer.refusal, count: answer.refused)),
            server: String(cString: answer.server))
    }

    private final class Sink {
        let take: (UnsafeRawBufferPointer) -> Bool
        private(set) var isStall = false
        private let patience: StallTimeout
        private var seen: Int64?
        private var looked: FileTime
        private var moved: FileTime

        init(_ take: @escaping (UnsafeRawBufferPointer) -> Bool, _ patience: StallTimeout) {
            self.take = take
            self.patience = patience
            looked = .now
            moved = looked
        }

        /// Returns false if there was no activity for too long.
        func mayWait() -> Bool {
            let now = FileTime.now
            guard now.seconds(since: looked) >= 1 else { return true }
            looked = now
            guard let activity = patience.activity() else { return true }
            if activity - (seen ?? 0) >= StallTimeout.least {
                seen = activity
                moved = now
            }
            isStall = now.seconds(since: moved) >= patience.seconds
            return !isStall
        }
    }
}

private func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result
{
    guard let text else { return body(nil) }
    return text.withCString(body)
}
