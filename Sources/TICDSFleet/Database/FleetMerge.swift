import Base
import CoreDataStore
package import SystemCalls
package import SystemPackage
import TICDSCore

/// Merges the results of runs into the database of a fleet. For each part of the database the newest result of a remote
/// counts, by the time at which its command began; the order of runs and shards, and merging twice, change nothing.
package struct FleetMerge: Sendable {
    /// The number of results that were read.
    package private(set) var envelopes = 0
    /// The number of results that the database did not contain.
    package private(set) var new = 0
    /// The number of files that are not results, or could not be read, and the first of these problems.
    package private(set) var unread = 0
    package private(set) var problems: [FileProblem] = []

    private static let mostProblems = 100
    /// The number of results whose facts are in memory at the same time.
    private static let atOnce = 32

    /// Merges the runs in these folders into the file, which is created if it does not exist, and replaced in one step.
    /// - Parameter progress: called with the number of results so far; returns false to stop.
    /// - Throws: `.refused` while another program writes to the file.
    package static func run(
        _ folders: [FilePath], to target: FilePath, progress: (Int) -> Bool = { _ in true }
    ) throws(FileProblem) -> FleetMerge {
        var merge = FleetMerge()
        let name = FilePath(nameBytes: (target.lastComponent?.bytes ?? []) + Array(".lock".utf8))
        let lock = try FileLock(target.parent.pushing(name), wait: 0, isTemporary: true) { _ in
            FileProblem(
                .refused, path: target, "another program merges into this database",
                advice: "Wait until it has finished")
        }
        defer { _ = lock }
        let output = try AtomicOutput(target, isReplacing: true)
        let work = output.aside("merging.sqlite")
        do {
            let database = try FleetDatabase.make(work)
            if try FileStatus.ifPresent(target) != nil { try database.copy(from: target) }
            try database.execute("BEGIN")
            var writer = try database.reporting { () throws(SQLiteError) in
                try FleetWriter(database.connection, work)
            }
            for folder in folders { try merge.add(folder, &writer, progress) }
            try database.execute("COMMIT")
            try database.write(to: output.path)
        }
        try output.finish()
        return merge
    }

    private mutating func add(
        _ folder: FilePath, _ writer: inout FleetWriter, _ progress: (Int) -> Bool
    ) throws(FileProblem) {
        let run = try FleetRun(folder)
        try writer.add(run.order)
        let before = envelopes +| unread
        try addResults(of: run, &writer, progress)
        // A copy of a run without some of its results differs from a run that has none.
        let missing = run.order.remotes -| (envelopes +| unread -| before)
        guard missing > 0 else { return }
        note(
            FileProblem(
                .missing, path: folder,
                "\(missing) of the \(run.order.remotes) remotes of the run have no result here",
                advice: "Run it to the end, or copy its folder envelopes as a whole, then merge again"))
    }

    private mutating func addResults(
        of run: FleetRun, _ writer: inout FleetWriter, _ progress: (Int) -> Bool
    ) throws(FileProblem) {
        let folder = run.folder
        let top = folder.appending(FleetRun.Stage.envelopes.rawValue)
        guard try FileStatus.ifPresent(top) != nil else { return }
        for beginning in try Self.names(in: top) where beginning.utf8.count == 2 {
            let place = top.appending(beginning)
            let identifiers: [String]
            do throws(FileProblem) {
                identifiers = try Self.names(in: place).compactMap(Self.identifier)
            } catch {
                // The results in the other folders still count.
                note(error)
                continue
            }
            for start in stride(from: 0, to: identifiers.count, by: Self.atOnce) {
                guard progress(envelopes) else {
                    throw FileProblem(
                        .interrupted, path: folder, "the merge was stopped; the database is as it was",
                        advice: "Run the command again")
                }
                try add(identifiers[start..<min(start + Self.atOnce, identifiers.count)], place, &writer)
            }
        }
    }

    /// Adds a few results: reads them on all cores, and writes their facts in order.
    private mutating func add(
        _ identifiers: ArraySlice<String>, _ place: FilePath, _ writer: inout FleetWriter
    ) throws(FileProblem) {
        let identifiers = Array(identifiers)
        let results = ParallelWork.results(below: identifiers.count, workers: Cores.count) {
            (number) throws(FileProblem) in
            try Self.facts(identifiers[number], place)
        }
        for result in results {
            switch result {
            case .success(let facts):
                envelopes += 1
                if try writer.add(facts) { new += 1 }
            case .failure(let problem): note(problem)
            }
        }
    }

    private static func facts(_ identifier: String, _ place: FilePath) throws(FileProblem) -> EnvelopeFacts {
        let path = place.appending("\(identifier).json")
        // A worker may replace the file at the same time; the name stays.
        let bytes = try FileBytes.read(path, limit: RunResult.limit).array
        guard let facts = EnvelopeFacts(bytes), facts.head.identifier == identifier else {
            throw FileProblem(
                .damaged, path: path, "is not the result of a remote", advice: "Run again: it is made again")
        }
        return facts
    }

    /// The identifier in the name of an envelope; nil for any other name.
    private static func identifier(_ name: String) -> String? {
        guard name.utf8.count == 21, name.hasSuffix(".json") else { return nil }
        let identifier = String(name.dropLast(5))
        return FleetRemote.isIdentifier(identifier) ? identifier : nil
    }

    private mutating func note(_ problem: FileProblem) {
        unread += 1
        if problems.count < Self.mostProblems { problems.append(problem) }
    }

    /// The names in a folder, sorted.
    private static func names(in path: FilePath) throws(FileProblem) -> [String] {
        var names: [String] = []
        try DirectoryReader.forEachEntry(of: OwnedDescriptor.folder(path)) { name, _ in
            names.append(String(decoding: name, as: UTF8.self))
        }
        return names.sorted()
    }
}
