package import Base
import FoundationEssentials
import Glibc
package import SystemCalls
import SystemPackage

/// The progress of a shard: a small file that its worker writes once a second.
package struct ShardProgress: Codable, Hashable, Sendable {
    var schema = "ticds.fleetShard/1"
    /// The shard, such as `3/8`.
    package var shard: String
    package var stage: String
    package var host: String
    package var process: Int
    /// The times at which the worker began, and at which it wrote this file, as ISO 8601.
    package var begun: String
    package var updated: String
    /// The number of remotes of the shard, and the number of processed ones.
    package var remotes: Int
    package var dealt: Int
    /// Of these, the number for which the command ran, the number with a result already, and the number without a
    /// result at the end.
    package var ran: Int
    package var unchanged: Int
    package var failed: Int
    /// Whether the worker has ended normally.
    package var hasEnded: Bool
    /// Whether it stopped early, because of too many failures or a signal.
    package var stoppedEarly: Bool
    package var seconds: Double

    /// `ticds.fleetShard/1`.
    package static let schema = JSONSchema<ShardProgress>(
        "ticds.fleetShard/1",
        "How far a shard of a run of ticds-fleet(1) is, a file in `shards` in the folder of the run."
    ) {
        $0("shard", "Its number and the number of shards, as in `3/8`.", \.shard)
        $0(
            "stage", "What is done with the remotes.", as: .names(FleetRun.Stage.allCases.map(\.rawValue)),
            \.stage)
        $0("host", "The machine of the worker.", \.host)
        $0("process", "The number of its process.", \.process)
        $0("begun", "When it began.", as: .shared("time"), \.begun)
        $0("updated", "When it wrote this.", as: .shared("time"), \.updated)
        $0("remotes", "The remotes of the shard.", \.remotes)
        $0("dealt", "Those that it has dealt with.", \.dealt)
        $0("ran", "Of these, the remotes on which it ran the command.", \.ran)
        $0("unchanged", "Those that kept the result of an earlier run.", \.unchanged)
        $0("failed", "Those whose result is not `done`.", \.failed)
        $0("hasEnded", "Whether the worker has ended by itself.", \.hasEnded)
        $0("stoppedEarly", "Whether it ended before it had dealt with all.", \.stoppedEarly)
        $0("seconds", "From its beginning until it wrote this.", \.seconds)
    }

    /// The seconds since the worker wrote this file.
    package var age: Int64 { FileTime(iso: updated).map { FileTime.now.seconds(since: $0) } ?? .max }

    /// Whether its worker may be active: it has not ended, not even by a signal, and has written its progress in the
    /// last two minutes.
    package var isActive: Bool { !hasEnded && age < 120 && mayRun }

    /// Whether the process of the worker may run; always true for a different host.
    private var mayRun: Bool {
        host != Environment.hostName || kill(pid_t(clamping: process), 0) == 0 || errno == EPERM
    }

    /// Replaces the previous file, without forcing it to disk.
    func write(_ run: FleetRun) throws(FileProblem) {
        var json = JSONWriter(nil)
        json.document(self, Self.schema)
        let folder = run.folder.appending("shards")
        let name = shard.replacing("/", with: "-") + (stage == "envelopes" ? "" : "-\(stage)")
        try QuickFile.write(Array(json.text.utf8), to: folder.appending("\(name).json"))
    }

    /// Whether a worker of a run holds a local lock, or may be active on a different host.
    static func isAtWork(_ run: FleetRun) throws(FileProblem) -> Bool {
        let folder = run.folder.appending("shards")
        for name in try DirectoryReader.names(in: OwnedDescriptor.folder(folder))
        where name.bytes.starts(with: ".lock-".utf8) {
            if case .taken = try AdvisoryLock.take(folder.pushing(name)) { return true }
        }
        return try all(of: run).contains(where: \.isActive)
    }

    /// The progress files of the workers of a run; files that cannot be read, or are invalid, are omitted.
    package static func all(of run: FleetRun) throws(FileProblem) -> [ShardProgress] {
        let folder = try OwnedDescriptor.folder(run.folder.appending("shards"))
        var found: [ShardProgress] = []
        for (name, status) in try DirectoryReader.entries(of: folder)
        where status.kind == .file && name.suffix(5).elementsEqual(".json".utf8)
            && name.first != UInt8(ascii: ".")
        {
            let bytes = try unlessMissing { () throws(FileProblem) in
                try folder.file(FilePath(nameBytes: name)).bytes(limit: .note).array
            }
            guard let bytes,
                // try?: a worker of a different version, or no worker, wrote it
                let shard = try? JSONDecoder().decode(ShardProgress.self, from: Data(bytes)),
                shard.schema == "ticds.fleetShard/1"
            else { continue }
            found.append(shard)
        }
        return found.sorted { ($0.stage, $0.shard) < ($1.stage, $1.shard) }
    }
}

/// Replaces files whose loss costs only work: a reader sees the old bytes or the new ones, but after a power failure
/// the file may be missing or damaged.
enum QuickFile {
    /// Removes a file if it exists.
    static func remove(_ path: FilePath) throws(FileProblem) {
        guard try FileStatus.ifPresent(path) != nil, let name = path.lastComponent else { return }
        try OwnedDescriptor.folder(path.parent).remove(FilePath(nameBytes: name.bytes))
    }

    /// Replaces a file by a new one, or removes both if it is not wanted. Without a new file, none remains.
    static func replace(_ path: FilePath, by new: FilePath, isWanted: Bool) throws(FileProblem) {
        if isWanted, try FileStatus.ifPresent(new) != nil { return try NewFile.rename(new, to: path) }
        try remove(new)
        try remove(path)
    }

    static func write(_ bytes: [UInt8], to path: FilePath) throws(FileProblem) {
        let draft = path.parent.appending(".\(RandomName.make())")
        do throws(FileProblem) {
            try NewFile.write(bytes, to: draft)
            try NewFile.rename(draft, to: path)
        } catch {
            // try?: the first error counts
            try? OwnedDescriptor.folder(path.parent).remove(
                FilePath(nameBytes: draft.lastComponent?.bytes ?? []))
            throw error
        }
    }
}
