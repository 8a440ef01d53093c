import KeyedArchive
import SystemCalls
import TICDSCore

/// Judges device infos, document infos, tombstones and recent syncs by their plain bytes.
enum PropertyListJudge: FileCheck {
    static func findings(_ judged: JudgedFile, _ bytes: SharedBytes) -> [Finding] {
        do throws(FileProblem) {
            guard let identifier = try identifier(judged, bytes), let name = expectedName(judged) else {
                return []
            }
            if identifier.utf8.elementsEqual(name.bytes) { return [] }
            return [
                judged.finding(.otherIdentifier, subject: identifier, expected: name.text, found: identifier)
            ]
        } catch {
            let isRead = judged.role == .deviceInfo || judged.role == .documentInfo
            return judged.findings(error, isRead ? .propertyListDamaged : .unreadListDamaged)
        }
    }

    /// The identifier that the list gives.
    private static func identifier(
        _ judged: JudgedFile, _ bytes: SharedBytes
    ) throws(FileProblem) -> String? {
        switch judged.role {
        case .deviceInfo: return try DeviceInfo(bytes, path: judged.place).identifier
        case .documentInfo: return try DocumentInfo(bytes, path: judged.place).identifier
        case .tombstone where judged.file.document == nil:
            return try DocumentInfo(bytes, path: judged.place).identifier
        case .tombstone: return try DeviceInfo(bytes, path: judged.place).identifier
        default:
            _ = try PropertyListFile.value(of: bytes, path: judged.place)
            return nil
        }
    }

    /// The name of the folder, or for a tombstone of the file.
    private static func expectedName(_ judged: JudgedFile) -> RemoteName? {
        let names = judged.file.path.names
        switch judged.role {
        case .deviceInfo, .documentInfo: return names.dropLast().last
        case .tombstone: return names.last?.removing(suffix: RemoteLayout.propertyListSuffix)
        default: return nil
        }
    }
}
