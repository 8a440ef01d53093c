function __ticds-remote_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-remote_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __ticds-remote_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-remote_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __ticds-remote_parse_tokens -S
    set -l unparsed_tokens (__ticds-remote_tokens -pc)
    switch $unparsed_tokens[1]
    case 'ticds-remote'
        __ticds-remote_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'create'
            __ticds-remote_parse_subcommand 1 'description=+' 'client=+' 'encrypt' 'password-file=' 'password-command=' 'n/dry-run' 'y/yes' 'save-plan=' 'max-delete=' 'allow-missing=+' 'no-trash' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'remove'
            __ticds-remote_parse_subcommand 1 'password-file=' 'password-command=' 'old-hmac' 'n/dry-run' 'y/yes' 'save-plan=' 'max-delete=' 'allow-missing=+' 'no-trash' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'check-password'
            __ticds-remote_parse_subcommand 1 'all' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'encrypt'
            __ticds-remote_parse_subcommand 1 'password-file=' 'password-command=' 'skip-unreadable' 'n/dry-run' 'y/yes' 'save-plan=' 'max-delete=' 'allow-missing=+' 'no-trash' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'decrypt'
            __ticds-remote_parse_subcommand 1 'password-file=' 'password-command=' 'old-hmac' 'skip-unreadable' 'n/dry-run' 'y/yes' 'save-plan=' 'max-delete=' 'allow-missing=+' 'no-trash' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'change-password'
            __ticds-remote_parse_subcommand 1 'password-file=' 'password-command=' 'old-hmac' 'new-password-file=' 'new-password-command=' 'skip-unreadable' 'n/dry-run' 'y/yes' 'save-plan=' 'max-delete=' 'allow-missing=+' 'no-trash' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'snapshot'
            __ticds-remote_parse_subcommand -r 1 'incremental=' 'tag=' 'format=' 'level=' 'threads=' 'transfers=' 'keep-last=' 'keep-hourly=' 'keep-daily=' 'keep-weekly=' 'keep-monthly=' 'keep-yearly=' 'keep-within=' 'keep-tag=+' 'prune-dry-run' 'adopt=+' 'no-trash' 'n/dry-run' 'lock-wait=' 'on-success=' 'on-failure=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'copy'
            __ticds-remote_parse_subcommand -r 1 'update' 'checksum' 'rename-document=+' 'rename-client=+' 'rename-application=' 'transfers=' 'decrypt' 'encrypt' 'new-password-file=' 'new-password-command=' 'password-file=' 'password-command=' 'old-hmac' 'n/dry-run' 'y/yes' 'save-plan=' 'max-delete=' 'allow-missing=+' 'no-trash' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'help'
            __ticds-remote_parse_subcommand -r 1 'version'
        end
    end
end

function __ticds-remote_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __ticds-remote_parse_subcommand -S -a positional_count
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

function __ticds-remote_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __ticds-remote_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__ticds-remote_tokens -p)
    if test -z "$(__ticds-remote_tokens -t)"
        set -l index (count (__ticds-remote_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'ticds-remote' -f
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_positional "ticds-remote" -eq 1' -fa 'create' -d 'Makes a new remote, as the first client of an app does.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_positional "ticds-remote" -eq 1' -fa 'remove' -d 'Moves all remote data of an app to the trash.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_positional "ticds-remote" -eq 1' -fa 'check-password' -d 'Checks whether a password opens a remote, and with --all which files it opens.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_positional "ticds-remote" -eq 1' -fa 'encrypt' -d 'Encrypts a plain remote.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_positional "ticds-remote" -eq 1' -fa 'decrypt' -d 'Removes the encryption of a remote.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_positional "ticds-remote" -eq 1' -fa 'change-password' -d 'Encrypts a remote again with another password.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_positional "ticds-remote" -eq 1' -fa 'snapshot' -d 'Writes a dated archive of a remote into a folder, and removes old ones.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_positional "ticds-remote" -eq 1' -fa 'copy' -d 'Copies a remote to another place, or brings an earlier copy up to date.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_positional "ticds-remote" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_positional "ticds-remote create" -eq 1' -fa '(__ticds-remote_complete_directories)'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create"' -l 'description' -d 'The description of a client: once for each --client, in the same order. Default: its identifier.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create"' -l 'client' -d 'Register a client with this identifier. May be given several times.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" encrypt encrypted' -l 'encrypt' -l 'encrypted' -d 'Encrypt the remote; without a password option the command asks for the password twice on the terminal.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" save-plan' -l 'save-plan' -d 'Write the plan to a new file, and change nothing. ticds-journal apply carries it out.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" max-delete' -l 'max-delete' -d 'Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create"' -l 'allow-missing' -d 'Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" no-trash' -l 'no-trash' -d 'Delete permanently instead of moving to the trash. This cannot be undone.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote create" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_positional "ticds-remote remove" -eq 1' -fka '(__ticds-remote_custom_completion ---completion remove -- positional@0 (count (__ticds-remote_tokens -pc)) (__ticds-remote_tokens -tC))'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" save-plan' -l 'save-plan' -d 'Write the plan to a new file, and change nothing. ticds-journal apply carries it out.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" max-delete' -l 'max-delete' -d 'Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove"' -l 'allow-missing' -d 'Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" no-trash' -l 'no-trash' -d 'Delete permanently instead of moving to the trash. This cannot be undone.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote remove" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_positional "ticds-remote check-password" -eq 1' -fka '(__ticds-remote_custom_completion ---completion check-password -- positional@0 (count (__ticds-remote_tokens -pc)) (__ticds-remote_tokens -tC))'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" all' -l 'all' -d 'Open every protected file and read it to its end.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote check-password" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_positional "ticds-remote encrypt" -eq 1' -fka '(__ticds-remote_custom_completion ---completion encrypt -- positional@0 (count (__ticds-remote_tokens -pc)) (__ticds-remote_tokens -tC))'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" skip-unreadable' -l 'skip-unreadable' -d 'Leave files unchanged that prevent the change, instead of refusing.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" save-plan' -l 'save-plan' -d 'Write the plan to a new file, and change nothing. ticds-journal apply carries it out.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" max-delete' -l 'max-delete' -d 'Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt"' -l 'allow-missing' -d 'Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" no-trash' -l 'no-trash' -d 'Delete permanently instead of moving to the trash. This cannot be undone.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote encrypt" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_positional "ticds-remote decrypt" -eq 1' -fka '(__ticds-remote_custom_completion ---completion decrypt -- positional@0 (count (__ticds-remote_tokens -pc)) (__ticds-remote_tokens -tC))'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" skip-unreadable' -l 'skip-unreadable' -d 'Leave files unchanged that prevent the change, instead of refusing.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" save-plan' -l 'save-plan' -d 'Write the plan to a new file, and change nothing. ticds-journal apply carries it out.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" max-delete' -l 'max-delete' -d 'Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt"' -l 'allow-missing' -d 'Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" no-trash' -l 'no-trash' -d 'Delete permanently instead of moving to the trash. This cannot be undone.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote decrypt" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_positional "ticds-remote change-password" -eq 1' -fka '(__ticds-remote_custom_completion ---completion change-password -- positional@0 (count (__ticds-remote_tokens -pc)) (__ticds-remote_tokens -tC))'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" new-password-file' -l 'new-password-file' -d 'Read the new password from a file. Default: ask for it twice on the terminal.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" new-password-command' -l 'new-password-command' -d 'Run a command line with /bin/sh and take the new password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" skip-unreadable' -l 'skip-unreadable' -d 'Leave files unchanged that prevent the change, instead of refusing.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" save-plan' -l 'save-plan' -d 'Write the plan to a new file, and change nothing. ticds-journal apply carries it out.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" max-delete' -l 'max-delete' -d 'Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password"' -l 'allow-missing' -d 'Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" no-trash' -l 'no-trash' -d 'Delete permanently instead of moving to the trash. This cannot be undone.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote change-password" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_positional "ticds-remote snapshot" -ge 1' -fka '(__ticds-remote_custom_completion ---completion snapshot -- positional@0 (count (__ticds-remote_tokens -pc)) (__ticds-remote_tokens -tC))'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" incremental' -l 'incremental' -d 'Write only files that neither the last snapshot nor those it depends on contain; once it depends on COUNT others, write everything.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" tag' -l 'tag' -d 'Put a tag behind the time in the name of the snapshot: 1 to 64 letters a-z and A-Z, digits, \'.\', \'_\' and \'-\'.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" format' -l 'format' -d 'zstd, xz or gzip (of a pax archive), or zip. Default: the format that the file name indicates, or zstd.' -rfka 'zstd xz gzip zip'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" level' -l 'level' -d 'How hard to compress: 1 to 19 for zstd (default 3), 0 to 9 for xz and zip, 1 to 9 for gzip (default 6).' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" threads' -l 'threads' -d 'The number of threads that read and compress. Default: one for each processor.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" transfers' -l 'transfers' -d 'Fetch or upload up to this many files of a storage at the same time: 1 to 64. Default: RCLONE_TRANSFERS, otherwise 8.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" keep-last' -l 'keep-last' -d 'Keep the last COUNT snapshots.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" keep-hourly' -l 'keep-hourly' -d 'Keep the newest snapshot of each of the last COUNT hours that have any.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" keep-daily' -l 'keep-daily' -d 'Keep the newest snapshot of each of the last COUNT days that have any.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" keep-weekly' -l 'keep-weekly' -d 'Keep the newest snapshot of each of the last COUNT weeks that have any.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" keep-monthly' -l 'keep-monthly' -d 'Keep the newest snapshot of each of the last COUNT months that have any.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" keep-yearly' -l 'keep-yearly' -d 'Keep the newest snapshot of each of the last COUNT years that have any.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" keep-within' -l 'keep-within' -d 'Keep all snapshots that are at most this much older than the newest, such as 14d.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot"' -l 'keep-tag' -d 'Keep all snapshots with this tag. May be given several times.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" prune-dry-run' -l 'prune-dry-run' -d 'Write the snapshot, but only show which old ones would be removed.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot"' -l 'adopt' -d 'Count an older archive in the folder, and all others with the same identifier, among the snapshots of this remote from now on. May be given several times.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" no-trash' -l 'no-trash' -d 'Delete old snapshots permanently instead of moving them to the trash.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be written and removed, and change nothing.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 1h, for another snapshot that is being written to the folder.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" on-success' -l 'on-success' -d 'Run a command line with /bin/sh after success; TICDS_SUMMARY and other variables show the result.' -rfka '(__fish_complete_command)'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" on-failure' -l 'on-failure' -d 'Run a command line with /bin/sh after every other end; TICDS_STATUS has the exit status.' -rfka '(__fish_complete_command)'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote snapshot" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_positional "ticds-remote copy" -ge 1' -fka '(__ticds-remote_custom_completion ---completion copy -- positional@0 (count (__ticds-remote_tokens -pc)) (__ticds-remote_tokens -tC))'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" update' -l 'update' -d 'Bring an earlier copy up to date; what is no longer in the source goes to the trash.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" checksum' -l 'checksum' -d 'Also read files of the same size and time, and compare their bytes.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy"' -l 'rename-document' -d 'Give a document another identifier. May be given several times.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy"' -l 'rename-client' -d 'Give a client another identifier. May be given several times.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" rename-application' -l 'rename-application' -d 'The identifier of the app that will use the remote, which becomes the name of the folder.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" transfers' -l 'transfers' -d 'Fetch or upload up to this many files of a storage at the same time: 1 to 64. Default: RCLONE_TRANSFERS, otherwise 8.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" decrypt' -l 'decrypt' -d 'Decrypt the copy of an encrypted remote.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" encrypt' -l 'encrypt' -d 'Encrypt the copy of a plain remote, or of one that --decrypt decrypts, with a new password.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" new-password-file' -l 'new-password-file' -d 'Read the new password from a file. Default: ask for it twice on the terminal.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" new-password-command' -l 'new-password-command' -d 'Run a command line with /bin/sh and take the new password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" save-plan' -l 'save-plan' -d 'Write the plan to a new file, and change nothing. ticds-journal apply carries it out.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" max-delete' -l 'max-delete' -d 'Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy"' -l 'allow-missing' -d 'Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" no-trash' -l 'no-trash' -d 'Delete permanently instead of moving to the trash. This cannot be undone.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote copy" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-remote' -n '__ticds-remote_should_offer_completions_for_flags_or_options "ticds-remote help" version' -l 'version' -d 'Show the version.'

# The functions that follow take the place of generated ones.

function __ticds-remote_tokens
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

function __ticds-remote_complete_directories
    __fish_complete_directories (commandline -ct) ''
end

function __ticds-remote_complete_files
    set -l endings (string escape --style=regex -- $argv | string join '|')
    complete -C "__fish_command_without_completions "(commandline -ct) | string match -r -- "^.*(?:$endings|/)\$"
end

# Asks the program. It gets the words up to the cursor, and prints lines of value, tab and explanation.
function __ticds-remote_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l words (__ticds-remote_tokens -pc)
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

