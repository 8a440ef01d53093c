import Foundation
import SystemPackage
import TestSupport
import Testing

/// A store of the samples, and the folder of models that contains the matching one.
struct StoreSample: CustomTestStringConvertible, Sendable {
    var path: String
    var models: String
    var testDescription: String { URL(filePath: path).lastPathComponent }
    var isSQLite: Bool { !path.hasSuffix(".b_storedata") }

    /// Every store under the samples.
    static let all: [StoreSample] = {
        guard Samples.available else { return [] }
        let binary = folder("binary-stores").filter { $0.hasSuffix(".b_storedata") }.map {
            StoreSample(path: $0, models: Samples.path("binary-stores/models").string)
        }
        let sqlite = [
            "bookmarks", "docset-7606f51", "docset-db16521", "moody", "recipes", "restkit", "surfjournal",
        ]
        .flatMap { name in
            folder("sqlite-stores/\(name)").filter { path in
                [".sqlite", ".dsidx", ".moody"].contains { path.hasSuffix($0) }
            }.map { path in
                let models = Samples.path("sqlite-stores/\(name)/models").string
                let own = Samples.path("sqlite-stores/\(name)").string
                return StoreSample(
                    path: path, models: FileManager.default.fileExists(atPath: models) ? models : own)
            }
        }
        return binary + sqlite
    }()

    private static func folder(_ name: String) -> [String] {
        let path = Samples.path(name).string
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().map { "\(path)/\($0)" }
    }
}
