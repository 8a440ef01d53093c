import Base
import SystemCalls
import TICDSCore

/// Checks the decrypted bytes of device infos, document infos, tombstones and recent syncs.
enum PropertyListCheck: FileCheck {
    static func findings(_ checked: CheckedFile, _ bytes: SharedBytes) -> [Finding] {
        do throws(FileProblem) {
            switch checked.role {
            case .deviceInfo:
                return identityFindings(checked, try DeviceInfo(bytes, path: checked.place).identity)
            case .documentInfo:
                return identityFindings(checked, try DocumentInfo(bytes, path: checked.place).identity)
            case .tombstone where checked.file.document == nil:
                return identityFindings(checked, try DocumentInfo(bytes, path: checked.place).identity)
            case .tombstone:
                return identityFindings(checked, try DeviceInfo(bytes, path: checked.place).identity)
            default:
                let value = try PropertyListFile.value(of: bytes, path: checked.place)
                guard checked.role == .recentSync, !SmallFiles.hasSyncDate(value) else { return [] }
                return [
                    checked.finding(
                        .unreadListDamaged, expected: "a date under \(SmallFiles.syncDateKey)", found: "none")
                ]
            }
        } catch {
            let isRead = checked.role == .deviceInfo || checked.role == .documentInfo
            return checked.findings(error, isRead ? .propertyListDamaged : .unreadListDamaged)
        }
    }

    private static func identityFindings(_ checked: CheckedFile, _ identity: InfoIdentity) -> [Finding] {
        var findings: [Finding] = []
        // A tombstone only has to exist, and loose files of other names may be tombstones.
        if [RemoteLayout.deviceInfo, RemoteLayout.documentInfo].contains(checked.file.path.last),
            !identity.missingKeys.isEmpty
        {
            let keys = identity.missingKeys.joined(separator: ", ")
            findings.append(checked.finding(.keyMissing, expected: "a text under \(keys)", found: "no text"))
        }
        if let identifier = identity.identifier, let name = expectedName(checked),
            !identifier.utf8.elementsEqual(name.bytes)
        {
            findings.append(
                checked.finding(
                    .otherIdentifier, subject: identifier, expected: name.text, found: identifier))
        }
        return findings
    }

    /// The name of the folder; for a tombstone, the name of the file.
    private static func expectedName(_ checked: CheckedFile) -> RemoteName? {
        let names = checked.file.path.names
        switch checked.role {
        case .deviceInfo, .documentInfo: return names.dropLast().last
        case .tombstone: return names.last?.removing(suffix: RemoteLayout.propertyListSuffix)
        default: return nil
        }
    }
}

/// Finds clients of the app with the same description, which may be one device.
enum DevicesCheck: RemoteCheck {
    static func findings(_ context: VerificationContext) -> [Finding] {
        let devices = context.snapshot.clientDevices.compactMap { device in
            device.deviceInfo.part.flatMap { info($0.path, context) }.map { (device.identifier, $0) }
        }
        return DeviceDuplicate.withSameDescription(devices).compactMap { duplicate in
            guard let first = duplicate.clients.first else { return nil }
            let others = duplicate.clients.dropFirst().map(\.description).joined(separator: ", ")
            return context.finding(
                .deviceTwice, at: [RemoteLayout.clientDevices, first], client: first,
                expected: "one client for each device", found: "the same description in \(others)")
        }
    }

    /// The content of a device info; nil if the file cannot be read, which has a finding of its own.
    private static func info(_ file: RemotePath, _ context: VerificationContext) -> DeviceInfo? {
        context.attempt(file) { () throws(FileProblem) in
            try DeviceInfo(
                context.keyring.read(context.storage, file, limit: .propertyList),
                path: file.filePath(under: context.root))
        }
    }
}
