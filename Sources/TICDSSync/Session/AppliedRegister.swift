import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// The framework's register of sets that are in the document, `AppliedSyncChangeSets.ticdsync`.
struct AppliedRegister {
    let path: FilePath

    init(_ path: FilePath) { self.path = path }

    /// Enters sets; one that is there already gets the new dates. The file is replaced whole.
    func enter(_ sets: [RegisteredChangeSet]) throws(FileProblem) {
        guard try FileStatus.ifPresent(path) != nil else { return try RegisterFile.write(sets, to: path) }
        try RegisterFile.replace(path) { (new) throws(FileProblem) in
            try StoreCopy.copy(path, to: new)
            try add(sets, to: new)
        }
    }

    private func add(_ sets: [RegisteredChangeSet], to file: FilePath) throws(FileProblem) {
        let entity = FrameworkModels.syncChangeSetEntity
        let store = try WritableStore(
            file, model: FrameworkModels.syncChangeSet, mismatch: .accept,
            identifier: "syncChangeSetIdentifier")
        for set in sets {
            guard let identifier = set.identifier else { continue }
            let attributes = ChangeSetRegisterWriter.attributes(of: set)
            if let object = try store.object(entity, identifier) {
                for attribute in attributes {
                    try store.set(attribute.name, of: object, to: attribute.value)
                }
            } else {
                let pairs = attributes.map { ArchivedPair(key: .string($0.name), value: $0.value) }
                var refusal: FileProblem?
                _ = try store.insert(entity, attributes: pairs) { _, problem in refusal = problem }
                if let refusal { throw refusal }
            }
        }
        try store.finish()
    }
}
