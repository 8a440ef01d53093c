import TICDSCore

/// Checks the references between the whole stores and the change sets of one document.
enum DeepCheck: DocumentCheck {
    static func findings(
        of document: DocumentSnapshot, _ context: VerificationContext, damaged: Set<RemotePath>
    ) -> [Finding] {
        let isLocked = context.snapshot.isEncrypted && context.keyring.key == nil
        guard !isLocked else { return [] }
        var stores = StoreObjects(document, context, damaged: damaged)
        var index = ObjectIndex()
        var names = EntityNames()
        let findings = stores.enterNamed(&index, &names, document.identifier, context)
        var follower = ChangeFollower(
            document, context, stores: stores, index: index, names: names, damaged: damaged)
        index = ObjectIndex()
        follower.run()
        return findings + follower.limited.findings
    }
}
