/**
 * Text leaves a program in few modules. Every other module hands it to one of them, so that no output is forgotten when
 * secrets and control characters are removed.
 */
import { assert, describe, it } from "@effect/vitest"
import { globSync } from "node:fs"
import { read, repository } from "./Workspace.ts"

/** The modules that write to streams, files, the clipboard or another program, and why text in them is safe. */
const exits: Readonly<Record<string, string>> = {
  "apps/cli/src/main.ts": "the version",
  "apps/cli/src/Start.ts": "help that the build wrote",
  "apps/cli/src/Program.ts": "waits for stdout",
  "apps/cli/src/process/NodeProcess.ts": "accepts only text of an outlet",
  "apps/cli/src/commands/bulk/StdinCopy.ts": "a copy of stdin, for a run that survives a crash",
  "apps/cli/src/connection/OwnerFile.ts": "profiles and config.toml, which have no secrets",
  "apps/cli/src/commands/doctor/calibration/Calibrate.ts": "switches of a calibration",
  "apps/tui/src/launch/Launch.ts": "a message made safe",
  "apps/tui/src/launch/Program.ts": "help and version",
  "apps/tui/src/launch/Screens.tsx": "frames of safe strings, and crash reports",
  "apps/tui/src/runtime/Host.ts": "copies, files and the pager",
  "apps/tui/src/runtime/StateFile.ts": "causes with their notes, and prompts, as files",
  "packages/bulk/src/Chunk.ts": "the input of a chunk, for its own process",
  "packages/bulk/src/file/Disk.ts": "journals and exports",
  "packages/bulk/src/input/Groups.ts": "lines of an input, in a folder of the run",
  "packages/test-harness/src/executable/Executable.ts": "the address of the fake, and messages without keys",
  "packages/test-harness/src/executable/RecordCommand.ts": "recordings without secrets",
  "packages/test-harness/src/executable/SnapshotFile.ts": "the data of a fake",
  "packages/test-harness/src/pages/RequestDetail.tsx": "the clipboard of the inspector",
  "packages/test-harness/src/vitest.ts": "timelines of the journal"
}

const writes = new RegExp(
  [
    String.raw`(?<![\w.*])console\.\w+\(`,
    // Reading the size of a terminal writes nothing.
    String.raw`\bprocess\.std(?:out|err)\b(?!\.(?:isTTY|columns|rows)\b)|\bstd(?:out|err)\.write\(`,
    String.raw`\b(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|writeSync|openSync)\(`,
    String.raw`\bnavigator\.clipboard\b`
  ].join("|"),
  "u"
)

const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//gu, "").replaceAll(/(?<=^|\s)\/\/.*$/gmu, "")

describe("text leaves the programs", () => {
  it("in these modules only", () => {
    const sources = globSync("{apps/{cli,tui},packages/*}/src/**/*.{ts,tsx}", { cwd: repository })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => !/\.(?:test|tst)\.tsx?$|\/test\//u.test(file))
    assert.isAbove(sources.length, 500)
    const found = sources.filter((file) => writes.test(withoutComments(read(file))))
    assert.deepStrictEqual(found.toSorted(), Object.keys(exits).toSorted())
  })
})
