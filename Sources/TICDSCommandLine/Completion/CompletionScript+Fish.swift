/// What follows the generated script for fish.
extension CompletionScript {
    var fish: String {
        let tokens = Self.tokens.replacing("INSERTION", with: standard == nil ? "" : Self.insertion)
        guard !delegates.isEmpty else {
            return filled(tokens + Self.functions + (standard == nil ? "" : Self.folders))
        }
        let names = (delegates.map(\.name) + subcommands).joined(separator: " ")
        let offers = delegates.map { delegate in
            let text = delegate.abstract.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
            return """
                complete -c ticds -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa '\(delegate.name)' -d '\(text)'

                """
        }
        return filled(
            tokens + Self.functions + Self.delegation.replacing("NAMES", with: names) + offers.joined())
    }

    private static let tokens = #"""

        # The functions that follow take the place of generated ones.

        function __PROGRAM_tokens
            if contains -- -tC $argv
                echo 0
                return
            end
            set -l tokens
            if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
                set tokens (commandline --tokens-expanded $argv)
            else
                set tokens (commandline -o $argv)
            end
        INSERTION    test (count $tokens) -gt 0; and printf '%s\n' $tokens
        end

        """#

    private static let insertion = #"""
            # Without a subcommand it is STANDARD.
            if contains -- -pc $argv
                set -l word $tokens[2]
                if test (count $tokens) -eq 1
                    set word (string match -- '-*' (commandline -ct))
                end
                if test -n "$word"; and not string match -qr -- '^(SUBCOMMANDS)$' $word
                    set tokens $tokens[1] STANDARD $tokens[2..]
                end
            end

        """#

    private static let functions = #"""

        function __PROGRAM_complete_directories
            __fish_complete_directories (commandline -ct) ''
        end

        function __PROGRAM_complete_files
            set -l endings (string escape --style=regex -- $argv | string join '|')
            complete -C "__fish_command_without_completions "(commandline -ct) | string match -r -- "^.*(?:$endings|/)\$"
        end

        # Asks the program. It gets the words up to the cursor, and prints lines of value, tab and explanation.
        function __PROGRAM_custom_completion
            set -x SAP_SHELL fish
            set -x SAP_SHELL_VERSION $FISH_VERSION
            set -l words (__PROGRAM_tokens -pc)
            set -l program $__ticds_program
            if test (count $program) -eq 0
                set program (string replace -r '^~/' "$HOME/" -- $words[1])
            end
            set -l end (math (contains -i -- -- $argv) + 1)
            for line in (command $program $argv[..$end] 0 0 $words (commandline -ct) 2>/dev/null </dev/null)
                switch $line
                    case /directories
                        __fish_complete_directories (commandline -ct) ''
                    case /files
                        __fish_complete_path (commandline -ct)
                    case '*'
                        printf '%s\n' $line
                end
            end
        end

        """#

    /// Folders as the first word of the subcommand that may be left out.
    private static let folders = #"""

        complete -c PROGRAM -n 'test (count (commandline -opc)) -eq 1' -fa '(__PROGRAM_complete_directories)'

        """#

    private static let delegation = #"""

        # The one command that begins so.
        function __ticds_command -a start
            set -l fitting
            for name in NAMES
                switch $name
                    case "$start"
                        echo $name
                        return
                    case "$start*"
                        set -a fitting $name
                end
            end
            test (count $fitting) -eq 1; and echo $fitting
        end

        # True where another program knows what follows.
        function __ticds_delegates
            set -l words (__ticds_tokens -pc)
            test (count $words) -gt 1; or return
            not string match -qr -- '^(SUBCOMMANDS)?$' (__ticds_command $words[2])
        end

        function __ticds_should_offer_completions_for_flags_or_options
            not __ticds_delegates; and __ticds_own_flags_or_options $argv
        end

        function __ticds_should_offer_completions_for_positional
            not __ticds_delegates; and __ticds_own_positional $argv
        end

        function __ticds_delegate
            set -l words (__ticds_tokens -pc)
            set -l name (__ticds_command $words[2])
            set -lx __ticds_program (string replace -r '^~/' "$HOME/" -- $words[1]) $name
            complete -C (string join ' ' -- (string escape -- ticds-$name $words[3..]) (commandline -ct))
        end

        complete -c ticds -n '__ticds_delegates' -fka '(__ticds_delegate)'

        """#
}
