import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// A change set in its place in the order of application.
enum PlacedSet {
    case new(FetchedSet)
    /// One that is in the document, and comes after a new one.
    case known(FilePath, read: () throws(FileProblem) -> SharedBytes)

    var isNew: Bool {
        if case .new = self { return true }
        return false
    }
}
