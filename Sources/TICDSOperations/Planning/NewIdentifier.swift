import SystemCalls
import SystemPackage
import TICDSCore

/// Checks the identifier of a new client or document.
struct NewIdentifier {
    let remote: PlannedRemote
    /// The noun for the identifier in messages: "document".
    let noun: String
    /// The folder that will contain the identifier.
    let folder: RemotePath
    /// The longest suffix of the names of files that begin with the identifier.
    let suffix: String

    /// - Throws: `.refused` for an invalid name, a name that the framework's lists leave out, and a name that exists.
    func check(_ name: RemoteName) throws(FileProblem) {
        guard name.isSafe else {
            throw refusal(
                "\"\(name)\" cannot be the identifier of a \(noun)",
                "Choose a name that is not empty, has no slash, and is neither \".\" nor \"..\" itself")
        }
        guard name.bytes.count + suffix.utf8.count <= FilePath.Component.longest else {
            throw refusal(
                "the identifier has \(name.bytes.count) bytes",
                "At most \(FilePath.Component.longest - suffix.utf8.count) fit")
        }
        guard FrameworkLists.isLongEnough(name), !name.isHidden else {
            throw refusal(
                "clients would not see a \(noun) \"\(name)\"",
                "Identifiers need five characters, and no dot at the beginning")
        }
        let listing = try remote.tree.listing(folder).whole
        let entry = FolderEntry(name: name, kind: .folder, size: 0, modified: remote.now)
        if StrayRules.junk(entry, in: listing) != nil {
            throw refusal(
                "\"\(name)\" looks like something that a cloud service or a system leaves behind",
                "Choose another identifier")
        }
        if let twin = listing.first(where: { isTwin($0.name, of: name) }) {
            throw refusal(
                "\"\(twin.name)\" already exists, and is the same name on a Mac",
                "Choose another identifier")
        }
    }

    private func isTwin(_ one: RemoteName, of other: RemoteName) -> Bool {
        one != other && one.text.lowercased() == other.text.lowercased()
    }

    private func refusal(_ problem: String, _ advice: String) -> FileProblem {
        remote.refusal(folder, problem, advice: advice)
    }
}
