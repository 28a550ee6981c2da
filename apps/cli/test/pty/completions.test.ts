import { folderOfSuite } from "@signalbox/testing/Folder"
import { execFileSync, spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { spawn } from "@lydell/node-pty"
import { program } from "../BuiltProgram.ts"

const folder = folderOfSuite()

const environment = () => ({
  PATH: `${folder}:${process.env["PATH"]}`,
  HOME: folder,
  // Without escape sequences between the words.
  TERM: "dumb",
  XDG_CACHE_HOME: fileURLToPath(new URL("../../node_modules/.cache", import.meta.url))
})

beforeAll(() => {
  writeFileSync(join(folder, "signalbox"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 })
  writeFileSync(join(folder, "my team.json"), "")
})

const has = (shell: string): boolean => spawnSync(shell, ["--version"]).error === undefined

const outputOf = (shell: string, ...args: ReadonlyArray<string>): string =>
  execFileSync(shell, args, { cwd: folder, env: environment(), encoding: "utf8" }).trim()

/** Types a command line into an interactive shell, presses tab, and waits until the line is what it should become. */
const typeInto = async (
  [file, ...args]: readonly [string, ...ReadonlyArray<string>],
  setUp: string,
  line: string,
  completed: string
) => {
  const shell = spawn(file, args, { cols: 200, rows: 24, cwd: folder, env: { ...environment(), PS1: "$ " } })
  let written = ""
  let check = () => {}
  shell.onData((data) => {
    written += data
    check()
  })
  const shows = (text: string) =>
    new Promise<void>((resolve) => {
      check = () => {
        if (written.includes(text)) resolve()
      }
      check()
    })
  shell.write(`${setUp}; echo rea''dy\r`)
  await shows("ready")
  written = ""
  shell.write(`${line}\t`)
  await shows(completed)
  shell.kill()
}

/** The line before tab, and the line after it. */
const lines = [
  ["signalbox ev", "signalbox events "],
  ["signalbox events list status:fa", "signalbox events list status:failed"],
  ["signalbox events list stat", "signalbox events list status:"],
  ["signalbox fake --preset obs", "signalbox fake --preset observed "],
  ["signalbox fake --preset my", "signalbox fake --preset my\\ team.json "],
  ["signalbox credentials upsert --provider sl", "signalbox credentials upsert --provider slack "]
] as const

describe("completions in shells", () => {
  it.each(lines)("bash completes %s", (line, completed) =>
    typeInto(["bash", "--norc", "--noprofile", "-i"], 'eval "$(signalbox completions bash)"', line, completed)
  )

  // Shells that a machine does not have are skipped; the release is tested where they are installed.
  it.skipIf(!has("zsh")).each(lines)("zsh completes %s", (line, completed) =>
    typeInto(
      ["zsh", "-f", "-i"],
      'autoload -U compinit; compinit -u -D; eval "$(signalbox completions zsh)"',
      line,
      completed
    )
  )

  it.skipIf(!has("zsh"))("zsh loads the script from a folder", () =>
    typeInto(
      ["zsh", "-f", "-i"],
      "signalbox completions zsh > _signalbox; fpath=($PWD $fpath); autoload -U compinit; compinit -u -D",
      "signalbox ev",
      "signalbox events "
    )
  )

  it.skipIf(!has("fish")).each([
    ["signalbox ev", "events"],
    ["signalbox events list status:fa", "status:failed"],
    ["signalbox fake --preset obs", "observed"],
    ["signalbox fake --preset my", "my team.json"]
  ])("fish completes %s", (line, completed) => {
    const script = `signalbox completions fish | source; complete -C "${line}"`
    assert.strictEqual(outputOf("fish", "--no-config", "-c", script), completed)
  })

  it.skipIf(!has("pwsh")).each([
    ["signalbox ev", "events"],
    ["signalbox fake --preset obs", "observed"]
  ])("PowerShell completes %s", (line, completed) => {
    const script = `signalbox completions pwsh | Out-String | Invoke-Expression; (TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`
    assert.strictEqual(outputOf("pwsh", "-NoProfile", "-Command", script), completed)
  })
})
