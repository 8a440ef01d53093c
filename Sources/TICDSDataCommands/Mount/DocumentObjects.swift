import Base
import CoreDataStore
import Mounting
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSSync

/// The objects of a document: the newest state, or that before a time.
struct DocumentObjects: ObjectSource {
    let remote: MountedRemote
    let document: RemoteName
    /// The time before which the state is; nil for the newest.
    let until: FileTime?

    func objects() throws(FileProblem) -> ObjectIndex {
        let moment = try remote.now()
        let shown = try moment.document(document)
        let bound = until.flatMap {
            shown.snapshot.firstChange(from: $0, moment.goneSets(of: shown.snapshot))
        }
        let key = StateCache.Key(
            kind: .objects, path: shown.snapshot.path, fingerprint: shown.fingerprint, until: bound)
        return try remote.states.get(key) { () throws(FileProblem) in
            do throws(FileProblem) {
                return try state(of: shown.snapshot, at: moment, until: bound)
            } catch {
                // What lacks memory or descriptors now may be made later.
                guard !error.isUnread,
                    [.refused, .unsupported, .damaged, .unknownName, .limit].contains(error.kind)
                else { throw error }
                return try ObjectIndex(without: error)
            }
        }
    }

    var place: FilePath { remote.place(of: document) }

    var problems: MountProblems { remote.problems }

    var hasHistories: Bool { until == nil }

    func history(of syncID: String) -> any VirtualFile {
        ObjectHistory(remote: remote, document: document, syncID: syncID)
    }

    /// Replays the document, and reads the result.
    private func state(
        of document: DocumentSnapshot, at moment: RemoteMoment, until: FileTime?
    ) throws(FileProblem) -> ObjectIndex {
        let (storage, snapshot) = (moment.storage, moment.snapshot)
        var start = StartingStore(of: document, in: storage, moment.keyring, model: remote.model)
        let unlisted = [RemoteLayout.syncChanges, RemoteLayout.wholeStore].compactMap {
            snapshot.gap(below: document.path.appending($0))
        }
        let replayed: DocumentState.Replayed
        do throws(FileProblem) {
            let state = DocumentState(document: document, moment: moment, until: until)
            replayed = try state.replayed(after: remote.bases.take(document.path), &start)
            // What cannot be read now may be readable later.
            if replayed.record.setsUnreadable == 0, start.unusable.isEmpty {
                remote.bases.put(replayed.base, for: document.path)
            }
        } catch {
            // What is missing may be among what could not be listed.
            if [.refused, .unknownName].contains(error.kind), let gap = unlisted.first { throw gap }
            throw error
        }
        let (whole, record, external) = (replayed.base.whole, replayed.record, replayed.external)
        let unread = unlisted + start.unusable
        if whole == nil, record.changesRead == 0, let problem = unread.first(where: \.isUnread) {
            throw problem
        }
        var problems = snapshot.problems(of: [document.path])
        for problem in unread + external.unread where !problems.contains(problem) { problems.append(problem) }
        let place = document.path.filePath(under: storage.root)
        let gone = moment.goneSets(of: document)
        for problem in gone.unread where !problems.contains(problem) { problems.append(problem) }
        if let problem = external.problem(at: place) { problems.append(problem) }
        if let problem = gone.problem(without: replayed.base.registered, until: until, at: place) {
            problems.append(problem)
        }
        problems += record.problems(at: place)
        // A state after the last change is the newest, which has histories, whoever asks for it first.
        return try ObjectIndex(opened(replayed.store), problems: problems, keepsSyncIDs: until == nil)
    }
}

extension DocumentObjects {
    /// The store that a replay wrote, as `ticds-store dump` opens it.
    private func opened(_ store: FilePath) throws(FileProblem) -> any PersistentStore {
        guard let path = remote.model else { return try PersistentStores.open(store, admitsDamage: true) }
        let model = try ModelFile.load(path, for: store, mismatch: .refuse, admitsDamage: true).model
        return try PersistentStores.open(store, model: model, mismatch: .refuse, admitsDamage: true)
    }
}

extension DocumentSnapshot {
    /// The first time of a change set or whole store that is not before `time`: states before both are the same. Nil if
    /// all are before it.
    fileprivate func firstChange(from time: FileTime, _ gone: GoneSets) -> FileTime? {
        var first = gone.first(from: time)
        func take(_ modified: FileTime) {
            guard modified >= time else { return }
            first = min(first ?? modified, modified)
        }
        for client in clients {
            for position in client.changeSets.indices { take(client.changeSets.modified(at: position)) }
        }
        for store in wholeStores.compactMap(\.store) { take(store.modified) }
        return first
    }
}

extension ReplayRecord {
    /// The changes that the state lacks, as problems of the document.
    fileprivate func problems(at document: FilePath) -> [FileProblem] {
        guard isPartial else { return [] }
        return notices.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { kind, notices in
            notices.first.prefix(20).map { notice in
                FileProblem(
                    .damaged, path: document, "\(kind.words): \(ReplayReport.line(notice))",
                    found: notices.count > 20 ? "\(notices.count) of this kind" : nil,
                    advice: "ticds-store replay shows all")
            }
        }
    }
}

/// `documents/NAME/at`: a folder for each day on which something changed, and for any other time.
struct TimesFolder: VirtualFolder {
    let remote: MountedRemote
    let document: RemoteName

    // try?: the time of a folder that cannot be listed does not matter
    var modified: FileTime { (try? remote.now().document(document).modified) ?? FileTime(seconds: 0) }

    func listing() throws(FileProblem) -> VirtualListing {
        let moment = try remote.now()
        let shown = try moment.document(document)
        return VirtualListing(
            shown.snapshot.days(moment.style),
            problem: moment.snapshot.gap(below: shown.snapshot.path.appending(RemoteLayout.syncChanges)),
            isFolder: { _ in true }
        ) { [names = shown.snapshot.days(moment.style), self] in
            time(names[$0]).map { .folder(TimeFolder(remote: remote, document: document, until: $0)) }
                ?? .folder(FixedFolder(modified: modified, []))
        }
    }

    func entry(named name: String) throws(FileProblem) -> VirtualNode? {
        _ = try remote.now().document(document)
        return time(name).map { .folder(TimeFolder(remote: remote, document: document, until: $0)) }
    }

    private func time(_ name: String) -> FileTime? {
        // try?: a time that the clocks skip or show twice is no folder
        try? TimeArgument(argument: name)?.time(remote.style)
    }
}

extension DocumentSnapshot {
    /// The days on which change sets were written, in order.
    fileprivate func days(_ style: TextStyle) -> [String] {
        // Times of one hour are on one day, in every zone.
        var quarters: Set<Int64> = []
        for client in clients {
            for position in client.changeSets.indices {
                let seconds = client.changeSets.modified(at: position).seconds
                // A division rounds towards 1970: a quarter before it begins earlier.
                quarters.insert(seconds / 900 - (seconds % 900 < 0 ? 1 : 0))
            }
        }
        let days = Set(quarters.map { MountText.day(FileTime(seconds: $0 *| 900), style) })
        return days.filter { $0.utf8.count == 10 }.sorted()
    }
}

/// `documents/NAME/at/TIME`.
private struct TimeFolder: VirtualFolder {
    let remote: MountedRemote
    let document: RemoteName
    let until: FileTime

    var modified: FileTime {
        // try?: the time of a folder that cannot be listed does not matter
        min((try? remote.now().document(document).modified) ?? until, until)
    }

    func listing() -> VirtualListing {
        let source = DocumentObjects(remote: remote, document: document, until: until)
        return VirtualListing([("objects", .folder(ObjectsFolder(source: source, modified: modified)))])
    }
}
