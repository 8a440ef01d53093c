import TICDSCore

/// Follows meaning across the files of one document: its registers, its whole stores, its change sets.
enum DeepJudge {
    /// - Parameter damaged: files that are known to be damaged; nothing is said about them again.
    static func findings(
        of document: RemoteName, _ context: VerificationContext, damaged: Set<RemotePath>
    ) -> [Finding] {
        guard let document = context.snapshot.document(document) else { return [] }
        let findings = Registers(document, context).findings(damaged: damaged)
        let isLocked = context.snapshot.isEncrypted && context.vault.key == nil
        guard !isLocked else { return findings }
        return findings + objects(document, context, damaged)
    }

    private static func objects(
        _ document: DocumentSnapshot, _ context: VerificationContext, _ damaged: Set<RemotePath>
    ) -> [Finding] {
        var stores = StoreObjects(document, context, damaged: damaged)
        var index = ObjectIndex()
        var names = EntityNames()
        let findings = stores.enterNamed(&index, &names, document.identifier, context)
        var follower = ChangeFollower(
            document, context, stores: stores, index: index, names: names, damaged: damaged)
        index = ObjectIndex()
        follower.followAll()
        follower.finish()
        return findings + follower.fold.findings
    }
}
