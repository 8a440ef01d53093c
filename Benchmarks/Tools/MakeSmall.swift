import Base
import SystemCalls
import SystemPackage
import TestSupport
import TICDSDemonstration
import TICDSCore

/// `make-small COUNT FOLDER` writes a demonstration remote with so many change sets, half of them in the other form.
enum MakeSmall {
    static func run(_ arguments: [String]) throws {
        guard arguments.count == 3, let count = Int(arguments[1]) else {
            return print("usage: benchmark-tools make-small COUNT FOLDER")
        }
        let folder = FilePath(arguments[2])
        try DemonstrationRemote.write(to: folder, DemonstrationRemote.Settings(changeSets: count))
        let root = folder.appending(DemonstrationRemote.applicationIdentifier)
        for document in try RemoteSnapshot.take(LocalStorage(root: root)).documents {
            for client in document.clients {
                for (number, set) in client.changeSets.enumerated() where number % 2 == 1 {
                    let path = client.path.appending(set.name).filePath(under: root)
                    let bytes = try FileBytes.read(path, limit: .changeSet).array
                    try AtomicFile.write(try otherForm.rewritten(store: bytes), to: path)
                    try TestFiles.setTime(path, set.modified)
                }
            }
        }
    }
}

/// The writer gives the form of a store that the process has saved which made it. Here all strings and data are objects,
/// too, and the class of an object comes first: the form of most samples.
let otherForm: KeyedArchiveForm = {
    var form = KeyedArchiveForm()
    form.isReversed = true
    form.wrapsStrings = true
    form.wrapsData = true
    return form
}()
