import SystemPackage
import Testing

@testable import Rclone

@Suite struct RcloneAddressTests {
    @Test(arguments: [
        ("rclone:dropbox:Apps/Notes", "dropbox:", "Apps/Notes", "rclone:dropbox:Apps/Notes"),
        ("rclone:dropbox:", "dropbox:", "", "rclone:dropbox:"),
        ("rclone:my disk:/a//b/", "my disk:", "/a//b", "rclone:my disk:/a//b"),
        ("rclone:nas:/", "nas:", "/", "rclone:nas:/"),
        ("rclone::local:/srv/sync", ":local:", "/srv/sync", "rclone::local:/srv/sync"),
        (
            "rclone::sftp,host=example.org,pass=geheim:data", ":sftp,host=example.org,pass=geheim:", "data",
            "rclone::sftp,...:data"
        ),
        (
            "rclone::webdav,url='https://example.org:81/d''av':x:y",
            ":webdav,url='https://example.org:81/d''av':",
            "x:y", "rclone::webdav,...:x:y"
        ),
        (
            "rclone:nas,shell_type=none,copy_is_hardlink:a", "nas,shell_type=none,copy_is_hardlink:", "a",
            "rclone:nas,...:a"
        ),
    ])
    func parts(_ text: String, storage: String, path: String, shown: String) throws {
        let address = try #require(RcloneAddress(text))
        #expect(address.storage == storage && address.path == path)
        #expect(address.shown == shown && address.remote == storage + path)
    }

    @Test(arguments: [
        "", "rclone", "dropbox:a", "rclone:", "rclone::", "rclone:name", "rclone:a/b:c", "rclone::,x=1:",
        "rclone::sftp,pass='open:x", "rclone::sftp,host=a", "rclone:a\0b:c",
    ])
    func refuses(_ text: String) {
        #expect(RcloneAddress(text) == nil)
    }

    @Test func folders() throws {
        #expect(try #require(RcloneAddress("rclone:a:")).appending("b").appending("c").remote == "a:b/c")
        #expect(try #require(RcloneAddress("rclone:a:/")).appending("b").remote == "a:/b")
    }

    @Test func errorsRepeatNoPasswords() throws {
        let address = try #require(RcloneAddress("rclone::ftp,host=h,user=anna,pass='open ''sesame':x"))
        let text = address.withoutSecrets(
            "dial :ftp,user=anna,pass='open ''sesame' (open 'sesame): refused by h")
        #expect(!text.contains("sesame") && !text.contains("anna") && text.contains("refused by h"))
    }

    @Test(arguments: [
        ("v1.72.0", true), ("v1.75.2", true), ("v1.100.0-beta.1", true), ("v2.0.0", true), ("v1.71.2", false),
        ("v1.60.1-DEV", false), ("", false), ("v1", false), ("vx.80", false),
    ])
    func versions(_ text: String, isRecent: Bool) {
        #expect(RcloneProgram.isRecent(text) == isRecent)
    }

    /// Passwords of ticds, and settings that hide files or change writes, must not reach rclone.
    @Test func environment() {
        for name in [
            "PATH", "RCLONE_CONFIG", "RCLONE_CONFIG_PASS", "RCLONE_CONFIG_NAS_TYPE", "RCLONE_SFTP_PASS",
            "AWS_PROFILE",
        ] {
            #expect(RcloneProgram.passes(name[...]), "\(name)")
        }
        for name in [
            "TICDS_PASSWORD", "RCLONE_EXCLUDE", "RCLONE_FILTER", "RCLONE_MAX_DEPTH", "RCLONE_DRY_RUN",
            "RCLONE_RC_ADDR",
            "RCLONE_IMMUTABLE", "RCLONE_USE_SERVER_MODTIME", "LD_PRELOAD", "RCLONE_LOG_FILE",
        ] {
            #expect(!RcloneProgram.passes(name[...]), "\(name)")
        }
    }
}
