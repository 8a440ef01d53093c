import Glibc
import SystemCalls
import SystemPackage

/// The local program rclone, and its environment.
struct RcloneProgram {
    /// The oldest version that answers on Unix sockets as `RcloneEngine` requires, and that honours conditions on S3.
    static let oldest = (major: 1, minor: 72)
    static let advice =
        "Get rclone 1.72 or later from https://rclone.org/downloads, and put it into PATH or name it in TICDS_RCLONE"

    let path: FilePath

    /// The program that `TICDS_RCLONE` names, otherwise the first `rclone` in PATH.
    init() throws(FileProblem) {
        if let named = getenv("TICDS_RCLONE"), named.pointee != 0 {
            path = FilePath(platformString: named)
            guard Self.isProgram(path) else {
                throw FileProblem(
                    .missing, path: path, "TICDS_RCLONE does not name a program", advice: Self.advice)
            }
            return
        }
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        for folder in folders.split(separator: ":") where folder.hasPrefix("/") {
            let candidate = FilePath(String(folder)).appending("rclone")
            guard Self.isProgram(candidate) else { continue }
            path = candidate
            return
        }
        throw FileProblem(.missing, path: "rclone", "rclone is not installed", advice: Self.advice)
    }

    /// The version in the first line of `rclone version`, such as "v1.75.2"; empty if that fails.
    private var version: String {
        guard let stream = popen("\(ShellWord.quoted(path)) version 2>/dev/null", "r") else { return "" }
        defer { pclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = fread(&bytes, 1, bytes.count, stream)
        let line = String(decoding: bytes[..<count], as: UTF8.self).prefix { !$0.isNewline }
        return line.hasPrefix("rclone ") ? String(line.dropFirst(7)) : ""
    }

    /// The error of a program that ended at its start because it is too old; nil for any other.
    var isTooOld: FileProblem? {
        let version = version
        return version.isEmpty || Self.isRecent(version) ? nil : tooOld(version)
    }

    func tooOld(_ version: String) -> FileProblem {
        FileProblem(
            .unsupported, path: path, "this rclone is too old", expected: "1.72 or later", found: version,
            advice: Self.advice)
    }

    private static func isProgram(_ path: FilePath) -> Bool {
        var status = stat()
        return path.withPlatformString { name in
            stat(name, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(name, X_OK) == 0
        }
    }

    /// Whether a version such as "v1.75.2" or "v1.60.1-DEV" is recent enough; false for any other form.
    static func isRecent(_ version: String) -> Bool {
        let numbers = version.drop { $0 == "v" }.split(separator: ".").map {
            Int($0.prefix { $0.isNumber }) ?? -1
        }
        guard numbers.count >= 2, numbers[0] >= 0, numbers[1] >= 0 else { return false }
        return (numbers[0], numbers[1]) >= (oldest.major, oldest.minor)
    }

    /// Variables that rclone needs to find its configuration and its servers. Others are not passed on: passwords of
    /// ticds, and settings of rclone that hide files (`RCLONE_EXCLUDE`) or change writes (`RCLONE_IMMUTABLE`).
    static var environment: [String] {
        // Rclone waits half as long as this process, so that it can try a second time.
        let half = max(RcloneEngine.patience / 2, 1)
        var entries = [
            "RCLONE_ASK_PASSWORD=false", "RCLONE_TIMEOUT=\(half)s", "RCLONE_CONTIMEOUT=\(min(half, 60))s",
        ]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            let name = text.prefix { $0 != "=" }
            if passes(name) {
                entries.removeAll { $0.hasPrefix(name + "=") }
                entries.append(text)
            }
            next += 1
        }
        return entries
    }

    static func passes(_ name: Substring) -> Bool {
        if names.contains(String(name)) { return true }
        guard name.hasPrefix("RCLONE_") else { return families.contains { name.hasPrefix($0) } }
        let option = name.dropFirst("RCLONE_".count)
        return options.contains(String(option)) || option.hasPrefix("CONFIG_")
            || backends.contains { option.hasPrefix($0 + "_") }
    }

    private static let names: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ", "TMPDIR", "XDG_CONFIG_HOME",
        "XDG_CACHE_HOME",
        "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "SSL_CERT_FILE", "SSL_CERT_DIR",
        "DBUS_SESSION_BUS_ADDRESS",
        "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy",
        "all_proxy",
        "KRB5CCNAME", "KRB5_CONFIG", "GODEBUG",
    ]
    private static let families = ["AWS_", "GOOGLE_", "AZURE_", "GPG_", "PASSWORD_STORE_"]
    private static let options: Set<String> = [
        "CONFIG", "CONFIG_PASS", "PASSWORD_COMMAND", "BIND", "BWLIMIT", "CA_CERT", "CLIENT_CERT",
        "CLIENT_KEY",
        "CLIENT_PASS", "CONTIMEOUT", "DISABLE_HTTP2", "EXPECT_CONTINUE_TIMEOUT", "HEADER", "HTTP_PROXY",
        "LOW_LEVEL_RETRIES", "NO_CHECK_CERTIFICATE", "TIMEOUT", "TPSLIMIT", "TPSLIMIT_BURST", "USE_COOKIES",
        "USER_AGENT",
        "MAX_CONNECTIONS",
    ]
    private static let backends = [
        "ALIAS", "AZUREBLOB", "AZUREFILES", "B2", "BOX", "CACHE", "CHUNKER", "COMBINE", "COMPRESS", "CRYPT",
        "DOI",
        "DRIVE", "DROPBOX", "FICHIER", "FILEFABRIC", "FILELU", "FILESCOM", "FTP", "GCS", "GOFILE", "GPHOTOS",
        "HASHER",
        "HDFS", "HIDRIVE", "HTTP", "ICLOUDDRIVE", "IMAGEKIT", "INTERNETARCHIVE", "JOTTACLOUD", "KOOFR",
        "LINKBOX",
        "LOCAL", "MAILRU", "MEGA", "NETSTORAGE", "ONEDRIVE", "OOS", "OPENDRIVE", "PCLOUD", "PIKPAK",
        "PIXELDRAIN",
        "PREMIUMIZEME", "PROTONDRIVE", "PUTIO", "QINGSTOR", "QUATRIX", "S3", "SEAFILE", "SFTP", "SHAREFILE",
        "SIA",
        "SMB", "STORJ", "SUGARSYNC", "SWIFT", "TARDIGRADE", "ULOZTO", "UNION", "UPTOBOX", "WEBDAV", "YANDEX",
        "ZOHO",
    ]
}
