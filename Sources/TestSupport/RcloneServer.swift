import Foundation
import SystemCalls
public import SystemPackage

/// A server of this machine that rclone or another program runs on the loopback address, for one test.
public final class RcloneServer: Sendable {
    /// How rclone reaches it, up to the path: `:webdav,url='http://127.0.0.1:40001':`.
    public let storage: String
    private let process: BoundProcess

    /// Whether there is an rclone that is recent enough; otherwise the tests that need it are skipped by name.
    public static let available: Bool = program != nil

    /// The rclone of `TICDS_RCLONE` or PATH.
    public static let program: FilePath? = {
        let name = ProcessInfo.processInfo.environment["TICDS_RCLONE"] ?? "rclone"
        guard
            system(
                "\(name) rcat --help >/dev/null 2>&1 && \(name) version | head -n 1 | grep -qE 'v1\\.(7[2-9]|[89][0-9])'"
            ) == 0
        else {
            return nil
        }
        if name.hasPrefix("/") { return FilePath(name) }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { FilePath(String($0)).appending(name) }.first {
            FileManager.default.isExecutableFile(atPath: $0.string)
        }
    }()

    /// The protocols of `rclone serve` that tests use.
    public enum Kind: String, Sendable, CaseIterable {
        case webdav, s3
    }

    /// The sftp-server of OpenSSH, which rclone starts itself: `script` is what it runs in place of ssh(1). Nil where
    /// it is not installed.
    public static func sftp(script: FilePath) throws -> String? {
        let program = "/usr/lib/openssh/sftp-server"
        guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
        try "#!/bin/sh\nexec \(program)\n".write(toFile: script.string, atomically: true, encoding: .utf8)
        chmod(script.string, 0o755)
        return ":sftp,ssh='\(script.string)',shell_type=none:"
    }

    /// Serves `folder`; for S3 its subfolders are buckets.
    public init(_ kind: Kind, _ folder: FilePath) throws {
        guard let program = Self.program else { throw RcloneServerError(text: "no rclone") }
        let common = [
            "--addr", "127.0.0.1:0", "--log-level", "INFO", "--vfs-cache-mode", "off", "--dir-cache-time",
            "0s",
        ]
        let own =
            switch kind {
            case .webdav: [] as [String]
            case .s3: ["--auth-key", "key,secret secret"]
            }
        process = try BoundProcess(
            program, ["serve", kind.rawValue, folder.string] + common + own,
            environment: ["HOME=\(folder.string)", "PATH=/usr/bin:/bin"])
        var port: Substring?
        for _ in 0..<2_000 where port == nil && !process.hasEnded {
            port = process.messages.firstMatch(of: #/127\.0\.0\.1:(\d+)/#)?.1
            if port == nil { usleep(5_000) }
        }
        guard let port else { throw RcloneServerError(text: process.messages) }
        storage =
            switch kind {
            case .webdav: ":webdav,url='http://127.0.0.1:\(port)',vendor=rclone:"
            case .s3:
                ":s3,provider=Other,endpoint='http://127.0.0.1:\(port)',access_key_id=key,secret_access_key='secret secret',force_path_style=true:"
            }
    }

    deinit { process.stop() }

    /// Ends the server.
    public func stop() { process.stop() }
}

/// Why a server did not start.
struct RcloneServerError: Error {
    var text: String
}
