import SystemCalls
import TICDSCore

/// Files that were read before, and must be what they were then.
extension ExportSource {
    /// Hands the bytes of a file to `sink`, in order.
    /// - Throws: `.changedWhileReading` where it is another by now, or gone.
    func readAgain(
        _ entry: ArchivedEntry, _ file: ReadFile,
        to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let changed = changed(entry)
        var count: Int64 = 0
        let status = try reading(entry) { () throws(FileProblem) in
            try read(entry.path, isDecrypted: file.isDecrypted) { (piece) throws(FileProblem) in
                count += Int64(piece.count)
                guard count <= entry.size else { throw changed }
                try sink(piece)
            }
        }
        guard count == entry.size, status == file.status else { throw changed }
    }

    /// Puts some files of a batch together as a piece of a tar archive.
    func load(
        _ batch: ReadBatch, _ part: ExportBatch, of application: RemoteName, into piece: inout TarPiece
    ) throws(FileProblem) {
        var folder = LatestFolder()
        for position in part.entries {
            let entry = batch.entries[position]
            piece.begin(entry.member(of: application))
            guard let file = batch.files[position] else { continue }
            try piece.fill(Int(entry.size)) { (room) throws(FileProblem) in
                try readAgain(entry, file, in: &folder, into: room)
            }
        }
    }

    private func readAgain(
        _ entry: ArchivedEntry, _ file: ReadFile, in folder: inout LatestFolder,
        into room: UnsafeMutableRawBufferPointer
    ) throws(FileProblem) {
        if file.isDecrypted {
            var rest = room
            return try readAgain(entry, file) { piece in
                rest.copyMemory(from: piece)
                rest = UnsafeMutableRawBufferPointer(rebasing: rest[piece.count...])
            }
        }
        let status = try reading(entry) { () throws(FileProblem) in
            try read(entry.path, in: &folder, to: room)
        }
        guard status == file.status else { throw changed(entry) }
    }

    /// A file that is gone has changed, too.
    private func reading<Answer>(
        _ entry: ArchivedEntry, _ body: () throws(FileProblem) -> Answer
    ) throws(FileProblem) -> Answer {
        do throws(FileProblem) {
            return try body()
        } catch  where error.kind == .missing || error.kind == .changedWhileReading {
            throw changed(entry)
        }
    }

    private func changed(_ entry: ArchivedEntry) -> FileProblem {
        FileProblem(
            .changedWhileReading, path: entry.path.filePath(under: storage.root),
            "the file changed while it was archived",
            advice: "A client or a cloud service is writing it; try again")
    }
}
