import CCurl
import Synchronization
import SystemCalls
import SystemPackage

/// Connections to one Unix socket; as many as there are threads that ask at the same time.
final class HTTPConnections: Sendable {
    /// What was answered, without its bytes.
    struct Answer {
        /// The status of HTTP.
        var status: Int
        /// Last-Modified, in whole seconds; nil where the answer says none.
        var modified: FileTime?
        /// The first 4 KiB of an answer with another status than 200 to 299.
        var refusal: [UInt8]
    }

    /// Why no answer came.
    struct Failure: Error {
        var message: String
    }

    private let socket: FilePath
    private let idle = Mutex<[Connection]>([])

    private static let library: Result<Void, Failure> = {
        guard let problem = ticds_http_load() else { return .success(()) }
        return .failure(Failure(message: String(cString: problem)))
    }()

    /// Loads libcurl at the first use.
    init(_ socket: FilePath) throws(Failure) {
        try Self.library.get()
        self.socket = socket
    }

    /// Sends a request and hands every piece of the answer to `take`, which returns whether to go on. Of an answer
    /// with another status than 200 to 299, `take` gets nothing.
    /// - Parameters:
    ///   - target: the path after the host, percent-encoded.
    ///   - body: JSON to post; nil to get.
    ///   - range: the bytes that are wanted; nil for all.
    func send(
        _ target: String, body: [UInt8]? = nil, range: Range<Int64>? = nil,
        _ take: (UnsafeRawBufferPointer) -> Bool
    ) throws(Failure) -> Answer {
        let kept = idle.withLock { $0.popLast() }
        let connection = if let kept { kept } else { try Connection(socket) }
        let answer = try connection.send("http://localhost/\(target)", body, range, take)
        idle.withLock { $0.append(connection) }
        return answer
    }
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
        _ url: String, _ body: [UInt8]?, _ range: Range<Int64>?, _ take: (UnsafeRawBufferPointer) -> Bool
    ) throws(HTTPConnections.Failure) -> HTTPConnections.Answer {
        var answer = ticds_answer()
        let message = withoutActuallyEscaping(take) { take -> String? in
            let sink = Sink(take)
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
                        return ticds_http_send(handle, &request, &answer).map { String(cString: $0) }
                    }
                }
            }
        }
        if let message { throw HTTPConnections.Failure(message: message) }
        return HTTPConnections.Answer(
            status: answer.status, modified: answer.modified < 0 ? nil : FileTime(seconds: answer.modified),
            refusal: Array(UnsafeRawBufferPointer(start: answer.refusal, count: answer.refused)))
    }

    private final class Sink {
        let take: (UnsafeRawBufferPointer) -> Bool
        init(_ take: @escaping (UnsafeRawBufferPointer) -> Bool) { self.take = take }
    }
}

private func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result
{
    guard let text else { return body(nil) }
    return text.withCString(body)
}
