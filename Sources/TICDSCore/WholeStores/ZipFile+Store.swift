import KeyedArchive
import SystemCalls
import SystemPackage

extension ZipFile {
    /// The entry that holds the store: the only file, else the only one whose content begins like a store.
    func storeMember() throws(FileProblem) -> ZipMember {
        let members = try members()
        let files = members.filter { $0.kind == .file }
        guard let first = files.first else {
            throw FileProblem(
                .damaged, path: file.path, "the zip contains no file", expected: "one store",
                found: members.isEmpty ? "no entries" : "only folders and links",
                advice:
                    "The client could not open its store when it made the zip; use the store of another client"
            )
        }
        guard files.count > 1 else { return first }
        var stores: [ZipMember] = []
        for member in files where !member.isEncrypted {
            let head = SharedBytes(try head(of: member, count: PlainSignature.headSize))
            if WholeStoreKind(head: head, kind: .file, isEncrypted: false).isStore { stores.append(member) }
        }
        guard let store = stores.first else {
            throw FileProblem(
                .damaged, path: file.path, "the zip contains no store", expected: "one store",
                found: "\(files.count) files, and none begins like one")
        }
        guard stores.count == 1 else {
            throw FileProblem(
                .ambiguous, path: file.path, "the zip contains several stores", expected: "one",
                found: stores.map { escapedName($0.name) }.joined(separator: ", "),
                advice: "Extract the right one with another tool")
        }
        return store
    }
}
