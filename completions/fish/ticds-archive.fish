function __ticds-archive_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-archive_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __ticds-archive_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-archive_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __ticds-archive_parse_tokens -S
    set -l unparsed_tokens (__ticds-archive_tokens -pc)
    switch $unparsed_tokens[1]
    case 'ticds-archive'
        __ticds-archive_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'export'
            __ticds-archive_parse_subcommand -r 1 'document=+' 'client=+' 'only=' 'format=' 'level=' 'threads=' 'transfers=' 'decrypt' 'base=' 'force' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'list'
            __ticds-archive_parse_subcommand 1 'document=' 'client=+' 'type=' 'since=' 'until=' 'sort=' 'limit=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'verify'
            __ticds-archive_parse_subcommand 1 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'import'
            __ticds-archive_parse_subcommand 2 'on-existing=' 'rename-document=+' 'rename-client=+' 'rename-application=' 'encrypt' 'new-password-file=' 'new-password-command=' 'max-size=' 'max-ratio=' 'password-file=' 'password-command=' 'old-hmac' 'n/dry-run' 'y/yes' 'save-plan=' 'max-delete=' 'allow-missing=+' 'no-trash' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'find'
            __ticds-archive_parse_subcommand -r 1 'name=' 'document=+' 'client=+' 'kind=+' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'diff'
            __ticds-archive_parse_subcommand 2 'transfers=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'extract'
            __ticds-archive_parse_subcommand 2 'document=+' 'path=+' 'max-size=' 'max-ratio=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'help'
            __ticds-archive_parse_subcommand -r 1 'version'
        end
    end
end

function __ticds-archive_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __ticds-archive_parse_subcommand -S -a positional_count
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

function __ticds-archive_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __ticds-archive_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__ticds-archive_tokens -p)
    if test -z "$(__ticds-archive_tokens -t)"
        set -l index (count (__ticds-archive_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'ticds-archive' -f
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive" -eq 1' -fa 'export' -d 'Writes a remote, or a part of it, as one archive.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive" -eq 1' -fa 'list' -d 'Lists the contents of an archive.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive" -eq 1' -fa 'verify' -d 'Reads an archive to its end and checks every file in it.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive" -eq 1' -fa 'import' -d 'Restores an archive, as a new remote or into an existing one.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive" -eq 1' -fa 'find' -d 'Searches the contents of archives by name, document, client and kind.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive" -eq 1' -fa 'diff' -d 'Compares two archives, or an archive and a remote, file by file.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive" -eq 1' -fa 'extract' -d 'Takes files or documents out of an archive, into a new folder.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive export" -ge 1' -F
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export"' -l 'document' -d 'Only this document. May be given several times.' -rfka '(__ticds-archive_custom_completion ---completion export -- --document (count (__ticds-archive_tokens -pc)) (__ticds-archive_tokens -tC))'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-archive_custom_completion ---completion export -- --client (count (__ticds-archive_tokens -pc)) (__ticds-archive_tokens -tC))'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" only' -l 'only' -d 'Only this part: whole-stores.' -rfka 'whole-stores'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" format' -l 'format' -d 'zstd, xz or gzip (of a pax archive), or zip. Default: the format that the file name indicates, or zstd.' -rfka 'zstd xz gzip zip'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" level' -l 'level' -d 'How hard to compress: 1 to 19 for zstd (default 3), 0 to 9 for xz and zip, 1 to 9 for gzip (default 6).' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" threads' -l 'threads' -d 'The number of threads that read and compress. Default: one for each processor.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" transfers' -l 'transfers' -d 'Fetch or upload up to this many files of a storage at the same time: 1 to 64. Default: RCLONE_TRANSFERS, otherwise 8.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" decrypt' -l 'decrypt' -d 'Decrypt the files of an encrypted remote before they go into the archive, which is then plain.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" base' -l 'base' -d 'Depend on an earlier archive in the same folder: write only files that neither it nor the archives it depends on contain.' -rfka '(__ticds-archive_complete_files .zst .xz .gz .tgz .txz .tar .zip)'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" force' -l 'force' -d 'Replace an archive of that name.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive export" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive list" -eq 1' -fka '(__ticds-archive_complete_files .zst .xz .gz .tgz .txz .tar .zip)'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-archive_custom_completion ---completion list -- --document (count (__ticds-archive_tokens -pc)) (__ticds-archive_tokens -tC))'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-archive_custom_completion ---completion list -- --client (count (__ticds-archive_tokens -pc)) (__ticds-archive_tokens -tC))'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" type' -l 'type' -d 'Show only entries of this kind, such as changeSet, wholeStore or folder.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" since' -l 'since' -d 'Show only entries from this time or later.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" until' -l 'until' -d 'Show only entries from before this time.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" sort' -l 'sort' -d 'Sort by size, the largest first, or by modification time, the latest first.' -rfka 'size modified'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" limit' -l 'limit' -d 'Show at most this many entries, the first ones.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive verify" -eq 1' -fka '(__ticds-archive_complete_files .zst .xz .gz .tgz .txz .tar .zip)'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive verify" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive verify" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive verify" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive verify" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive verify" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive verify" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive verify" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive verify" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive verify" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive verify" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive verify" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive verify" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive verify" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive verify" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive import" -eq 1' -fka '(__ticds-archive_complete_files .zst .xz .gz .tgz .txz .tar .zip)'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive import" -eq 2' -fa '(__ticds-archive_complete_directories)'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" on-existing' -l 'on-existing' -d 'What to do with existing files that differ: fail (the default), skip or replace.' -rfka 'fail skip replace'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import"' -l 'rename-document' -d 'Give a document another identifier. May be given several times.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import"' -l 'rename-client' -d 'Give a client another identifier. May be given several times.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" rename-application' -l 'rename-application' -d 'The identifier of the app that will use the remote, which becomes the name of the folder.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" encrypt' -l 'encrypt' -d 'Encrypt the imported files with a new password.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" new-password-file' -l 'new-password-file' -d 'Read the new password from a file. Default: ask for it twice on the terminal.' -rF
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" new-password-command' -l 'new-password-command' -d 'Run a command line with /bin/sh and take the new password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" max-size' -l 'max-size' -d 'Refuse archives that contain more bytes than this. Default: 1 TiB.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" max-ratio' -l 'max-ratio' -d 'Refuse archives that unpack to more than this many times their size. Default: 200.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" save-plan' -l 'save-plan' -d 'Write the plan to a new file, and change nothing. ticds-journal apply carries it out.' -rF
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" max-delete' -l 'max-delete' -d 'Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import"' -l 'allow-missing' -d 'Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" no-trash' -l 'no-trash' -d 'Delete permanently instead of moving to the trash. This cannot be undone.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive import" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive find" -ge 1' -fka '(__ticds-archive_complete_files .zst .xz .gz .tgz .txz .tar .zip)'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find" name' -l 'name' -d 'Only paths that contain this text; case and accents do not matter.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find"' -l 'document' -d 'Only this document: its identifier or description, or a unique part of them. May be given several times.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find"' -l 'client' -d 'Only this client: its identifier or description, or a unique part of them. May be given several times.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find"' -l 'kind' -d 'Only files of this kind. May be given several times.' -rfka 'folder readMe deviceInfo documentInfo salt encryptionTest integrityKey changeSet commandSet recentSync tombstone wholeStore register sharedExternalData temporaryFile symbolicLink special unknown'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive find" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive diff" -eq 1' -F
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive diff" -eq 2' -F
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive diff" transfers' -l 'transfers' -d 'Fetch or upload up to this many files of a storage at the same time: 1 to 64. Default: RCLONE_TRANSFERS, otherwise 8.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive diff" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive diff" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive diff" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive diff" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive diff" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive diff" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive diff" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive diff" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive diff" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive diff" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive diff" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive diff" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive diff" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive diff" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive extract" -eq 1' -fka '(__ticds-archive_complete_files .zst .xz .gz .tgz .txz .tar .zip)'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_positional "ticds-archive extract" -eq 2' -fa '(__ticds-archive_complete_directories)'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract"' -l 'document' -d 'A document: its identifier or description, or a unique part of them. May be given several times.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract"' -l 'path' -d 'A file or folder, by its path below the remote, as find shows it. May be given several times.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract" max-size' -l 'max-size' -d 'Refuse archives that contain more bytes than this. Default: 1 TiB.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract" max-ratio' -l 'max-ratio' -d 'Refuse archives that unpack to more than this many times their size. Default: 200.' -rfka ''
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive extract" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-archive' -n '__ticds-archive_should_offer_completions_for_flags_or_options "ticds-archive help" version' -l 'version' -d 'Show the version.'

# The functions that follow take the place of generated ones.

function __ticds-archive_tokens
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

function __ticds-archive_complete_directories
    __fish_complete_directories (commandline -ct) ''
end

function __ticds-archive_complete_files
    set -l endings (string escape --style=regex -- $argv | string join '|')
    complete -C "__fish_command_without_completions "(commandline -ct) | string match -r -- "^.*(?:$endings|/)\$"
end

# Asks the program. It gets the words up to the cursor, and prints lines of value, tab and explanation.
function __ticds-archive_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l words (__ticds-archive_tokens -pc)
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

