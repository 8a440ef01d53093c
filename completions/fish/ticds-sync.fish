function __ticds-sync_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-sync_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __ticds-sync_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-sync_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __ticds-sync_parse_tokens -S
    set -l unparsed_tokens (__ticds-sync_tokens -pc)
    switch $unparsed_tokens[1]
    case 'ticds-sync'
        __ticds-sync_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'clone'
            __ticds-sync_parse_subcommand -r 1 'document=' 'client=' 'description=' 'variant=' 'model=' 'from=' 'offline' 'conflicts=' 'on-bad-set=' 'n/dry-run' 'y/yes' 'lock-wait=' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'status'
            __ticds-sync_parse_subcommand 1 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'commit'
            __ticds-sync_parse_subcommand 1 'n/dry-run' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'run'
            __ticds-sync_parse_subcommand 1 'pull-only' 'push-only' 'n/dry-run' 'on-bad-set=' 'conflicts=' 'lock-wait=' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'watch'
            __ticds-sync_parse_subcommand 1 'exec=' 'interval=' 'once' 'on-bad-set=' 'conflicts=' 'lock-wait=' 'password-file=' 'password-command=' 'old-hmac' 'on-success=' 'on-failure=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'log'
            __ticds-sync_parse_subcommand 1 'conflicts' 'warnings' 'since=' 'until=' 'limit=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'reseed'
            __ticds-sync_parse_subcommand -r 1 'document=' 'client=' 'register=' 'password-file=' 'password-command=' 'old-hmac' 'n/dry-run' 'y/yes' 'save-plan=' 'max-delete=' 'allow-missing=+' 'no-trash' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'help'
            __ticds-sync_parse_subcommand -r 1 'version'
        end
    end
end

function __ticds-sync_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __ticds-sync_parse_subcommand -S -a positional_count
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

function __ticds-sync_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __ticds-sync_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__ticds-sync_tokens -p)
    if test -z "$(__ticds-sync_tokens -t)"
        set -l index (count (__ticds-sync_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'ticds-sync' -f
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_positional "ticds-sync" -eq 1' -fa 'clone' -d 'Makes a replica of a document, and registers it as a client.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_positional "ticds-sync" -eq 1' -fa 'status' -d 'Shows what a run would find: edits to send, sets to fetch, and what prevents a run.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_positional "ticds-sync" -eq 1' -fa 'commit' -d 'Records the edits of the store, which the next run sends.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_positional "ticds-sync" -eq 1' -fa 'run' -d 'Synchronises: applies what the other clients sent, and sends local edits.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_positional "ticds-sync" -eq 1' -fa 'watch' -d 'Synchronises whenever something has changed, here or in the remote.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_positional "ticds-sync" -eq 1' -fa 'log' -d 'Lists the conflicts and warnings of all runs.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_positional "ticds-sync" -eq 1' -fa 'reseed' -d 'Makes a replica or a store the new base of a document: every client downloads it again.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_positional "ticds-sync" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_positional "ticds-sync clone" -ge 1' -fka '(__ticds-sync_custom_completion ---completion clone -- positional@0 (count (__ticds-sync_tokens -pc)) (__ticds-sync_tokens -tC))'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-sync_custom_completion ---completion clone -- --document (count (__ticds-sync_tokens -pc)) (__ticds-sync_tokens -tC))'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" client' -l 'client' -d 'Identifier of the new client. Default: a new UUID.' -rfka ''
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" description' -l 'description' -d 'The description of the new client. Default: the name of the host.' -rfka ''
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" variant' -l 'variant' -d 'The variant of the framework that the other clients use.' -rfka 'file-manager dropbox icloud'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" model' -l 'model' -d 'The managed object model of the app: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents or elements file; or a folder in which to look for the model that fits.' -rF
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" from' -l 'from' -d 'Start from the whole store of this client and no other.' -rfka '(__ticds-sync_custom_completion ---completion clone -- --from (count (__ticds-sync_tokens -pc)) (__ticds-sync_tokens -tC))'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" offline' -l 'offline' -d 'Change nothing in the remote yet: the replica registers at its first run.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" conflicts' -l 'conflicts' -d 'Which value counts in a conflict, until the configuration says otherwise.' -rfka 'remote local newest ask fail'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" on-bad-set' -l 'on-bad-set' -d 'What to do with a change set that cannot be applied completely.' -rfka 'stop skip'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync clone" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_positional "ticds-sync status" -eq 1' -fa '(__ticds-sync_complete_directories)'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync status" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync status" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync status" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync status" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync status" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync status" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync status" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync status" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync status" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync status" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync status" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync status" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync status" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_positional "ticds-sync commit" -eq 1' -fa '(__ticds-sync_complete_directories)'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync commit" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be recorded, and change nothing.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync commit" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another command that is working on the replica, or is changing the remote.' -rfka ''
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync commit" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync commit" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync commit" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync commit" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync commit" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync commit" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync commit" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync commit" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync commit" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync commit" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync commit" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync commit" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync commit" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync commit" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_positional "ticds-sync run" -eq 1' -fa '(__ticds-sync_complete_directories)'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" pull-only' -l 'pull-only' -d 'Apply what the others sent, and send nothing.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" push-only' -l 'push-only' -d 'Send local edits, and fetch nothing.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" on-bad-set' -l 'on-bad-set' -d 'What to do with a change set that cannot be applied completely. Default: the configuration decides.' -rfka 'stop skip'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" conflicts' -l 'conflicts' -d 'Which value counts in every conflict. Default: the configuration decides, rule by rule.' -rfka 'remote local newest ask fail'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another command that is working on the replica, or is changing the remote.' -rfka ''
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync run" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_positional "ticds-sync watch" -eq 1' -fa '(__ticds-sync_complete_directories)'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" exec' -l 'exec' -d 'Run a command line with /bin/sh after each synchronisation; TICDS_SETS_APPLIED and other variables show what was done.' -rfka '(__fish_complete_command)'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" interval' -l 'interval' -d 'Look at everything again after this time, such as 5m. Default: 60s.' -rfka ''
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" once' -l 'once' -d 'End after the first synchronisation that was caused by a change.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" on-bad-set' -l 'on-bad-set' -d 'What to do with a change set that cannot be applied completely. Default: the configuration decides.' -rfka 'stop skip'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" conflicts' -l 'conflicts' -d 'Which value counts in every conflict. Default: the configuration decides, rule by rule.' -rfka 'remote local newest ask fail'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another command that is working on the replica, or is changing the remote.' -rfka ''
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" on-success' -l 'on-success' -d 'Run a command line with /bin/sh after success; TICDS_SUMMARY and other variables show the result.' -rfka '(__fish_complete_command)'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" on-failure' -l 'on-failure' -d 'Run a command line with /bin/sh after every other end; TICDS_STATUS has the exit status.' -rfka '(__fish_complete_command)'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync watch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_positional "ticds-sync log" -eq 1' -fa '(__ticds-sync_complete_directories)'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" conflicts' -l 'conflicts' -d 'Only conflicts.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" warnings' -l 'warnings' -d 'Only warnings.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" since' -l 'since' -d 'Show only entries from this time or later.' -rfka ''
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" until' -l 'until' -d 'Show only entries from before this time.' -rfka ''
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" limit' -l 'limit' -d 'Show at most this many entries, the first ones.' -rfka ''
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync log" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_positional "ticds-sync reseed" -ge 1' -fka '(__ticds-sync_custom_completion ---completion reseed -- positional@0 (count (__ticds-sync_tokens -pc)) (__ticds-sync_tokens -tC))'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-sync_custom_completion ---completion reseed -- --document (count (__ticds-sync_tokens -pc)) (__ticds-sync_tokens -tC))'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" client' -l 'client' -d 'With a store: the client in whose name it is uploaded.' -rfka '(__ticds-sync_custom_completion ---completion reseed -- --client (count (__ticds-sync_tokens -pc)) (__ticds-sync_tokens -tC))'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" register' -l 'register' -d 'With a store: the register of the change sets that it contains. Default: the one beside it, if there is one.' -rF
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" save-plan' -l 'save-plan' -d 'Write the plan to a new file, and change nothing. ticds-journal apply carries it out.' -rF
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" max-delete' -l 'max-delete' -d 'Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed"' -l 'allow-missing' -d 'Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.' -rfka ''
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" no-trash' -l 'no-trash' -d 'Delete permanently instead of moving to the trash. This cannot be undone.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync reseed" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-sync' -n '__ticds-sync_should_offer_completions_for_flags_or_options "ticds-sync help" version' -l 'version' -d 'Show the version.'

# The functions that follow take the place of generated ones.

function __ticds-sync_tokens
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

function __ticds-sync_complete_directories
    __fish_complete_directories (commandline -ct) ''
end

function __ticds-sync_complete_files
    set -l endings (string escape --style=regex -- $argv | string join '|')
    complete -C "__fish_command_without_completions "(commandline -ct) | string match -r -- "^.*(?:$endings|/)\$"
end

# Asks the program. It gets the words up to the cursor, and prints lines of value, tab and explanation.
function __ticds-sync_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l words (__ticds-sync_tokens -pc)
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

