import ArgumentParser

/// The variants of the framework (ticds-remote-format(5), 1.1), by their names on the command line.
package enum VariantArgument: String, ExpressibleByArgument, CaseIterable, Sendable {
    case fileManager = "file-manager"
    case dropbox, icloud
}
