import Base
import CoreDataStore
import KeyedArchive
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// Writes the changes of a set as lines of "ticds.change/1" from the bytes of the set, on several threads if it is
/// large. Each line equals the line that `ChangeLines` writes for the `ChangeRecord`.
struct ChangeTranscript: Sendable {
    /// The number of changes, and the approximate bytes of text, that a thread writes at a time. The text stays in
    /// memory.
    private static let batchCount = 256
    private static let batchSize = 1 << 20
    /// The number of batches for each thread before the lines are written out.
    private static let batchesInTurn = 8

    private let changes: LocatedChanges
    /// The beginning of each line, up to the number of the change.
    private let head: String

    /// The number of threads for many changes.
    private let workers: Int

    /// Prepares a set; nil for a set that must be decoded, or that was altered: the reader reports what is missing.
    init?(_ bytes: SharedBytes, _ place: ChangePlace, workers: Int) {
        // try?: `ChangeSetReader` reports the damage
        guard let changes = try? LocatedChanges(bytes, workers: workers),
            BinaryStoreArchive.shortfall(of: bytes, path: "") == nil
        else { return nil }
        self.changes = changes
        self.workers = workers
        var json = JSONWriter(nil)
        json.beginObject()
        json.field("schema", ChangeLines.schema.name)
        json.field("document", place.document)
        json.field("client", place.client)
        json.field("changeSet", place.changeSet)
        head = json.text + ",\"sequence\":"
    }

    /// Writes all lines. Returns the number of written lines; nil if these are all.
    func write(to json: inout JSONWriter) -> Int? {
        let threads = changes.count < LocatedChanges.parallelCount ? 1 : workers
        var rest = changes.share
        var first = 0
        while first < changes.count {
            let starts = Array(
                stride(from: first, to: changes.count, by: Self.batchCount)
                    .prefix(threads == 1 ? 1 : threads * Self.batchesInTurn))
            let batches = Mutex<[Int: Batch]>([:])
            ParallelWork.forEach(below: starts.count, workers: threads) { number in
                let batch = batch(starts[number]..<min(starts[number] + Self.batchCount, changes.count))
                batches.withLock { $0[number] = batch }
            }
            for (number, start) in starts.enumerated() {
                guard let batch = batches.withLock({ $0.removeValue(forKey: number) }) else { return first }
                rest = (rest.visits - batch.spent.visits, rest.bytes - batch.spent.bytes)
                guard rest.visits > 0, rest.bytes > 0 else { return first }
                json.lines(batch.lines.text)
                first += batch.count
                // The rest of a batch with large values comes with the next turn.
                if first < min(start + Self.batchCount, changes.count) { break }
            }
        }
        return nil
    }

    /// The lines of some consecutive changes.
    private struct Batch: Sendable {
        var lines: CollectedLines
        var count: Int
        var spent: (visits: Int, bytes: Int)
    }

    /// The lines of the first changes of `range`, and at least one; nil if one of these must be decoded.
    private func batch(_ range: Range<Int>) -> Batch? {
        var text = OutputBuffer(nil)
        var transcriber = ArchiveTranscriber(changes.objects)
        var done = 0
        for number in range {
            // try?: `ChangeSetReader` reports the damage
            guard (try? write(number, &transcriber, to: &text)) != nil else { return nil }
            done += 1
            if text.count > Self.batchSize { break }
        }
        return Batch(lines: CollectedLines(text), count: done, spent: transcriber.spent)
    }

    private func write(
        _ number: Int, _ write: inout ArchiveTranscriber, to text: inout OutputBuffer
    ) throws(UnlocatedObject) {
        let change = try changes.change(number)
        text.append(raw: head)
        text.append(decimal: Int64(number + 1))
        text.append(literal: ",\"type\":\"")
        text.append(raw: change.type.name)
        text.append(literal: "\",\"entity\":")
        try write.string(change.entity, orNull: "\"\"", to: &text)
        text.append(literal: ",\"objectSyncID\":")
        try write.string(change.objectSyncID, to: &text)
        switch change.type {
        case .insert:
            text.append(literal: ",\"attributes\":")
            try write.dictionary(change.changedAttributes, to: &text)
            try check(change, [.key, .relatedEntity, .relationships], &write, &text)
        case .attribute:
            text.append(literal: ",\"key\":")
            try write.string(change.key, to: &text)
            text.append(literal: ",\"value\":")
            try write.value(change.changedAttributes, to: &text)
            try check(change, [.relatedEntity, .relationships], &write, &text)
        case .toOne, .addToMany, .removeFromMany:
            text.append(literal: ",\"key\":")
            try write.string(change.key, to: &text)
            text.append(literal: ",\"relatedEntity\":")
            try write.string(change.relatedEntity, to: &text)
            text.append(literal: ",\"relatedSyncID\":")
            try write.optionalString(change.changedRelationships, to: &text)
            try check(change, [.attributes], &write, &text)
        case .delete:
            try check(change, [.key, .relatedEntity, .attributes, .relationships], &write, &text)
        case .unknown: throw UnlocatedObject()
        }
        text.append(literal: ",\"timestamp\":")
        try write.append(date: change.timestamp, to: &text)
        text.append(literal: "}\n")
    }

    private enum Part { case key, relatedEntity, attributes, relationships }

    /// Reads the parts that a line does not show, since damage in them is also reported.
    private func check(
        _ change: LocatedChange, _ parts: [Part], _ write: inout ArchiveTranscriber,
        _ text: inout OutputBuffer
    ) throws(UnlocatedObject) {
        let end = text.count
        for part in parts {
            switch part {
            case .key: try write.string(change.key, to: &text)
            case .relatedEntity: try write.string(change.relatedEntity, to: &text)
            case .attributes: try write.value(change.changedAttributes, to: &text)
            case .relationships: try write.optionalString(change.changedRelationships, to: &text)
            }
        }
        text.cut(to: end)
    }
}

/// Text that one thread collects and another thread writes out, without changes in between.
private final class CollectedLines: @unchecked Sendable {
    let text: OutputBuffer

    init(_ text: consuming OutputBuffer) { self.text = text }
}
