public import SystemCalls

extension StartingStore {
    /// The sets that a register lists.
    struct Register {
        var identifiers: Set<String> = []
        var clients: Set<String> { Set(counts.keys) }
        private(set) var lines: [RegisteredChangeSet] = []
        private var counts: [String: Int] = [:]

        func count(_ clients: Set<RemoteName>) -> Int { clients.reduce(0) { $0 + (counts[$1.text] ?? 0) } }

        mutating func add(_ changeSet: RegisteredChangeSet) {
            guard let identifier = changeSet.identifier, identifiers.insert(identifier).inserted else {
                return
            }
            lines.append(changeSet)
            counts[changeSet.clientIdentifier ?? "", default: 0] += 1
        }
    }

    /// The register beside a whole store; nil where there is none, or it is damaged.
    /// - Throws: where it cannot be read: what the store contains would be applied once more.
    func register(_ upload: WholeStoreSnapshot) throws(FileProblem) -> Register? {
        guard let file = upload.register else { return nil }
        return try unlessInvalid { () throws(FileProblem) in
            var register = Register()
            try ChangeSetRegister(storage.onDisk(file.path)).forEachChangeSet { register.add($0) }
            return register
        }
    }

    /// Sets that some client has applied, and that are neither in the store nor in the remote any more.
    public func lostSets() throws(FileProblem) -> Int {
        var present = registered ?? []
        for client in document.clients {
            for file in client.changeSets { present.insert(file.identifier.text) }
        }
        var lost: Set<String> = []
        for upload in document.wholeStores {
            if let register = try register(upload) {
                lost.formUnion(register.identifiers.subtracting(present))
            }
        }
        return lost.count
    }
}
