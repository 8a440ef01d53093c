import Rclone
import TestSupport
import Testing

/// The options of connection strings are hidden in texts of any kind.
@Suite struct ConnectionStringTests {
    private static let texts: [(text: String, shown: String)] = [
        ("rclone::sftp,host=h,pass=SECRET:path", "rclone::sftp,...:path"),
        ("rclone:cloud,pass=SECRET:a/b", "rclone:cloud,...:a/b"),
        ("see rclone::sftp,pass='a:SECRET,b':x and y", "see rclone::sftp,...:x and y"),
        ("rclone::sftp,pass='a''SECRET':x", "rclone::sftp,...:x"),
        (#"rclone::sftp,pass="a:SECRET":x"#, "rclone::sftp,...:x"),
        (#"{"path":"rclone::sftp,pass=\"a:SECRET\":x"}"#, #"{"path":"rclone::sftp,...:x"}"#),
        ("--from=rclone::sftp,pass=SECRET:x", "--from=rclone::sftp,...:x"),
        ("rclone copy a ':sftp,host=h,pass=SECRET:b'", "rclone copy a ':sftp,...:b'"),
        ("rclone::crypt,remote=':sftp,pass=SECRET:x',password=SECRET:y", "rclone::crypt,...:y"),
        // Options without an end are hidden to the end of the text.
        ("rclone::sftp,pass=SECRET", "rclone::sftp,..."),
        ("rclone::sftp,pass='SECRET:x", "rclone::sftp,..."),
        ("rclone::sftp,pass=SECRET,'", "rclone::sftp,..."),
        ("dial :sftp,pass='SECRET' refused by h", "dial :sftp,... refused by h"),
        ("rclone::sftp,pass='SECRET'SECRET,x=SECRET: no", "rclone::sftp,... no"),
        ("rclone:a,b=1:c rclone:d,e=SECRET:f", "rclone:a,...:c rclone:d,...:f"),
        ("rclone::a,,=SECRET:", "rclone::a,...:"),
        ("rclone::sftp,pass=\u{E9}SECRET\u{0}:x", "rclone::sftp,...:x"),
        (#"rclone::sftp,x=\""SECRET''\" SECRET/"":"#, "rclone::sftp,...:"),
        ("rclone::a,...=SECRET:", "rclone::a,...:"), ("rclone::a,...SECRET", "rclone::a,..."),
        // These are not connection strings.
        ("rclone:cloud:path,a=b", "rclone:cloud:path,a=b"),
        ("rclone::local:/a,b=c:d", "rclone::local:/a,b=c:d"),
        ("12:30,a=b:c", "12:30,a=b:c"), ("at ::1, port=2", "at ::1, port=2"), ("", ""),
        ("rclone:", "rclone:"),
        ("a=b, c: d", "a=b, c: d"),
    ]

    @Test func optionsAreHidden() {
        for one in Self.texts {
            #expect(ConnectionString.hidden(in: one.text) == one.shown, "\(one.text)")
            #expect(!ConnectionString.hidden(in: one.shown).contains("SECRET"))
            #expect(ConnectionString.hidden(in: one.shown) == one.shown, "\(one.shown)")
        }
    }

    /// Everything that an address accepts as options is hidden in every text around it.
    @Test func allThatAnAddressAcceptsIsHidden() {
        var random = RandomNumbers()
        let pieces = [
            "'", "\"", "''", "\"\"", ",", ":", "=", "\\", "/", " ", "a", "SECRET", "rclone:", "é", "\n", "{",
            "…",
        ]
        var accepted = 0
        for _ in 0..<20_000 {
            let text =
                "rclone::sftp,x="
                + (0..<Int.random(in: 0...12, using: &random)).map { _ in
                    pieces.randomElement(using: &random) ?? ""
                }.joined()
            guard let address = RcloneAddress(text), !address.path.contains("SECRET"), text.contains("SECRET")
            else { continue }
            accepted += 1
            let hidden = ConnectionString.hidden(in: "at '\(text)'.")
            #expect(hidden.hasPrefix("at 'rclone::sftp,...") && !hidden.contains("SECRET"), "\(text)")
        }
        #expect(accepted > 100)
    }
}
