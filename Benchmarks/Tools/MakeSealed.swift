import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import TICDSCore
import TICDSDemonstration

/// `make-sealed COUNT SIZE VALUES FOLDER` writes an encrypted demonstration remote with so many more change sets by the
/// document's first client, each with photos of SIZE bytes in all. Half are in the other form. The password is "open
/// sesame".
enum MakeSealed {
    static func run(_ arguments: [String]) throws {
        guard arguments.count == 5, let count = Int(arguments[1]), let size = Int(arguments[2]),
            let values = Int(arguments[3])
        else {
            return print("usage: benchmark-tools make-sealed COUNT SIZE VALUES FOLDER")
        }
        let folder = FilePath(arguments[4])
        let password = "open sesame"
        try DemonstrationRemote.write(
            to: folder, DemonstrationRemote.Settings(changeSets: 240, password: password))
        let root = folder.appending(DemonstrationRemote.applicationIdentifier)
        let storage = LocalStorage(root: root)
        let snapshot = try RemoteSnapshot.take(storage)
        guard let salt = try PasswordCheck.salt(of: storage),
            let client = snapshot.document("cookbook")?.clients.first
        else { return print("the demonstration is not as expected") }
        let key = SyncKey(password: password, salt: salt)
        var numbers = SystemRandomNumberGenerator()
        var photo = (0..<size / max(values, 1)).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        for number in 0..<count {
            let time = 390_000_000 + Double(number) * 1000
            let changes = (0..<values).map { value in
                let count = number * values + value
                for position in stride(from: 0, to: photo.count - 1, by: 4096) {
                    photo[position] = UInt8(truncatingIfNeeded: count)
                    photo[position + 1] = UInt8(truncatingIfNeeded: count >> 8)
                }
                return insert(count, photo, time)
            }
            var bytes = try ChangeSetWriter.bytes(of: changes)
            if number % 2 == 1 { bytes = try otherForm.rewritten(store: bytes) }
            let name = "0\(Int(time)).000000-5EA1ED00-0000-4000-8000-\(100_000_000_000 + number).syncchg"
            let path = client.path.filePath(under: root).appending(name)
            try NewFile.write(
                try EncryptedFile.encrypt(SharedBytes(bytes), with: key, path: path).array, to: path,
                modified: FileTime(secondsSince2001: time))
        }
    }

    private static func insert(_ number: Int, _ photo: [UInt8], _ time: Double) -> SyncChange {
        let id = "5EA1ED00-0000-4000-9000-\(100_000_000_000 + number)"
        return SyncChange(
            type: .insert, entity: "Recipe", objectSyncID: id,
            changedAttributes: .dictionary([
                "photo": .data(photo), "title": .string("Recipe \(number)"), "ticdsSyncID": .string(id),
            ]), timestamp: time)
    }
}
