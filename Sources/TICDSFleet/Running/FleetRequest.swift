import FoundationEssentials
import SystemCalls
package import SystemPackage

/// A request of a worker to a child process: a command on one remote. The arguments of the command follow as words,
/// since they need not be UTF-8.
package struct FleetRequest: Codable, Sendable {
    /// The program, such as `ticds-inspect`.
    package var program: String
    /// The digest of the last result: a remote whose listing has this digest is not examined again. Nil to examine it
    /// in any case.
    package var known: String?
    private var remoteBytes: Data?
    private var outputBytes: Data?

    init(program: String, known: String?, remote: FilePath?, output: FilePath?) {
        self.program = program
        self.known = known
        remoteBytes = remote.map { Data($0.bytes) }
        outputBytes = output.map { Data($0.bytes) }
    }

    /// The remote to list before the command; nil to list none.
    package var remote: FilePath? { remoteBytes.map { FilePath(nameBytes: Array($0)) } }
    /// The file for the output of the command; nil for standard output.
    package var output: FilePath? { outputBytes.map { FilePath(nameBytes: Array($0)) } }
}

/// The worker to which a child process belongs, and the limits of the child.
package struct FleetChildLimits: Codable, Sendable {
    /// The first argument of a child process for one request. This value, the request, and the arguments follow.
    package static let marker = "--one-of-a-fleet"
    /// The first argument of a child process for many requests. This value follows; the requests come through a socket.
    package static let lastingMarker = "--many-of-a-fleet"

    /// The number of the worker's process.
    package var parent: Int32
    /// The memory in bytes.
    package var memory: Int64
    /// The number of processors.
    package var cores: Int
}

/// The text of a value that a worker and its children exchange.
package enum FleetMessage {
    static func bytes(_ value: some Encodable) -> [UInt8] {
        // try?: texts, numbers and bytes have a form in JSON
        (try? JSONEncoder().encode(value)).map { Array($0) } ?? []
    }

    /// The value of a text; nil if it is invalid.
    package static func value<Value: Decodable>(_ text: String, as type: Value.Type) -> Value? {
        // try?: nil means that
        try? JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
