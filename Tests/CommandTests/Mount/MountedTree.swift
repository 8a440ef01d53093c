import ArgumentParser
import Base
import Foundation
import Mounting
import Synchronization
import SystemCalls
import SystemPackage
import TICDSStorages
import Testing

@testable import TICDSCommandLine
@testable import TICDSDataCommands

/// The tree of a mount, read without a mount.
struct MountedTree {
    let top: any VirtualFolder

    init(top: any VirtualFolder) { self.top = top }

    /// The tree of a remote, with times in UTC.
    init(remote: String, model: String? = nil, _ passwordOptions: [String] = []) throws {
        top = try Self.withOwnFileMask {
            let context = try CommandContext.opened(
                OutputOptions.parse(["--utc", "--quiet"]), CommandStart())
            let open = try OpenRemote(
                RemoteAddress(argument: remote), PasswordOptions.parse(passwordOptions), context)
            return try MountedRemote(
                open, model: model.map { Environment.path(argument: $0) }, MountProblems(context), context
            ).top
        }
    }

    /// The tree of a store.
    init(store: String, model: String? = nil) throws {
        top = try Self.withOwnFileMask {
            let context = try CommandContext.opened(
                OutputOptions.parse(["--utc", "--quiet"]), CommandStart())
            return try MountedStore(
                Environment.path(argument: store), model: model, PasswordOptions.parse([]),
                MountProblems(context), context
            ).top
        }
    }

    /// Runs a part of a command on a thread with a file mode mask of its own. A command makes all later files of its
    /// process private when it opens an encrypted remote; other tests run in this process.
    private static func withOwnFileMask(
        _ body: @escaping @Sendable () throws -> any VirtualFolder
    ) throws -> any VirtualFolder {
        let outcome = Mutex<Result<any VirtualFolder, any Error>?>(nil)
        let end = DispatchSemaphore(value: 0)
        Thread {
            outcome.withLock { outcome in
                outcome = Result {
                    try separateFileMask()
                    return try body()
                }
            }
            end.signal()
        }.start()
        end.wait()
        return try #require(outcome.withLock { $0 }).get()
    }

    /// unshare(2) with CLONE_FS, for this thread.
    private static func separateFileMask() throws {
        typealias Unshare = @convention(c) (CInt) -> CInt
        let unshare = unsafeBitCast(try #require(dlsym(nil, "unshare")), to: Unshare.self)
        guard unshare(0x200) == 0 else { throw Errno(rawValue: errno) }
    }

    /// The entry at a path.
    func node(_ path: String) throws -> VirtualNode? {
        var node = VirtualNode.folder(top)
        for name in path.split(separator: "/") {
            guard case .folder(let folder) = node, let next = try folder.entry(named: String(name)) else {
                return nil
            }
            node = next
        }
        return node
    }

    /// The names in a folder.
    func names(_ path: String = "") throws -> [String] {
        guard case .folder(let folder)? = try node(path) else { return [] }
        return try folder.listing().names
    }

    /// The bytes of a file.
    func bytes(_ path: String) throws -> [UInt8] {
        guard case .file(let file)? = try node(path) else { return [] }
        return try Self.bytes(of: file)
    }

    /// The text of a file.
    func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    static func bytes(of file: any VirtualFile) throws -> [UInt8] {
        let content = try file.open()
        var bytes: [UInt8] = []
        while bytes.count < content.size {
            let piece = try content.read(bytes.count..<(bytes.count + 100_000))
            if piece.count == 0 { break }
            bytes += piece.array
        }
        return bytes
    }

    /// Calls `body` with every file of a folder and the folders below, and `onProblem` with each error of listing.
    func forEachFile(
        _ path: String = "", onProblem: (String, any Error) -> Void,
        _ body: (String, any VirtualFile) -> Void
    ) {
        do {
            guard case .folder(let folder)? = try node(path) else { return }
            let listing = try folder.listing()
            if let problem = listing.problem { onProblem(path, problem) }
            for (position, name) in listing.names.enumerated() {
                let place = path.isEmpty ? name : "\(path)/\(name)"
                switch listing.node(at: position) {
                case .folder: forEachFile(place, onProblem: onProblem, body)
                case .file(let file): body(place, file)
                }
            }
        } catch {
            onProblem(path, error)
        }
    }

    /// The objects below a folder `objects`, each as JSON in one form, sorted.
    func objects(_ path: String) throws -> [String] {
        var objects: [String] = []
        var problem: (any Error)?
        forEachFile(path, onProblem: { problem = $1 }) { place, file in
            guard place.hasSuffix(".json") else { return }
            do { objects.append(try Self.canonical(Self.bytes(of: file))) } catch { problem = error }
        }
        if let problem { throw problem }
        return objects.sorted()
    }

    /// JSON without the freedom of its form.
    static func canonical(_ json: [UInt8]) throws -> String {
        let value = try JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed)
        let bytes = try JSONSerialization.data(
            withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Lines of JSON without the freedom of its form, sorted.
    static func canonical(lines: String) throws -> [String] {
        try lines.split(separator: "\n").map { try canonical(Array($0.utf8)) }.sorted()
    }
}
