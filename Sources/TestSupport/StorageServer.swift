import Foundation
import Synchronization
package import SystemCalls
package import SystemPackage

/// A local server that keeps storages for rclone. Servers with a port listen on the loopback address, at a port that
/// the system chooses. It ends with the process of the tests.
package final class StorageServer: Sendable {
    /// The servers for tests.
    package enum Kind: String, Sendable, CaseIterable {
        /// The sftp-server of OpenSSH, which rclone starts in place of ssh(1), without a port.
        case sftp
        /// `rclone serve webdav`.
        case webdav
        /// WsgiDAV (PyPI), a different WebDAV server, which accepts times as ownCloud and Nextcloud do.
        case wsgidav
        /// S3 by moto (PyPI), which keeps everything in memory.
        case s3

        /// The kinds whose programs are installed; if long tests are not wanted, one of these with a port and one
        /// without. `StorageServerTests` lists the kinds that are not installed.
        package static let available =
            InstalledRclone.path == nil
            ? [] : (LongTests.areWanted ? allCases : [.sftp, .webdav]).filter(\.isInstalled)

        /// Whether the program is installed.
        package var isInstalled: Bool {
            switch self {
            case .sftp: FileManager.default.isExecutableFile(atPath: StorageServer.sftpServer)
            case .webdav: InstalledRclone.path != nil
            case .wsgidav: Self.hasModules("wsgidav", "cheroot")
            case .s3: Self.hasModules("moto", "flask", "flask_cors", "werkzeug")
            }
        }

        /// The smallest difference between two times that it keeps, in nanoseconds.
        package var resolution: Int32 { self == .s3 ? 1 : 1_000_000_000 }

        private static func hasModules(_ names: String...) -> Bool {
            let list = names.map { "'\($0)'" }.joined(separator: ",")
            return system(
                """
                PYTHONPATH='\(StorageServer.modules)' python3 -c "import sys, importlib.util as u
                sys.exit(not all(u.find_spec(n) for n in [\(list)]))" >/dev/null 2>&1
                """) == 0
        }
    }

    package let kind: Kind
    /// The folder of the server's places, one for each entry; nil if it has none.
    package let folder: FilePath?
    /// The port of the loopback address; nil for SFTP.
    package let port: Int?

    private let home: TemporaryFolder
    private let process: HelperProcess?
    private let places = Atomic<Int>(0)

    private static let sftpServer = "/usr/lib/openssh/sftp-server"
    /// The folder in which `.ci/run` installs missing Python packages.
    private static let modules = SourceTree.root.appending(".build/servers").string

    // MARK: Starting

    /// The server of this kind that all tests of the process share.
    package static func shared(_ kind: Kind) throws -> StorageServer {
        switch kind {
        case .sftp: try sftp.get()
        case .webdav: try webdav.get()
        case .wsgidav: try wsgidav.get()
        case .s3: try s3.get()
        }
    }

    private static let sftp = Result { try StorageServer(.sftp).endedAtExit() }
    private static let webdav = Result { try StorageServer(.webdav).endedAtExit() }
    private static let wsgidav = Result { try StorageServer(.wsgidav).endedAtExit() }
    private static let s3 = Result { try StorageServer(.s3).endedAtExit() }
    private static let running = Mutex<[StorageServer]>([])

    private func endedAtExit() -> Self {
        let isFirst = Self.running.withLock { running in
            running.append(self)
            return running.count == 1
        }
        if isFirst {
            atexit {
                for server in StorageServer.running.withLock(\.self) {
                    server.stop()
                    // try?: only a temporary folder stays
                    try? TestFiles.removeTree(server.home.path)
                }
            }
        }
        return self
    }

    /// Starts a server for one test.
    /// - Parameter served: the folder to serve; nil for a new one.
    package init(_ kind: Kind, serving served: FilePath? = nil) throws {
        self.kind = kind
        home = try TemporaryFolder(prefix: "ticds-server")
        let folder = served ?? home.path.appending("files")
        if served == nil { try TestFiles.makeFolder(folder) }
        self.folder = kind == .s3 ? nil : folder
        guard let rclone = InstalledRclone.path else { throw StorageServerError(text: "no rclone") }
        let variables = ProcessInfo.processInfo.environment
        let environment = [
            "PATH=\(variables["PATH"] ?? "/usr/bin:/bin")", "HOME=\(home.path)", "PYTHONPATH=\(Self.modules)",
            "PYTHONUNBUFFERED=1", "FILES=\(folder)",
        ]
        func python(_ script: String) throws -> HelperProcess {
            try HelperProcess("/usr/bin/env", ["python3", "-c", script], environment: environment)
        }
        switch kind {
        case .sftp:
            let script = home.path.appending("ssh")
            // Another process writes the file: a program that is started at the same time would keep a file of this
            // process open (ETXTBSY).
            try Fixtures.run([
                "sh", "-c",
                "printf '#!/bin/sh\\nexec \(Self.sftpServer)\\n' > '\(script)'; chmod 755 '\(script)'",
            ])
            process = nil
        case .webdav:
            process = try HelperProcess(
                rclone,
                [
                    "serve", "webdav", folder.string, "--addr", "127.0.0.1:0", "--log-level", "INFO",
                    "--vfs-cache-mode", "off",
                    // With a time of zero, rclone reads every folder again without a pause.
                    "--dir-cache-time", "50ms",
                ], environment: environment)
        case .wsgidav: process = try python(Self.wsgidavScript)
        case .s3: process = try python(Self.motoScript)
        }
        port = try process.map(Self.port)
    }

    private static let wsgidavScript = """
        import os, sys
        from cheroot import wsgi
        from wsgidav.fs_dav_provider import FilesystemProvider
        from wsgidav.wsgidav_app import WsgiDAVApp
        app = WsgiDAVApp({
            "provider_mapping": {"/": FilesystemProvider(os.environ["FILES"])},
            "simple_dc": {"user_mapping": {"*": True}}, "honor_mtime_header": True,
            "logging": {"enable": False}, "verbose": 0})
        server = wsgi.Server(("127.0.0.1", 0), app, numthreads=16)
        server.prepare()
        print("127.0.0.1:%d" % server.bind_addr[1], file=sys.stderr)
        server.serve()
        """

    private static let motoScript = """
        import logging, sys
        from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import make_server
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        server = make_server("127.0.0.1", 0, DomainDispatcherApplication(create_backend_app), threaded=True)
        print("127.0.0.1:%d" % server.server_port, file=sys.stderr)
        server.serve_forever()
        """

    /// Waits for the line with the port.
    static func port(_ process: HelperProcess) throws -> Int {
        for _ in 0..<6_000 {
            if let port = process.messages.firstMatch(of: #/127\.0\.0\.1:(\d+)\D/#)?.1, let port = Int(port) {
                return port
            }
            if process.hasEnded { break }
            usleep(10_000)
        }
        throw StorageServerError(text: "the server does not start: \(process.messages)")
    }

    deinit { stop() }

    /// Ends the server.
    package func stop() { process?.stop() }

    // MARK: Places

    /// The storage in rclone's form, up to the colon before a path.
    /// - Parameter port: the port of a proxy in between; by default that of the server.
    package func storage(port other: Int? = nil) -> String {
        let url = "'http://127.0.0.1:\(other ?? port ?? 0)'"
        return switch kind {
        case .sftp: ":sftp,ssh='\(home.path)/ssh',shell_type=none:"
        case .webdav: ":webdav,url=\(url),vendor=rclone:"
        case .wsgidav: ":webdav,url=\(url),vendor=owncloud:"
        case .s3:
            ":s3,provider=Other,endpoint=\(url),access_key_id=key,secret_access_key='secret secret',"
                + "force_path_style=true,directory_markers=true:"
        }
    }

    /// A new place in the server, which does not exist yet.
    package func newPlace() -> ServedFolder {
        ServedFolder(server: self, name: "place\(places.add(1, ordering: .relaxed).newValue)")
    }

    /// A copy of a folder in the server, with its times.
    package func place(copying source: FilePath) throws -> ServedFolder {
        let place = newPlace()
        if let folder = place.folder {
            try Fixtures.run(["cp", "-a", source.string, folder.string])
            waitUntilSeen()
        } else {
            try Self.copy(source.string, place.location())
        }
        return place
    }

    /// Waits until the server has noticed the changes in its folder: `rclone serve webdav` reads a folder again after
    /// 50 ms.
    package func waitUntilSeen() {
        if kind == .webdav { usleep(200_000) }
    }

    fileprivate static func copy(_ source: String, _ target: String) throws {
        try Fixtures.run([
            InstalledRclone.path?.string ?? "rclone", "--config", "/dev/null", "copy", source, target,
            "--create-empty-src-dirs", "--no-unicode-normalization", "--log-level", "ERROR",
        ])
    }
}

/// A folder in a server, for one test.
package struct ServedFolder: Sendable {
    package let server: StorageServer
    /// The name of the folder.
    package let name: String

    /// The local folder of the server; nil for S3.
    package var folder: FilePath? { server.folder?.appending(name) }

    /// The place in rclone's form.
    /// - Parameters:
    ///   - below: a path in it.
    ///   - port: the port of a proxy in between; by default that of the server.
    package func location(_ below: String = "", port: Int? = nil) -> String {
        let path =
            switch server.kind {
            case .sftp: folder?.string ?? ""
            case .webdav, .wsgidav: name
            case .s3: "bucket/\(name)"
            }
        return server.storage(port: port) + path + (below.isEmpty ? "" : "/" + below)
    }

    /// The place as an argument of ticds programs: `rclone:` and its location.
    package func address(_ below: String = "", port: Int? = nil) -> String {
        "rclone:" + location(below, port: port)
    }

    /// Copies everything in the place to `target`, with the times that the server keeps.
    package func fetch(to target: FilePath) throws { try StorageServer.copy(location(), target.string) }
}

/// The rclone of `TICDS_RCLONE` or PATH, if it is recent enough; otherwise the tests that need it are skipped by name.
package enum InstalledRclone {
    package static let path: FilePath? = {
        let name = ProcessInfo.processInfo.environment["TICDS_RCLONE"] ?? "rclone"
        let isRecent = "\(name) version 2>/dev/null | head -n 1 | grep -qE 'v1\\.(7[2-9]|[89][0-9])'"
        guard system(isRecent) == 0 else { return nil }
        if name.hasPrefix("/") { return FilePath(name) }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { FilePath(String($0)).appending(name) }.first {
            FileManager.default.isExecutableFile(atPath: $0.string)
        }
    }()

    /// A separate cache, which the first use sets for all tests of the process.
    package static let cache = Result {
        let folder = try TemporaryFolder()
        setenv("XDG_CACHE_HOME", folder.path.string, 1)
        return folder
    }
}

/// The reason why a server did not start.
struct StorageServerError: Error {
    var text: String
}
