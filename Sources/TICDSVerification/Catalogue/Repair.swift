/// What `ticds-verify --repair` does about findings of a kind.
public enum Repair: String, Sendable, Hashable, CaseIterable {
    /// Nothing; the remedy says what a person can do.
    case byHand
    /// Moves the entry to the trash.
    case trash
    /// Moves a copy to the trash if its original contains everything that the copy contains.
    case copy
    /// Moves a link to the trash unless it takes the place of a file or folder of the framework.
    case link
    /// Moves the entry to the trash, and creates what belongs in its place.
    case place
    /// Creates a folder.
    case folder
    /// Writes a property list from other information in the remote.
    case information
    /// Writes the file to test a password with.
    case encryptionTest
    /// Moves an unreadable file to the trash, or writes it anew if that is possible.
    case quarantine
    /// Moves the whole store of a client to the trash if the document has another one.
    case wholeStore
    /// Moves what an interrupted removal left to the trash.
    case removal
    /// Moves all integrity keys but one to the trash.
    case integrityKey
    /// Sets a modification time.
    case time
    /// Sets the times of change sets to the times in their names.
    case timesFromNames
    /// Encrypts a file anew with the key of the remote.
    case encrypt
    /// Decrypts a file.
    case decrypt

    /// A sentence for people; nil for `byHand`.
    public var text: String? {
        switch self {
        case .byHand: nil
        case .trash: "Moves it to the trash."
        case .copy: "Moves the copy to the trash, if the original contains everything that the copy contains."
        case .link:
            "Moves the link to the trash, unless it takes the place of a file or folder of the framework."
        case .place: "Moves it to the trash, and makes what belongs in its place, if that is known."
        case .folder: "Makes the folder, and the folders that belong in it."
        case .information:
            "Makes the property list from a tombstone, or from other information in the remote."
        case .encryptionTest: "Makes the file anew, if the given password opens other files of the remote."
        case .quarantine:
            "Moves a change set to the trash, and also a whole store if the document has another one; makes a property list anew; leaves other files alone."
        case .wholeStore: "Moves the client's whole store to the trash, if the document has another one."
        case .removal: "Moves what the removal left to the trash."
        case .integrityKey:
            "Keeps the key that the clients most likely know, and moves the others to the trash."
        case .time: "Sets the time."
        case .timesFromNames: "Sets the times of change sets to the times in their names."
        case .encrypt: "Encrypts the file anew with the key of the remote, and keeps its time."
        case .decrypt: "Decrypts the file, and keeps its time."
        }
    }
}
