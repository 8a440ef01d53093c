import Base
import CoreDataStore
import SystemCalls
import SystemPackage

/// What an import has found: problems of lines, and remarks.
final class ImportFindings {
    /// The largest number of problems that are kept.
    static let most = 1_000

    private(set) var files: [FilePath] = []
    private(set) var problems: [FileProblem] = []
    /// The number of all problems.
    private(set) var count = 0
    /// The number of problems that concern a whole file, so that no part of it can be imported.
    private(set) var fatal = 0
    /// Remarks about defaults and about what was left out, and how many times each.
    private var remarks: [(text: String, count: Int)] = []
    private var known: [String: Int] = [:]

    /// Adds a file; returns its number.
    func add(file: FilePath) -> Int {
        files.append(file)
        return files.count - 1
    }

    /// Adds a problem of a file, or of a place in it.
    /// - Parameter isFatal: whether nothing of the file can be imported.
    func add(
        _ file: Int, _ place: String?, _ problem: CellProblem, advice: String? = nil, isFatal: Bool = false
    ) {
        count += 1
        if isFatal { fatal += 1 }
        guard problems.count < Self.most else { return }
        problems.append(
            FileProblem(
                .damaged, path: files.indices.contains(file) ? files[file] : "",
                (place.map { "\($0): " } ?? "") + problem.problem, expected: problem.expected,
                found: problem.found,
                advice: advice ?? problem.advice
                    ?? "Correct it, or leave out what does not fit with --skip-unreadable"))
    }

    /// Adds a remark, or counts it again.
    func remark(_ text: String) {
        if let index = known[text] {
            remarks[index].count += 1
        } else if remarks.count < Self.most {
            known[text] = remarks.count
            remarks.append((text, 1))
        }
    }

    /// Attributes that are nil since no column or field has them, by entity.
    private var absent: [(entity: String, names: [String])] = []
    private var absentKeys: Set<PropertyKey> = []

    /// Adds an attribute of an entity that no column or field has, and that is therefore nil.
    func addAbsent(_ entity: String, _ name: String) {
        guard absentKeys.insert(PropertyKey(entity: entity, name: name)).inserted else { return }
        let index = absent.firstIndex { $0.entity == entity } ?? absent.count
        if index == absent.count { absent.append((entity, [])) }
        absent[index].names.append(name)
    }

    /// The remarks in the order in which they first occurred.
    var texts: [String] {
        remarks.map { $0.count == 1 ? $0.text : "\($0.text) (\($0.count) times)" }
            + absent.map { "\($0.entity), nil since it is in no column or field: \($0.names.listed())" }
    }
}
