import CCurl
import FoundationEssentials
import Glibc
import Synchronization
package import SystemCalls
import SystemPackage
import TICDSCore

/// A running rclone, and its remote control: https://rclone.org/rc.
package final class RcloneEngine: Sendable {
    /// The number of requests at the same time: the chosen one, otherwise `RCLONE_TRANSFERS`, by default 8.
    package static var transfers: Int {
        let chosen = chosenTransfers.load(ordering: .relaxed)
        return chosen > 0 ? chosen : defaultTransfers
    }
    /// The largest number of requests; servers would refuse more.
    package static let mostTransfers = 64
    private static let defaultTransfers = min(number("RCLONE_TRANSFERS") ?? 8, mostTransfers)
    private static let chosenTransfers = Atomic<Int>(0)

    /// Chooses the number of requests at the same time, from 1 to 64.
    package static func chooseTransfers(_ count: Int) {
        chosenTransfers.store(min(max(count, 1), mostTransfers), ordering: .relaxed)
    }

    /// The seconds without activity after which a request is given up: `TICDS_STORAGE_TIMEOUT`, by default 120.
    package static let patience = number("TICDS_STORAGE_TIMEOUT") ?? 120

    /// A positive number in the environment.
    private static func number(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }.flatMap { $0 > 0 ? $0 : nil }
    }

    private let daemon: RcloneDaemon
    /// Whether a request was given up for lack of activity. Each further one would take as long.
    private let hasStalled = Atomic<Bool>(false)
    /// Requests in a row that failed although they were tried again.
    private let failuresInARow = Atomic<Int>(0)
    /// After so many, requests are tried only once: a storage that is down must not cost seconds for each file.
    private static let mostFailuresInARow = 4
    private let connections: HTTPConnections

    /// The largest answer in bytes; more would be the listing of more than some ten million files.
    private static let longestAnswer = 4 << 30

    /// Starts rclone.
    /// - Throws: `.missing` if it is not installed, `.unsupported` if it is too old.
    package init() throws(FileProblem) {
        daemon = try RcloneDaemon(meanwhile: HTTPConnections.load)
        do throws(HTTPConnections.Failure) {
            connections = try HTTPConnections(daemon.socket)
        } catch {
            throw FileProblem(
                .missing, path: "libcurl.so.4", "libcurl is needed to talk to rclone", found: error.message,
                advice: "Install it; Debian's package is libcurl4")
        }
        let version = try version()
        guard RcloneProgram.isRecent(version) else { throw daemon.program.tooOld(version) }
    }

    /// The version in the header of rclone's answers, such as "v1.75.2"; otherwise the answer to core/version, for
    /// which rclone runs other programs.
    private func version() throws(FileProblem) -> String {
        let server = try send("rc/noop", body: Array("{}".utf8), nil, .root) { _ in true }.server
        if server.hasPrefix("rclone/v") { return String(server.dropFirst(7)) }
        let version: Version = try call("core/version", [:] as [String: String], for: nil)
        return version.version
    }

    private struct Running { weak var engine: RcloneEngine? }

    private static let last = Mutex(Running())

    /// The engine that the process already uses, or a new one.
    package static func running() throws(FileProblem) -> RcloneEngine {
        if let engine = last.withLock({ $0.engine }) { return engine }
        let engine = try RcloneEngine()
        last.withLock { $0.engine = engine }
        return engine
    }

    private struct Version: Decodable { var version: String }

    /// The capabilities of a storage.
    func features(of address: RcloneAddress) throws(FileProblem) -> RcloneFeatures {
        try call("operations/fsinfo", ["fs": address.remote], for: address)
    }

    /// The bytes of an answer in JSON.
    /// - Throws: the error that rclone answers instead, as an error of `address` or of `place` in it.
    func answer(
        _ call: String, _ request: some Encodable, for address: RcloneAddress?, _ place: RemotePath = .root
    ) throws(FileProblem) -> [UInt8] {
        // try?: only text that is none has no form
        guard let body = try? JSONEncoder().encode(request) else {
            throw FileProblem(
                .unsupported, path: place.filePath(under: root(address)), "the name is not text",
                advice: "Copy the remote to this machine, and rename the file")
        }
        var bytes: [UInt8] = []
        try send(call, body: Array(body), address, place) { piece in
            bytes += piece
            return bytes.count <= Self.longestAnswer
        }
        return bytes
    }

    /// The decoded answer.
    func call<Answer: Decodable>(
        _ call: String, _ request: some Encodable, for address: RcloneAddress?, _ place: RemotePath = .root
    ) throws(FileProblem) -> Answer {
        let bytes = try answer(call, request, for: address, place)
        do {
            return try JSONDecoder().decode(Answer.self, from: Data(bytes))
        } catch {
            throw FileProblem(
                .unsupported, path: root(address),
                "rclone answers \(call) in a form that this version does not know",
                advice: RcloneProgram.advice)
        }
    }

    // MARK: Listing

    private struct ListRequest: Encodable {
        var fs: String
        var remote: String
        var opt: Options
        var group: String

        struct Options: Encodable {
            var recurse: Bool
            var noMimeType = true
            var showHash: Bool
        }

        enum CodingKeys: String, CodingKey {
            case fs, remote, opt
            case group = "_group"
        }
    }

    private struct Statistics: Decodable {
        var errors: Int64
        var lastError: String?
    }

    /// All entries of all folders; nil if a folder could not be listed.
    func list(_ address: RcloneAddress, withDigests: Bool) throws(FileProblem) -> RcloneListing? {
        do throws(FileProblem) {
            return try list(.root, of: address, recurse: true, withDigests)
        } catch {
            if error.kind == .unknownName || hasStalled.load(ordering: .relaxed) { throw error }
            return nil  // also for a missing folder: it can be any of them
        }
    }

    /// The entries of one folder.
    func listOnly(
        _ folder: RemotePath, of address: RcloneAddress, withDigests: Bool
    ) throws(FileProblem) -> RcloneListing {
        try repeating { () throws(FileProblem) in
            try list(folder, of: address, recurse: false, withDigests)
        }
    }

    /// The names of the storages in the configuration of rclone.
    func storages() throws(FileProblem) -> [String] {
        let answer: Remotes = try call("config/listremotes", [:] as [String: String], for: nil)
        return answer.remotes ?? []
    }

    private struct Remotes: Decodable { var remotes: [String]? }

    /// The listing of all folders as the answer of rclone.
    func json(listing address: RcloneAddress, withDigests: Bool) throws(FileProblem) -> [UInt8] {
        try json(.root, of: address, recurse: true, withDigests)
    }

    private func list(
        _ folder: RemotePath, of address: RcloneAddress, recurse: Bool, _ withDigests: Bool
    ) throws(FileProblem) -> RcloneListing {
        try RcloneListing(
            json(folder, of: address, recurse: recurse, withDigests), root: address.root, start: folder)
    }

    private func json(
        _ folder: RemotePath, of address: RcloneAddress, recurse: Bool, _ withDigests: Bool
    ) throws(FileProblem) -> [UInt8] {
        let group = "list/\(folder.text)/\(recurse)"
        let request = ListRequest(
            fs: address.remote, remote: folder.text, opt: .init(recurse: recurse, showHash: withDigests),
            group: group)
        let json = try answer("operations/list", request, for: address, folder)
        // Rclone can answer as if an unlisted folder were empty, and only count the error.
        let statistics: Statistics = try call("core/stats", ["group": group], for: address)
        _ = try answer("core/stats-delete", ["group": group], for: address)
        guard statistics.errors == 0 else {
            let text = statistics.lastError ?? "an error of the listing"
            throw RcloneError(status: 500, text: address.withoutSecrets(text))
                .problem(folder.filePath(under: root(address)))
        }
        return json
    }

    /// Tries up to three times if the error may be temporary, with pauses of one second and of three.
    func repeating<Value>(_ body: () throws(FileProblem) -> Value) throws(FileProblem) -> Value {
        let isDown = failuresInARow.load(ordering: .relaxed) >= Self.mostFailuresInARow
        do throws(FileProblem) {
            let value = try repeating(after: isDown ? [] : [1, 3], body)
            failuresInARow.store(0, ordering: .relaxed)
            return value
        } catch {
            if error.isBusy { failuresInARow.wrappingAdd(1, ordering: .relaxed) }
            throw error
        }
    }

    /// Tries once, and again after each pause, in seconds.
    private func repeating<Value>(
        after pauses: [UInt32], _ body: () throws(FileProblem) -> Value
    ) throws(FileProblem) -> Value {
        for seconds in pauses {
            do throws(FileProblem) {
                return try body()
            } catch {
                guard error.isBusy, daemon.end == nil else { throw error }
                sleep(seconds)
            }
        }
        return try body()
    }

    // MARK: Reading

    /// Copies a file to the local path `target`, which must not exist, in several pieces at a time; rclone compares
    /// size and digest.
    func copy(_ file: RemoteFile, of address: RcloneAddress, to target: FilePath) throws(FileProblem) {
        _ = try answer(
            "operations/copyfile",
            [
                "srcFs": address.remote, "srcRemote": file.path.text,
                "dstFs": target.removingLastComponent().string,
                "dstRemote": target.lastComponent?.string ?? "",
            ], for: address, file.path)
    }

    /// Whether `read` can be used: rclone ends the name of a storage in a URL at its first bracket, and does not
    /// support a URL with a line end.
    static func servesRanges(of file: RemotePath, in address: RcloneAddress) -> Bool {
        let lineEnd = UInt8(ascii: "\n")
        return !address.remote.utf8.contains { $0 == UInt8(ascii: "]") || $0 == lineEnd }
            && !file.names.contains { $0.bytes.contains(lineEnd) }
    }

    /// Passes the bytes of a file, or of a part of it, to `take`.
    /// - Returns: the time from the storage, in whole seconds; nil if there is none.
    func read(
        _ file: RemotePath, in address: RcloneAddress, range: Range<Int64>? = nil,
        _ take: (UnsafeRawBufferPointer) -> Bool
    ) throws(FileProblem) -> FileTime? {
        let names = file.names.map { percentEncoded($0.bytes) }.joined(separator: "/")
        let target = "\(percentEncoded(Array("[\(address.remote)]".utf8)))/\(names)"
        return try send(target, range: range, address, file, take).modified
    }

    @discardableResult
    private func send(
        _ target: String, body: [UInt8]? = nil, range: Range<Int64>? = nil, _ address: RcloneAddress?,
        _ place: RemotePath, _ take: (UnsafeRawBufferPointer) -> Bool
    ) throws(FileProblem) -> HTTPConnections.Answer {
        if hasStalled.load(ordering: .relaxed) { throw stall(address, place) }
        let answer: HTTPConnections.Answer
        do throws(HTTPConnections.Failure) {
            let patience = StallTimeout(seconds: Int64(Self.patience)) { [daemon] in daemon.bytesRead }
            answer = try connections.send(target, body: body, range: range, patience, take)
        } catch {
            throw failure(error, address, place)
        }
        guard (200..<300).contains(answer.status) else { throw problem(answer, address, place) }
        return answer
    }

    /// The problem of a failure of rclone, or of the connection to it.
    private func failure(
        _ failure: HTTPConnections.Failure, _ address: RcloneAddress?, _ place: RemotePath
    ) -> FileProblem {
        if var end = daemon.end {
            if let address { end.found = end.found.map { address.withoutSecrets($0) } }
            return end
        }
        if failure.isStall {
            hasStalled.store(true, ordering: .relaxed)
            return stall(address, place)
        }
        var problem = FileProblem(
            .unreadable, path: place.filePath(under: root(address)),
            failure.isCut ? Self.cut : "cannot be read", found: "rclone: \(failure.message)",
            advice: "Try again")
        problem.isBusy = true
        return problem
    }

    /// The problem of an answer that ended early: an interrupted transfer, or a file whose size differs from the
    /// listing.
    static let cut = "the transfer ended before it was complete"

    private func stall(_ address: RcloneAddress?, _ place: RemotePath) -> FileProblem {
        FileProblem(
            .unreadable, path: place.filePath(under: root(address)), "the storage does not answer",
            expected: "some answer within \(Self.patience) seconds",
            advice: "Try again later, or wait longer: TICDS_STORAGE_TIMEOUT")
    }

    /// The path for errors without a storage: rclone itself.
    private func root(_ address: RcloneAddress?) -> FilePath { address?.root ?? daemon.program.path }

    private struct Refusal: Decodable { var error: String }

    /// The problem for an error that rclone answers.
    private func problem(
        _ answer: HTTPConnections.Answer, _ address: RcloneAddress?, _ place: RemotePath
    ) -> FileProblem {
        // try?: an answer in another form has no text
        let text = (try? JSONDecoder().decode(Refusal.self, from: Data(answer.refusal)))?.error
        let words = text ?? "HTTP status \(answer.status)"
        return RcloneError(
            status: answer.status, text: address?.withoutSecrets(words) ?? words
        ).problem(place.filePath(under: root(address)))
    }
}

/// The bytes for a URL: all except letters, digits and some signs as `%41` (RFC 3986).
private func percentEncoded(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in bytes {
        switch byte {
        case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            text.append(byte)
        default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(decoding: text, as: UTF8.self)
}
