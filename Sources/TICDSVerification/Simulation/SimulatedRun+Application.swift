import SystemCalls
import TICDSCore

extension SimulatedRun {
    /// Registration with the application (ticds-protocol(7), 4.1).
    mutating func registerApplication() -> Bool {
        let salt: RemotePath = [RemoteLayout.encryption, RemoteLayout.salt]
        guard context.snapshot.tree[salt] != nil else {
            let goesOn = add(
                SimulationStep(
                    .applicationRegistration, "Look for the salt", .done, section: "4.1-B2",
                    "There is no salt, so the client works without encryption."))
            return goesOn && makeDeviceFolder()
        }
        return readSalt(salt) && testPassword() && makeDeviceFolder()
    }

    private mutating func readSalt(_ salt: RemotePath) -> Bool {
        let isFile = context.snapshot.tree[salt]?.kind == .file
        return add(
            SimulationStep(
                .applicationRegistration, "Read the salt", isFile ? .done : .fails,
                isFile ? nil : variant.errorOfMissingFile, section: "4.1-B2", paths: [salt],
                isFile
                    ? "There is a salt, so the client works with encryption."
                    : "There is a salt, but it is not a plain file, so the client cannot read it."))
    }

    private mutating func testPassword() -> Bool {
        let path: RemotePath = [RemoteLayout.encryption, RemoteLayout.encryptionTest]
        let isKnownHere = simulation.standing != .newcomer
        let name = isKnownHere ? "Try the remembered key" : "Ask for the password and try it"
        func step(_ outcome: SimulationStep.Outcome, _ error: FrameworkError?, _ text: String)
            -> SimulationStep
        {
            SimulationStep(
                .applicationRegistration, name, outcome, error, section: "4.1-B4", paths: [path], text)
        }
        switch EncryptedFetch(context: context).state(of: path) {
        case .opens:
            return add(step(.done, nil, "The test file can be decrypted, so the password is right."))
        case .notChecked(let reason):
            return add(step(.unknown, nil, "\(reason); the simulation assumes that the password is right."))
        case .missing:
            let error: FrameworkError = variant == .dropbox ? .dropboxClient : .encryption
            let text =
                "There is a salt but no test file, so no password can be tried and no client can register."
            return add(step(.fails, error, text))
        case .tooShort:
            return add(step(.fails, .encryption, "The test file is too short to be an encrypted one."))
        case .refused:
            return add(
                step(
                    .fails, .encryption,
                    """
                    No password opens the test file (cryptor error 10000); the client forgets \
                    its key and asks again, without end.
                    """
                ))
        }
    }

    private mutating func makeDeviceFolder() -> Bool {
        let client = simulation.client
        let path: RemotePath = [RemoteLayout.clientDevices] + (client.map { [$0] } ?? [])
        if client != nil, context.snapshot.tree[path] != nil {
            return add(
                SimulationStep(
                    .applicationRegistration, "Look for its folder in ClientDevices", .done,
                    section: "4.1-B3",
                    paths: [path], "The folder exists; the client does not look into it."))
        }
        let parent = context.snapshot.tree[[RemoteLayout.clientDevices]]
        let isBlocked = parent.map { $0.kind != .folder } ?? false
        return add(
            SimulationStep(
                .applicationRegistration, "Make its folder in ClientDevices", isBlocked ? .fails : .done,
                isBlocked ? variant.errorOfMissingFile : nil, section: "4.1-A7", paths: [path],
                isBlocked
                    ? "ClientDevices is not a folder, so the client cannot make one in it."
                    : "The client makes the folder and writes deviceInfo.plist into it."))
    }
}

extension RemotePath {
    fileprivate static func + (path: RemotePath, names: [RemoteName]) -> RemotePath {
        RemotePath(path.names + names)
    }
}
