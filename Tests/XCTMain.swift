import Glibc
import Testing

/// Runs the tests. Without this file the package manager looks for tests of XCTest, of which there are none, in the
/// compiler's index, whose making takes a twentieth of the build.
@main
struct Runner {
    static func main() async {
        guard CommandLine.arguments.contains("swift-testing") else {
            print("These are tests of Swift Testing: swift test --enable-swift-testing --disable-xctest")
            exit(2)
        }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
