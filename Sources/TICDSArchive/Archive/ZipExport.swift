import SystemCalls
import TICDSCore

/// Writes the members of a zip one after the other. Every file is read again: deflating takes longer by far.
struct ZipExport {
    let source: ExportSource
    let output: ZipOutput
    /// Called with bytes of files that went in.
    let progress: (Int64) -> Void

    func write(_ manifest: ArchiveManifest, _ batches: [ReadBatch]) throws(FileProblem) {
        let text = ManifestText(manifest).bytes
        try output.begin(manifest.member(size: text.count))
        try text.span.withUnsafeBytes(output.write)
        for batch in batches {
            for (entry, file) in zip(batch.entries, batch.files) {
                try output.begin(entry.member(of: manifest.application))
                guard let file else { continue }
                try source.readAgain(entry, file) { (piece) throws(FileProblem) in
                    try output.write(piece)
                    progress(Int64(piece.count))
                }
            }
        }
        try output.finish()
    }
}

extension ArchivedEntry {
    /// As a member of an archive.
    func member(of application: RemoteName) -> TarMember {
        var name = application.bytes
        name.reserveCapacity(path.names.reduce(name.count + 1) { $0 + $1.bytes.count + 1 })
        for part in path.names {
            name.append(UInt8(ascii: "/"))
            name += part.bytes
        }
        if isFolder { name.append(UInt8(ascii: "/")) }
        return TarMember(name: name, isFolder: isFolder, size: size, modified: modified)
    }
}

extension ArchiveManifest {
    /// The member that holds the manifest. It has no time of now, and one that sorts well.
    func member(size: Int) -> TarMember {
        TarMember(
            name: Array(Self.memberName.utf8), isFolder: false, size: Int64(size),
            modified: entries.map(\.modified).max() ?? FileTime(seconds: 0))
    }
}
