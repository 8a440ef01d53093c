import KeyedArchive
import SystemCalls
import TICDSCore

/// Checks the decrypted bytes of device infos, document infos, tombstones and recent syncs.
enum PropertyListCheck: FileCheck {
    static func findings(_ checked: CheckedFile, _ bytes: SharedBytes) -> [Finding] {
        do throws(FileProblem) {
            guard let identifier = try identifier(checked, bytes), let name = expectedName(checked) else {
                return []
            }
            if identifier.utf8.elementsEqual(name.bytes) { return [] }
            return [
                checked.finding(.otherIdentifier, subject: identifier, expected: name.text, found: identifier)
            ]
        } catch {
            let isRead = checked.role == .deviceInfo || checked.role == .documentInfo
            return checked.findings(error, isRead ? .propertyListDamaged : .unreadListDamaged)
        }
    }

    /// The identifier in the property list; nil for roles without one.
    private static func identifier(
        _ checked: CheckedFile, _ bytes: SharedBytes
    ) throws(FileProblem) -> String? {
        switch checked.role {
        case .deviceInfo: return try DeviceInfo(bytes, path: checked.place).identifier
        case .documentInfo: return try DocumentInfo(bytes, path: checked.place).identifier
        case .tombstone where checked.file.document == nil:
            return try DocumentInfo(bytes, path: checked.place).identifier
        case .tombstone: return try DeviceInfo(bytes, path: checked.place).identifier
        default:
            _ = try PropertyListFile.value(of: bytes, path: checked.place)
            return nil
        }
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
