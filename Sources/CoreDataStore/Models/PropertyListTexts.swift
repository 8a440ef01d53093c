import KeyedArchive
import SystemCalls
import SystemPackage

/// The texts in the dictionary on top of a property list, binary or XML: all that model folders need of theirs.
enum PropertyListTexts {
    static func read(_ bytes: SharedBytes, path: FilePath) throws(FileProblem) -> [String: String] {
        bytes.starts(with: Array("bplist00".utf8)) ? try binary(bytes, path) : try xml(bytes, path)
    }

    private static func binary(_ bytes: SharedBytes, _ path: FilePath) throws(FileProblem) -> [String: String]
    {
        let value: ArchivedValue
        do throws(PropertyListError) {
            value = try BinaryPropertyList(bytes).value()
        } catch {
            throw FileProblem(error, path: path)
        }
        var texts: [String: String] = [:]
        for pair in value.pairs ?? [] {
            if let key = pair.key.stringValue, let text = pair.value.stringValue { texts[key] = text }
        }
        return texts
    }

    private static func xml(_ bytes: SharedBytes, _ path: FilePath) throws(FileProblem) -> [String: String] {
        do throws(XMLProblem) {
            return try xml(bytes.array)
        } catch {
            throw FileProblem(error, path: path)
        }
    }

    private static func xml(_ bytes: [UInt8]) throws(XMLProblem) -> [String: String] {
        var reader = try XMLReader(bytes)
        var texts: [String: String] = [:]
        var open: [String] = []
        var key = ""
        var text = ""
        while let event = try reader.next() {
            switch event {
            case .start(let name, _):
                open.append(name)
                text = ""
            case .text(let part):
                text += part
            case .end(let name):
                if open == ["plist", "dict", "key"] { key = text }
                if open == ["plist", "dict", "string"] { texts[key] = text }
                if open.count == 3 && name != "key" { key = "" }
                open.removeLast()
            }
        }
        return texts
    }
}
