import Base
import Cryptography
package import SystemCalls
import SystemPackage
import TICDSCore

/// Listings that completions use again for a minute: `$XDG_CACHE_HOME/ticds/listings`, a file for each named place. It
/// contains the path of the remote that was found there, a line end, and the answer of rclone.
enum ListingCache {
    private static let seconds: Int64 = 60

    private static func file(_ named: RcloneAddress) throws(FileProblem) -> FilePath {
        let folder = try CacheFolder.place("listings")
        try CacheFolder.make(folder)
        return folder.appending(hexadecimalDigits(of: SHA256.hash(Array(named.remote.utf8))))
    }

    /// The content that was stored less than a minute ago.
    static func read(_ named: RcloneAddress) throws(FileProblem) -> (path: String, json: [UInt8])? {
        let file = try file(named)
        guard let status = try FileStatus.ifPresent(file),
            (0..<seconds).contains(FileTime.now.seconds(since: status.modified))
        else { return nil }
        let bytes = try FileBytes.read(file, limit: .anyFile).array
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        return (String(decoding: bytes[..<end], as: UTF8.self), Array(bytes[(end + 1)...]))
    }

    static func write(_ json: [UInt8], found path: String, at named: RcloneAddress) throws(FileProblem) {
        try AtomicFile.write(Array(path.utf8) + [UInt8(ascii: "\n")] + json, to: file(named))
    }
}

extension RcloneStorage {
    /// The remote at `named` as it was listed at most a minute ago, only for completions.
    package static func recent(_ named: RcloneAddress) throws(FileProblem) -> RcloneStorage {
        if let kept = try ListingCache.read(named) {
            let address = named.at(path: kept.path)
            return try RcloneStorage(address, RcloneListing(kept.json, root: address.root))
        }
        let engine = try RcloneEngine.running()
        let address = try place(named, engine)
        let json = try engine.json(listing: address, withDigests: engine.features(of: address).hasReadyHashes)
        try ListingCache.write(json, found: address.path, at: named)
        return try RcloneStorage(address, RcloneListing(json, root: address.root))
    }

    /// The completions of the beginning of an address, after `rclone:`: storages, or folders.
    package static func completions(_ typed: String) throws(FileProblem) -> [String] {
        guard let slash = typed.lastIndex(of: "/") ?? typed.lastIndex(of: ":"),
            typed.hasPrefix(RcloneAddress.prefix)
        else { return [] }
        let start = String(typed[...slash])
        let engine = try RcloneEngine.running()
        guard let address = RcloneAddress(start) else {
            return try engine.storages().map { "\(RcloneAddress.prefix)\($0):" }
        }
        let entries = try engine.listOnly(.root, of: address, withDigests: false)[.root]
        return entries.filter { $0.kind == .folder && !$0.name.isHidden }.map { "\(start)\($0.name.text)/" }
    }
}
