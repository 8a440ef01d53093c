import Base
import SystemCalls

/// Text as the content or an attribute of XML and HTML. Text from a remote can contain any characters.
package enum MarkupText {
    /// `text` on one line, without characters that have a meaning in markup or that XML forbids.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in escapedText(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
