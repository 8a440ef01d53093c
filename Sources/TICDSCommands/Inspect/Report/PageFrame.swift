import Base
import Cryptography
import SystemCalls
import TICDSCore

/// The frame that all pages for a browser share. A page is valid as XHTML and as HTML, needs no other file, has no
/// script, and its policy allows only its own styles.
enum PageFrame {
    /// A page; the title, the sections and the footer are markup.
    /// - Parameter styles: the styles, each in a separate element; the page contains the first, pictures in it the
    ///   others.
    static func html(title: String, styles: [String], sections: [String], footer: String) -> String {
        let hashes = styles.map(hash).joined(separator: " ")
        let policy = "default-src 'none'; style-src \(hashes); base-uri 'none'; form-action 'none'"
        return """
            <!DOCTYPE html>
            <html xmlns="http://www.w3.org/1999/xhtml" lang="en">
            <head>
            <meta charset="utf-8"/>
            <meta http-equiv="Content-Security-Policy" content="\(policy)"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <meta name="color-scheme" content="light dark"/>
            <meta name="referrer" content="no-referrer"/>
            <title>\(title)</title>
            <style>\(styles.first ?? "")</style>
            </head>
            <body>
            <main>
            \(sections.joined(separator: "\n"))
            </main>
            <footer><p>\(footer)</p></footer>
            </body>
            </html>

            """
    }

    /// The source expression of the policy that allows one style.
    private static func hash(_ style: String) -> String {
        "'sha256-\(Base64.text(SHA256.hash(Array(style.utf8))))'"
    }

    /// Links to the sections of a page.
    static func contents(_ sections: [(identifier: String, title: String)]) -> String {
        let links = sections.map { "<li><a href=\"#\($0.identifier)\">\($0.title)</a></li>" }.joined()
        return "<nav aria-label=\"Contents\"><ul>\(links)</ul></nav>"
    }

    /// A section with its title.
    static func section(_ identifier: String, _ title: String, _ content: String) -> String {
        "<section id=\"\(identifier)\" aria-labelledby=\"\(identifier)-title\">\n"
            + "<h2 id=\"\(identifier)-title\">\(title)</h2>\n\(content)</section>"
    }

    /// A time for people and programs.
    static func time(_ time: FileTime, _ style: TextStyle) -> String {
        "<time datetime=\"\(time.iso)\">\(style.minute(time))</time>"
    }

    /// The explanation of the times and sizes of a page.
    static func conventions(_ style: TextStyle) -> String {
        "Times are \(style.isUTC ? "in UTC" : "in the time zone of the machine that wrote the page"); "
            + "sizes are in \(style.hasExactSizes ? "bytes" : "powers of 1,000 bytes")."
    }

    /// `<li>` with a large number and its unit.
    static func figure(_ number: String, _ unit: String) -> String {
        "<li><span class=\"figure\">\(number)</span> <span class=\"unit\">\(unit)</span></li>"
    }
}
