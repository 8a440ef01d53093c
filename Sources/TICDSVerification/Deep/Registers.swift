import Base
import SystemCalls
import TICDSCore

/// Checks the registers beside whole stores: the sets that each client has applied, never encrypted.
struct Registers: DocumentCheck {
    private let document: DocumentSnapshot
    private let context: VerificationContext
    private let registers: [Register]
    private let limit: FileTime

    private struct Register {
        var client: RemoteName
        var file: RemoteFile
        /// Hashes of the identifiers.
        var applied: Set<UInt64>
        /// Registered sets that do not exist, although they are too new for a vacuum to have removed them.
        var missing: [Missing] = []
    }

    private struct Missing {
        var key: UInt64
        var date: FileTime
        var set: RegisteredChangeSet
    }

    private init(_ document: DocumentSnapshot, _ context: VerificationContext) {
        self.document = document
        self.context = context
        let limit = document.vacuumLimit(now: context.now)
        self.limit = limit
        let present = Self.presentIdentifiers(document, context)
        let members = Set(document.clients.map(\.identifier.text))
        var registers = document.wholeStores.compactMap { store in
            store.register.flatMap { Self.read($0, of: store.client, present, members, limit, context) }
        }
        if registers.count == document.wholeStores.count {
            Self.forgetSets(beforeTheKeyOf: document, &registers)
        }
        self.registers = registers
    }

    /// Removes sets that clients no longer need: sets older than the integrity key and in all whole stores. With this
    /// key, every client began from one of these stores (ticds-protocol(7), 1.2-B3, 1.8.1-1).
    private static func forgetSets(beforeTheKeyOf document: DocumentSnapshot, _ registers: inout [Register]) {
        guard document.integrityKeys.count == 1, let key = document.integrityKeys.first else { return }
        for number in registers.indices where !registers[number].missing.isEmpty {
            let others = registers.indices.filter { $0 != number }.map { registers[$0].applied }
            registers[number].missing.removeAll { set in
                set.date < key.modified && others.allSatisfy { $0.contains(set.key) }
            }
        }
    }

    /// Hashes of the identifiers of all entries in the clients' folders; a placeholder counts as its file.
    private static func presentIdentifiers(
        _ document: DocumentSnapshot, _ context: VerificationContext
    ) -> Set<UInt64> {
        var present: Set<UInt64> = []
        for client in document.clients {
            for entry in context.snapshot.tree.listing(client.path).part {
                let name = CloudPlaceholder.original(of: entry) ?? entry.name
                let identifier = name.removing(suffix: RemoteLayout.changeSetSuffix) ?? name
                present.insert(ObjectIndex.key(identifier.text))
            }
        }
        return present
    }

    private static func read(
        _ file: RemoteFile, of client: RemoteName, _ present: Set<UInt64>, _ members: Set<String>,
        _ limit: FileTime, _ context: VerificationContext
    ) -> Register? {
        var register = Register(client: client, file: file, applied: [])
        // The margin is two seconds, because cloud services round times.
        let newer = FileTime(seconds: limit.seconds +| 2)
        do throws(FileProblem) {
            let lines = try ChangeSetRegister(context.storage.onDisk(file.path))
            try lines.forEachChangeSet { line in
                guard let identifier = line.identifier else { return }
                let key = ObjectIndex.key(identifier)
                register.applied.insert(key)
                guard !present.contains(key), let author = line.clientIdentifier, author != client.text,
                    members.contains(author),
                    let date = line.creationDate.flatMap({ FileTime(secondsSince2001: $0) }), date > newer
                else { return }
                register.missing.append(Missing(key: key, date: date, set: line))
            }
        } catch {
            context.unread.note(error, at: file.path)
            return nil
        }
        return register
    }

    static func findings(
        of document: DocumentSnapshot, _ context: VerificationContext, damaged: Set<RemotePath>
    ) -> [Finding] {
        let registers = Registers(document, context)
        return registers.missingSets + registers.damagedSets(damaged) + registers.unregisteredSets
    }

    private var missingSets: [Finding] {
        registers.compactMap { register in
            guard let set = register.missing.first?.set else { return nil }
            let first = String((set.identifier ?? "").prefix(200))
            let author = (set.clientIdentifier ?? "").prefix(200)
            return context.finding(
                .registeredSetIsGone, at: register.file.path, document: document.identifier,
                client: register.client, subject: first,
                expected: "every set that is newer than the oldest whole store and the oldest recent sync",
                found: "\(counted(register.missing.count, "set")) missing, such as \(first) of \(author)")
        }
    }

    private func damagedSets(_ damaged: Set<RemotePath>) -> [Finding] {
        var limited = LimitedFindings()
        for author in document.clients where !damaged.isEmpty {
            for set in author.changeSets where damaged.contains(author.path.appending(set.name)) {
                let key = ObjectIndex.key(set.identifier.text)
                for register in registers
                where register.client != author.identifier && register.applied.contains(key) {
                    limited.add(
                        context.finding(
                            .appliedButUnreadable, at: author.path.appending(set.name),
                            document: document.identifier, client: register.client,
                            subject: register.client.text,
                            expected: "a readable set, since a client applied it",
                            found: "the register of \(register.client) names it"))
                }
            }
        }
        return limited.findings
    }

    /// Sets that a vacuum may remove although no later register of another client lists them. If the name shows when a set
    /// was uploaded, `TimesCheck` compares that with the recent syncs instead.
    private var unregisteredSets: [Finding] {
        var limited = LimitedFindings()
        for author in document.clients {
            let others = registers.filter { $0.client != author.identifier }
            for set in author.changeSets
            where set.modified < limit && ChangeSetIdentifier.nominalTime(set.identifier) == nil {
                let later = others.filter { $0.file.modified > set.modified }
                let key = ObjectIndex.key(set.identifier.text)
                guard !later.isEmpty, !later.contains(where: { $0.applied.contains(key) }) else { continue }
                limited.add(
                    context.finding(
                        .unseenBeforeVacuum, at: author.path.appending(set.name),
                        document: document.identifier, client: author.identifier,
                        expected: "a line in a register that is newer than the set",
                        found: "none in \(counted(later.count, "register"))"))
            }
        }
        return limited.findings
    }
}
