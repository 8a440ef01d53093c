/// What follows the generated script for zsh.
extension CompletionScript {
    var zsh: String {
        let body = standard == nil ? "" : Self.standard
        guard !delegates.isEmpty else { return filled(Self.functions + Self.start + body + Self.end) }
        let commands = delegates.map { delegate in
            let text = "\(delegate.name):\(delegate.abstract)".replacing("'", with: "'\\''")
            return "        '\(text)'"
        }
        let dispatch = Self.delegation.replacing(
            "NAMES", with: (delegates.map(\.name) + subcommands).joined(separator: " ")
        )
        .replacing("LINES", with: commands.joined(separator: "\n"))
        return filled(Self.functions + Self.start + dispatch + Self.end)
    }

    private static let functions = #"""
        # The functions that follow take the place of generated ones.

        __PROGRAM_cursor_index_in_current_word() {
            printf 0
        }

        # Asks the program. It gets the words as they were typed, and prints lines of value, tab and explanation.
        __PROGRAM_custom_complete() {
            local -a program candidates
            local line value
            program=("${(@)__ticds_program}")
            if [[ -z "${program[1]}" ]]; then program=("${(Q)command_name}"); fi
            if [[ "${program[1]}" = '~/'* ]]; then program[1]="${HOME}${program[1]#\~}"; fi
            for line in "${(@f)$("${(@)program}" "${@}" "${(@)command_line[1,current_word_index]}" "${QIPREFIX}${PREFIX}" 2>/dev/null </dev/null)}"; do
                case "${line}" in
                (/directories) _files -/ ;;
                (/files) _files ;;
                (*$'\t'*)
                    value="${line%%$'\t'*}"
                    candidates+=("${value//(#m)[\\:]/\\${MATCH}}:${line#*$'\t'}")
                    ;;
                esac
            done
            # The shell escapes '!' only while its history is looked up.
            if [[ -n "${__ticds_history}" ]]; then setopt localoptions banghist; fi
            if (( ${#candidates} )); then _describe -V '' candidates; fi
        }


        """#

    private static let start = #"""
        _PROGRAM() {
            local __ticds_history=''
            if [[ -o banghist ]]; then __ticds_history=1; fi

        """#

    private static let delegation = #"""
            local -a commands=(
        LINES
            )
            local -a names=(NAMES) fitting
            if (( CURRENT > 2 )); then
                fitting=("${(@M)names:#${(Q)words[2]}}")
                if (( ${#fitting} != 1 )); then fitting=("${(@M)names:#${(Q)words[2]}*}"); fi
                if (( ${#fitting} != 1 )); then return 1; fi
                case "${fitting[1]}" in
                (SUBCOMMANDS) words[2]="${fitting[1]}" ;;
                (*)
                    local name="_ticds-${fitting[1]}"
                    local -a __ticds_program=("${(Q)words[1]}" "${fitting[1]}")
                    if (( ! ${+functions[${name}]} )); then autoload -Uz +X "${name}" 2>/dev/null || return 1; fi
                    words=("ticds-${fitting[1]}" "${(@)words[3,-1]}")
                    (( CURRENT-- ))
                    "${name}"
                    return
                    ;;
                esac
            elif [[ "${PREFIX}" != -* ]]; then
                _describe -V command commands
            fi

        """#

    private static let standard = #"""
            if (( CURRENT > 1 )) && [[ "${words[2]}" != (SUBCOMMANDS) ]]; then
                # Without a subcommand it is STANDARD.
                local -i found=1
                if (( CURRENT == 2 )) && [[ "${PREFIX}" != -* ]]; then __PROGRAM_own "${@}" && found=0; fi
                words=("${words[1]}" STANDARD "${(@)words[2,-1]}")
                (( CURRENT++ ))
                __PROGRAM_own "${@}" && found=0
                return "${found}"
            fi

        """#

    private static let end = #"""
            __PROGRAM_own "${@}"
        }

        """#
}
