import Base
import SystemCalls
import SystemPackage
import TICDSCore

extension String {
    /// The text before an ending; nil if it ends differently. The bytes count: the last character of a label and the dot
    /// behind it may be one character for Swift.
    func before(ending: String) -> String? {
        guard utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8) else { return nil }
        return String(decoding: utf8.dropLast(ending.utf8.count), as: UTF8.self)
    }
}

/// Texts of a mount.
enum MountText {
    /// A time in a name: `2013-05-01T14.03.22`.
    static func stamp(_ time: FileTime, _ style: TextStyle) -> String {
        String(style.second(time).map { $0 == " " ? "T" : $0 == ":" ? "." : $0 })
    }

    /// The day of a time: `2013-05-01`.
    static func day(_ time: FileTime, _ style: TextStyle) -> String {
        String(style.second(time).prefix { $0 != " " })
    }

    /// The text at the top of a mounted remote.
    static func readme(of remote: FilePath) -> SharedBytes {
        SharedBytes(
            Array(
                """
                This is the remote
                \(escapedText(remote.string))
                as folders, by ticds-inspect mount: decrypted, decoded, and read only. Each file is made when somebody
                reads it, and has the modification time of what it shows. Times are those of the local time zone, unless
                --utc was given.

                documents/NAME/changes    each change set in the order of application: .json has the lines of
                                          ticds-changes dump --json, .txt those of ticds-changes dump
                documents/NAME/objects    the newest state: each object by its label, as ticds-store dump --json
                                          --keys auto prints it, and its history as ticds-changes log prints it
                documents/NAME/at/TIME    the state before a day or time, as ticds-store replay --until TIME writes it.
                                          The listed days are those on which something changed; any other time that
                                          --until takes can be walked into: cd at/2013-05-01T12:00
                documents/NAME/stores     the whole stores that clients uploaded, and their external data in a hidden
                                          folder, unless those are in the zip of the store. An encrypted or zipped
                                          store above 16 MB is named .sqlite, whatever its kind.
                clients                   the clients of the app, with what ticds-inspect clients knows
                raw                       the files as they are, decrypted

                Objects that were deleted are in the change sets and in earlier states only: ticds-changes search finds
                them. A state that is older than every whole store is made of the change sets alone.

                Where something is damaged, the file itself or a file PROBLEMS.txt says what is wrong. What could not be
                read gives an input/output error, and ticds-inspect mount --foreground prints the reason.

                """.utf8))
    }

    /// The text at the top of a mounted store.
    static func readme(ofStore store: FilePath) -> SharedBytes {
        SharedBytes(
            Array(
                """
                This is the store
                \(escapedText(store.string))
                as folders, by ticds-inspect mount, read only.

                objects    each object by its label, as ticds-store dump --json --keys auto prints it

                """.utf8))
    }
}
