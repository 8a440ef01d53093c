import Foundation
import SystemCalls
import SystemPackage
import TestSupport

/// A real browser without a window.
enum Browser {
    /// Chromium, where it is installed.
    static let path: String? = ["chromium", "chromium-browser", "google-chrome"].lazy
        .map { "/usr/bin/" + $0 }.first { FileManager.default.isExecutableFile(atPath: $0) }

    static var available: Bool { path != nil && Python.available }

    enum Scheme: Int, CaseIterable {
        case dark, light
    }

    /// Shows a page, with additional arguments for the requested action.
    static func show(
        _ page: String, _ scratch: Scratch, width: Int, scheme: Scheme, _ arguments: [String]
    ) throws -> Program.Result {
        let words =
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                "--disable-dev-shm-usage", "--enable-logging=stderr", "--force-device-scale-factor=1",
                "--user-data-dir=\(scratch.path.appending("browser"))", "--window-size=\(width),900",
                "--blink-settings=preferredColorScheme=\(scheme.rawValue)",
            ] + arguments + ["file://" + page]
        return try Program.launch(
            path ?? "", words, environment: ["HOME": scratch.path.string], seconds: 120)
    }
}
