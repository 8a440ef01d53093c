import Foundation
import SystemPackage
import TestSupport
import Testing

/// A local SSH server or a Slurm of two nodes (`Tests/Engines`). It ends with this value, even if the process of the
/// tests is killed.
final class EngineServer: Sendable {
    enum Kind: String {
        case sshd, slurm

        /// The programs that it needs.
        private var programs: [String] {
            switch self {
            case .sshd: ["parallel", "sshd", "ssh", "ssh-keygen"]
            case .slurm: ["munged", "slurmctld", "slurmd", "sbatch", "sinfo"]
            }
        }

        var isInstalled: Bool { programs.allSatisfy(EngineServer.isInstalled) }
    }

    /// The error that the server does not start here; its messages are in the output of the tests.
    struct NotStarted: Error, CustomStringConvertible {
        var kind: Kind
        var description: String { "\(kind) does not start on this machine" }
    }

    static let sshd = Kind.sshd
    static let slurm = Kind.slurm

    /// The output of the server when it was ready.
    let answer: String
    private let scratch: Scratch
    private let input = Pipe()
    private let process = Process()

    static func isInstalled(_ name: String) -> Bool {
        ["/usr/bin", "/usr/sbin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    init(_ kind: Kind) throws {
        scratch = try Scratch()
        let output = Pipe()
        process.executableURL = URL(
            filePath: SourceTree.root.appending("Tests/Engines").appending(kind.rawValue).string)
        // Both may run at the same time.
        let number = Int(ProcessInfo.processInfo.processIdentifier)
        let port = kind == .sshd ? 20_000 + number % 5_000 : 25_000 + number % 2_500 * 3
        process.arguments = [scratch.path.appending("server").string, "\(port)"]
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": scratch.path.string]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while let bytes = try output.fileHandleForReading.read(upToCount: 1), bytes.first != 0x0A {
            line += bytes
        }
        answer = String(decoding: line, as: UTF8.self)
        if answer.isEmpty { throw NotStarted(kind: kind) }
    }

    deinit {
        // try?: it may have ended
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
