import TICDSCore

extension RemoteName {
    /// False for names that the framework leaves out of its lists, counted as Cocoa counts: in units of UTF-16
    /// (ticoredatasync.md, 1.5).
    var isLongEnoughToBeListed: Bool {
        bytes.count >= 4 * RemoteLayout.shortestListedName
            || text.utf16.count >= RemoteLayout.shortestListedName
    }
}
