import Foundation
import SystemCalls
import SystemPackage
import Testing

/// Each error contains the next step, and none names a system call.
@Suite struct AdviceTests {

    @Test func problemsHaveAdvice() {
        for kind in FileProblem.Kind.allCases where kind != .refused {
            #expect(FileProblem(kind, path: "/x", "is wrong").advice != nil, "\(kind)")
        }
        for number in [Errno.noSuchFileOrDirectory, .permissionDenied, .ioError] {
            let text = FileProblem(number, path: "/x").description
            #expect(text.wholeMatch(of: /\/x: [^:]+\. [A-Z][^:]+\./) != nil, "\(text)")
        }
        let text = FileProblem.writing(.noSpace, path: "/x").description
        #expect(
            text
                == "/x: cannot be written (found No space left on device). Make room on that volume, then try again."
        )
    }

    /// Refusals have no usual advice, since each has its own reason.
    @Test func refusalsInTheSourcesHaveTheirOwnAdvice() throws {
        let sources = ManualPage.package.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files
        where file.pathExtension == "swift" && !file.path.contains("/TestSupport/") {
            let text = try String(contentsOf: file, encoding: .utf8)
            for start in text.ranges(of: /FileProblem\(\s*\.refused/) {
                count += 1
                let call = Self.call(text[start.lowerBound...])
                #expect(call.contains("advice:"), "\(file.lastPathComponent): \(call)")
            }
        }
        #expect(count > 100)
    }

    /// The text up to the parenthesis that closes the first one.
    private static func call(_ text: Substring) -> Substring {
        var depth = 0
        for place in text.indices {
            if text[place] == "(" { depth += 1 }
            if text[place] == ")" { depth -= 1 }
            if text[place] == ")", depth == 0 { return text[...place] }
        }
        return text
    }
}
