import KeyedArchive
import SystemCalls
import SystemPackage

/// `archive-read FILE...` decodes every object of each keyed archive and prints how many values it gave. As the suite
/// does with a store, it holds one member of the outermost collection at a time.
enum ArchiveRead {
    static func run(_ arguments: [String]) throws {
        for argument in arguments.dropFirst() {
            let archive = try KeyedArchiveReader(try FileBytes.read(FilePath(argument), limit: .binaryStore))
            var decoder = KeyedArchiveDecoder(archive)
            var values = 1
            for member in try archive.elements(of: archive.root()) {
                values += count(try decoder.value(of: member))
            }
            print(values)
        }
    }

    private static func count(_ value: ArchivedValue) -> Int {
        switch value {
        case .array(let members), .set(let members), .orderedSet(let members):
            members.reduce(1) { $0 + count($1) }
        case .dictionary(let pairs): pairs.reduce(1) { $0 + count($1.key) + count($1.value) }
        case .object(let object): object.fields.reduce(1) { $0 + count($1.value) }
        default: 1
        }
    }
}
