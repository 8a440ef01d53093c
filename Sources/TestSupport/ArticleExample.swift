import SystemPackage

/// A block of Swift code in an article of a documentation catalogue.
package struct ArticleExample: Sendable, CustomStringConvertible {
    /// The file name of the article.
    package let article: String
    /// The line of the article where the code begins, from 1.
    package let line: Int
    /// The lines of the block without its fences.
    package let code: [String]

    package var description: String { "\(article):\(line)" }

    /// All blocks in the articles of a module.
    package static func all(of module: String) throws -> [ArticleExample] {
        let articles = try SourceTree.files(below: "Sources/\(module)/\(module).docc", suffix: ".md")
        return try articles.flatMap(blocks)
    }

    private static func blocks(of article: FilePath) throws -> [ArticleExample] {
        var blocks: [ArticleExample] = []
        var open: (line: Int, code: [String])?
        for (number, line) in try SourceTree.lines(of: article).enumerated() {
            if let (start, code) = open {
                guard line == "```" else {
                    open = (start, code + [line])
                    continue
                }
                let name = article.lastComponent?.string ?? ""
                blocks.append(ArticleExample(article: name, line: start, code: code))
                open = nil
            } else if line.hasPrefix("```swift") {
                open = (number + 2, [])
            }
        }
        return blocks
    }

    /// Whether `source` contains the lines, contiguous and with one more level of indentation.
    package func stands(in source: [String]) -> Bool {
        guard let first = code.first, !first.isEmpty else { return false }
        return source.indices.contains { start in
            guard source[start].hasSuffix(first), start + code.count <= source.count else { return false }
            let indentation = source[start].dropLast(first.count)
            guard indentation.allSatisfy({ $0 == " " }) else { return false }
            return zip(source[start...], code).allSatisfy { line, wanted in
                wanted.isEmpty ? line.isEmpty : line == indentation + wanted
            }
        }
    }
}
