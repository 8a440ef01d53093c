function __ticds_own_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __ticds_own_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __ticds_parse_tokens -S
    set -l unparsed_tokens (__ticds_tokens -pc)
    switch $unparsed_tokens[1]
    case 'ticds'
        __ticds_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'demo'
            __ticds_parse_subcommand 1 'change-sets=' 'encrypt' 'damage' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'help'
            __ticds_parse_subcommand 2 'version' 'h/help'
        case 'version'
            __ticds_parse_subcommand 0 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'help'
            __ticds_parse_subcommand -r 1 'version'
        end
    end
end

function __ticds_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __ticds_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __ticds_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __ticds_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__ticds_tokens -p)
    if test -z "$(__ticds_tokens -t)"
        set -l index (count (__ticds_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'ticds' -f
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds" version' -l 'version' -d 'Show the version.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa 'demo' -d 'Writes a demonstration remote to look at.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa 'help' -d 'Shows the manual page of a command or topic.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa 'version' -d 'Prints the version of the suite and of its libraries.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_positional "ticds demo" -eq 1' -fa '(__ticds_complete_directories)'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" change-sets' -l 'change-sets' -d 'The number of change sets in the large document, 1 to 1,000,000.' -rfka ''
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" encrypt' -l 'encrypt' -d 'Encrypt the remote; the password comes from the password options.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" damage' -l 'damage' -d 'Damage one change set.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" version' -l 'version' -d 'Show the version.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds demo" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_positional "ticds help" -eq 1' -fka '(__ticds_custom_completion ---completion help -- positional@0 (count (__ticds_tokens -pc)) (__ticds_tokens -tC))'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds help" version' -l 'version' -d 'Show the version.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds help" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds version" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds version" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds version" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds version" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds version" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds version" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds version" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds version" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds version" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds version" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds version" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds version" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds version" version' -l 'version' -d 'Show the version.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds version" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds' -n '__ticds_should_offer_completions_for_flags_or_options "ticds help" version' -l 'version' -d 'Show the version.'

# The functions that follow take the place of generated ones.

function __ticds_tokens
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
    test (count $tokens) -gt 0; and printf '%s\n' $tokens
end

function __ticds_complete_directories
    __fish_complete_directories (commandline -ct) ''
end

function __ticds_complete_files
    set -l endings (string escape --style=regex -- $argv | string join '|')
    complete -C "__fish_command_without_completions "(commandline -ct) | string match -r -- "^.*(?:$endings|/)\$"
end

# Asks the program. It gets the words up to the cursor, and prints lines of value, tab and explanation.
function __ticds_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l words (__ticds_tokens -pc)
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

# The one command that begins so.
function __ticds_command -a start
    set -l fitting
    for name in archive changes client document fleet inspect integrity journal model remote store sync vacuum verify demo version help
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
    not string match -qr -- '^(demo|version|help|--version|-h|--help)?$' (__ticds_command $words[2])
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
complete -c ticds -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa 'archive' -d 'Backs up remotes as archives, verifies the archives and restores from them.'
complete -c ticds -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa 'changes' -d 'Shows, searches and compares change sets.'
complete -c ticds -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa 'client' -d 'Shows, deletes and restores the clients of a remote.'
complete -c ticds -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa 'document' -d 'Creates, deletes and restores the documents of a remote.'
complete -c ticds -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa 'fleet' -d 'Runs the suite over many remotes, and sums up what it found.'
complete -c ticds -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa 'inspect' -d 'Shows what is in a remote.'
complete -c ticds -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa 'integrity' -d 'Shows, checks and resets the integrity keys of documents.'
complete -c ticds -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa 'journal' -d 'Lists and undoes changes of a remote, and recovers interrupted operations.'
complete -c ticds -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa 'model' -d 'Shows, compares and draws data models, and finds the one of a store.'
complete -c ticds -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa 'remote' -d 'Creates, copies, backs up and removes whole remotes, and changes their encryption.'
complete -c ticds -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa 'store' -d 'Lists, reads, checks and moves Core Data stores.'
complete -c ticds -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa 'sync' -d 'Keeps a local SQLite copy of a document, and synchronises it as a client.'
complete -c ticds -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa 'vacuum' -d 'Removes change sets that no client needs any more.'
complete -c ticds -n '__ticds_should_offer_completions_for_positional "ticds" -eq 1' -fa 'verify' -d 'Checks a remote, and shows which clients each finding affects.'

