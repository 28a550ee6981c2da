/**
 * Completion scripts: each asks the program itself what may follow, so that live values are current.
 */
import { outlet } from "@signalbox/operator/outlet/Outlet"
import * as Effect from "effect/Effect"
import { Process } from "../../process/Process.ts"

const bash = `_signalbox() {
  local line="\${COMP_LINE:0:COMP_POINT}" word words candidate
  read -ra words <<< "$line"
  [[ "$line" == *" " ]] && words+=("")
  word="\${words[-1]}"
  # Readline completes after the last colon or equals sign only.
  local prefix="\${word%"\${word##*[:=]}"}"
  COMPREPLY=()
  while IFS= read -r candidate; do
    candidate="\${candidate#"$prefix"}"
    [[ "$candidate" == *" "* ]] && printf -v candidate %q "$candidate"
    COMPREPLY+=("$candidate")
  done < <(signalbox completions candidates -- "\${words[@]:1}" 2>/dev/null)
  [[ "\${COMPREPLY[0]}" == *[:/] ]] && compopt -o nospace
}
complete -F _signalbox signalbox
`

const zsh = `#compdef signalbox
_signalbox() {
  local -a candidates
  candidates=("\${(@f)$(signalbox completions candidates -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  local -a open=("\${(@M)candidates:#*[:/]}") closed=("\${(@)candidates:#*[:/]}")
  (( $#open )) && compadd -S '' -a open
  (( $#closed )) && compadd -a closed
  (( $#candidates ))
}
if [[ "\${funcstack[1]}" == _signalbox ]]; then
  _signalbox
else
  compdef _signalbox signalbox
fi
`

const fish = `function __signalbox
  set -l words (commandline -opc) (commandline -ct)
  signalbox completions candidates -- $words[2..-1] 2>/dev/null
end
complete -c signalbox -f -a "(__signalbox)"
`

const pwsh = `Register-ArgumentCompleter -Native -CommandName signalbox -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq "") { $words += "" }
  signalbox completions candidates -- @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, "ParameterValue", $_)
  }
}
`

const scripts = { bash, zsh, fish, pwsh }

/** Name of a shell. */
export type Shell = keyof typeof scripts

/** The shells that completions exist for. */
export const shells: ReadonlyArray<Shell> = ["bash", "zsh", "fish", "pwsh"]

/** Prints the script of a shell. */
export const printScript = (shell: Shell) =>
  Effect.flatMap(Process, ({ write }) => write(outlet("own").text(scripts[shell])))
