import TICDSCore

/// Places of files that a stray stands for: a placeholder, a cut-off download, a link or a folder in the file's place.
/// The stray is reported; that the file is missing would be a second finding for one defect.
struct TakenPlaces {
    private var paths: Set<RemotePath> = []
    private var placeholders: Set<RemotePath> = []
    private var twins: Set<RemotePath> = []

    init(_ snapshot: RemoteSnapshot) {
        for stray in snapshot.strays {
            paths.insert(stray.path)
            if stray.kind == .nameTwin, let original = stray.twin {
                twins.insert(stray.path)
                twins.insert(stray.path.parent.appending(original))
            }
            if let name = Self.originalName(of: stray) {
                paths.insert(stray.path.parent.appending(name))
                placeholders.insert(stray.path)
            }
        }
    }

    func contains(_ path: RemotePath) -> Bool { paths.contains(path) }

    /// True for a placeholder or a part of a download.
    func isOnItsWay(_ path: RemotePath) -> Bool { placeholders.contains(path) }

    /// True for both of two names that differ in case or Unicode form only: what one of them lacks the other may have.
    func isTwin(_ path: RemotePath) -> Bool { twins.contains(path) }

    /// `a.plist` for `.a.plist.icloud` and for `a.plist.part`.
    private static func originalName(of stray: Stray) -> RemoteName? {
        switch stray.kind {
        case .cloudPlaceholder:
            return stray.originalName
        case .partialDownload:
            guard let name = stray.path.last else { return nil }
            return name.bytes.lastIndex(of: UInt8(ascii: ".")).map { RemoteName(name.bytes[..<$0]) }
        default: return nil
        }
    }
}
