import SystemCalls
import SystemPackage

/// How much an archive may grow when it is unpacked. Blocks of zeros become holes in files, so they do not count for the
/// ratio: a whole store may contain many.
public struct UnpackLimits: Sendable {
    /// Bytes of all files, zeros included.
    public var total: Int64
    /// Unpacked bytes, without zeros, for each byte of the archive; checked above `harmless` bytes.
    public var ratio: Int64
    /// Bytes up to which the ratio does not matter: 256 MiB.
    public var harmless: Int64 = 256 << 20
    /// Files and folders.
    public var entries = 10_000_000

    /// At most `total` bytes, a tebibyte by default, and `ratio` times the size of the archive, 200 by default.
    public init(total: Int64 = 1 << 40, ratio: Int64 = 200) {
        self.total = total
        self.ratio = ratio
    }
}

/// Counts what was unpacked so far, and enforces the limits.
struct UnpackedTotals {
    let limits: UnpackLimits
    /// The archive, for errors.
    let path: FilePath
    private var all: Int64 = 0
    private var written: Int64 = 0
    private var entries = 0

    init(_ limits: UnpackLimits, path: FilePath) {
        self.limits = limits
        self.path = path
    }

    mutating func addEntry() throws(FileProblem) {
        entries += 1
        guard entries <= limits.entries else { throw bomb("too many files", "at most \(limits.entries)") }
    }

    /// - Parameter bytesRead: bytes of the archive that were read so far.
    mutating func add(_ count: Int, isZero: Bool, bytesRead: Int64) throws(FileProblem) {
        all += Int64(count)
        guard all <= limits.total else {
            throw bomb(
                "the archive contains more than it may", "at most \(limits.total) bytes; see --max-size")
        }
        if isZero { return }
        written += Int64(count)
        let (allowed, overflow) = bytesRead.multipliedReportingOverflow(by: limits.ratio)
        guard overflow || written <= max(limits.harmless, allowed) else {
            throw bomb(
                "the archive grows too much when it is unpacked",
                "at most \(limits.ratio) times its size; see --max-ratio")
        }
    }

    private func bomb(_ problem: String, _ expected: String) -> FileProblem {
        FileProblem(
            .refused, path: path, problem, expected: expected,
            advice: "Nothing was taken from the archive; it looks like a bomb, not like a remote")
    }
}
