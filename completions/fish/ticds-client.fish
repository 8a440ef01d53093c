function __ticds-client_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-client_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __ticds-client_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-client_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __ticds-client_parse_tokens -S
    set -l unparsed_tokens (__ticds-client_tokens -pc)
    switch $unparsed_tokens[1]
    case 'ticds-client'
        __ticds-client_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'show'
            __ticds-client_parse_subcommand -r 1 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'delete'
            __ticds-client_parse_subcommand -r 1 'document=' 'all-documents' 'from-application' 'without-device-info' 'password-file=' 'password-command=' 'old-hmac' 'n/dry-run' 'y/yes' 'save-plan=' 'max-delete=' 'allow-missing=+' 'no-trash' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'restore'
            __ticds-client_parse_subcommand -r 1 'document=' 'password-file=' 'password-command=' 'old-hmac' 'n/dry-run' 'y/yes' 'save-plan=' 'max-delete=' 'allow-missing=+' 'no-trash' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'help'
            __ticds-client_parse_subcommand -r 1 'version'
        end
    end
end

function __ticds-client_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __ticds-client_parse_subcommand -S -a positional_count
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

function __ticds-client_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __ticds-client_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__ticds-client_tokens -p)
    if test -z "$(__ticds-client_tokens -t)"
        set -l index (count (__ticds-client_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'ticds-client' -f
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_positional "ticds-client" -eq 1' -fa 'show' -d 'Shows everything that is known about a client.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_positional "ticds-client" -eq 1' -fa 'delete' -d 'Deletes a client from one document, from all, or from the application.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_positional "ticds-client" -eq 1' -fa 'restore' -d 'Makes a deleted client a member of a document again.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_positional "ticds-client" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_positional "ticds-client show" -ge 1' -fka '(__ticds-client_custom_completion ---completion show -- positional@0 (count (__ticds-client_tokens -pc)) (__ticds-client_tokens -tC))'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client show" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client show" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client show" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client show" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client show" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client show" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client show" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client show" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client show" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client show" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client show" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client show" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client show" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client show" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client show" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client show" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_positional "ticds-client delete" -ge 1' -fka '(__ticds-client_custom_completion ---completion delete -- positional@0 (count (__ticds-client_tokens -pc)) (__ticds-client_tokens -tC))'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-client_custom_completion ---completion delete -- --document (count (__ticds-client_tokens -pc)) (__ticds-client_tokens -tC))'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" all-documents' -l 'all-documents' -d 'Delete the client from every document in which it has files.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" from-application' -l 'from-application' -d 'Delete the client from every document, and from the application\'s clients.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" without-device-info' -l 'without-device-info' -d 'If deviceInfo.plist is missing, write a tombstone that contains only the identifier.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" save-plan' -l 'save-plan' -d 'Write the plan to a new file, and change nothing. ticds-journal apply carries it out.' -rF
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" max-delete' -l 'max-delete' -d 'Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete"' -l 'allow-missing' -d 'Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.' -rfka ''
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" no-trash' -l 'no-trash' -d 'Delete permanently instead of moving to the trash. This cannot be undone.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client delete" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_positional "ticds-client restore" -ge 1' -fka '(__ticds-client_custom_completion ---completion restore -- positional@0 (count (__ticds-client_tokens -pc)) (__ticds-client_tokens -tC))'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-client_custom_completion ---completion restore -- --document (count (__ticds-client_tokens -pc)) (__ticds-client_tokens -tC))'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" save-plan' -l 'save-plan' -d 'Write the plan to a new file, and change nothing. ticds-journal apply carries it out.' -rF
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" max-delete' -l 'max-delete' -d 'Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore"' -l 'allow-missing' -d 'Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.' -rfka ''
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" no-trash' -l 'no-trash' -d 'Delete permanently instead of moving to the trash. This cannot be undone.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client restore" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-client' -n '__ticds-client_should_offer_completions_for_flags_or_options "ticds-client help" version' -l 'version' -d 'Show the version.'

# The functions that follow take the place of generated ones.

function __ticds-client_tokens
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

function __ticds-client_complete_directories
    __fish_complete_directories (commandline -ct) ''
end

function __ticds-client_complete_files
    set -l endings (string escape --style=regex -- $argv | string join '|')
    complete -C "__fish_command_without_completions "(commandline -ct) | string match -r -- "^.*(?:$endings|/)\$"
end

# Asks the program. It gets the words up to the cursor, and prints lines of value, tab and explanation.
function __ticds-client_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l words (__ticds-client_tokens -pc)
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

