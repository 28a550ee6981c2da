/**
 * Text leaves a program in few modules. Every other module hands it to one of them, so that no output is forgotten when
 * secrets and control characters are removed.
 *
 * This is a test because rules of oxlint express less of it: `no-console`, `no-restricted-properties` and
 * `no-restricted-imports` see neither spans, logs and SQL nor `const log = console`, which are 9 of the modules below, and
 * reject a module that only reads the size of the terminal. Their exceptions would be this list again, in which no entry
 * can name its test or its reason.
 */
import { assert, describe, it } from "@effect/vitest"
import { globSync } from "node:fs"
import { read, repository } from "./Workspace.ts"

const cli = "apps/cli/test/canary.test.ts"
const tui = "apps/tui/test/canary.test.ts"
const fake = "packages/test-harness/test/canary.test.ts"
const bulk = "packages/bulk/src/run/Sender.test.ts"
const sdk = "packages/sdk/src/Observation.test.ts"

/**
 * The modules through which text leaves a program: streams, files, the clipboard, another program, spans, a database. Each
 * has the test that sends canaries through it, or the reason why it has no text of others.
 */
const exits: Readonly<Record<string, { readonly test: string } | { readonly because: string }>> = {
  "apps/cli/src/Start.ts": { because: "the version, and help that the build wrote" },
  "apps/cli/src/Program.ts": { because: "waits for stdout" },
  "apps/cli/src/process/NodeProcess.ts": { test: cli },
  "apps/cli/src/commands/bulk/StdinCopy.ts": { because: "a copy of stdin, for a run that survives a crash" },
  "apps/cli/src/connection/OwnerFile.ts": { because: "profiles and config.toml, which have no secrets" },
  "apps/cli/src/commands/doctor/calibration/Calibrate.ts": { because: "switches of a calibration" },
  "apps/tui/src/launch/Launch.ts": { because: "a message made safe" },
  "apps/tui/src/launch/Program.ts": { because: "help and version" },
  "apps/tui/src/launch/Screens.ts": { test: tui },
  "apps/tui/src/runtime/Host.ts": { test: tui },
  "apps/tui/src/runtime/StateFile.ts": { because: "causes with their notes, and prompts, as files" },
  "packages/bulk/src/cluster/Chunk.ts": { because: "the input of a chunk, for its own process" },
  "packages/bulk/src/cluster/ChunkStore.ts": { test: bulk },
  "packages/bulk/src/cluster/Tables.ts": { because: "tables and indexes" },
  "packages/bulk/src/file/Disk.ts": { test: bulk },
  "packages/bulk/src/input/Groups.ts": { because: "lines of an input, in a folder of the run" },
  "packages/bulk/src/run/RunTelemetry.ts": { because: "the id of a run and numbers, in spans" },
  "packages/core/src/call/CallOutcome.ts": { test: sdk },
  "packages/core/src/call/CallSpan.ts": { test: sdk },
  "packages/core/src/call/Telemetry.ts": { test: sdk },
  "packages/core/src/services/CallService.ts": { because: "names of fields and enumerations, as a warning" },
  "packages/sdk/src/OpenTelemetryTracer.ts": { because: "the interface of tracers" },
  "packages/sdk/src/internal/TracerAdapter.ts": { test: sdk },
  "packages/test-harness/src/check/CheckRun.ts": { because: "collects what a checked client prints" },
  "packages/test-harness/src/executable/Executable.ts": { test: fake },
  "packages/test-harness/src/recording/RecordingFile.ts": { test: fake },
  "packages/test-harness/src/pages/RequestDetail.tsx": { test: fake },
  "packages/test-harness/src/vitest.ts": { test: fake }
}

const writes = new RegExp(
  [
    // Also its functions under other names.
    String.raw`(?<![\w-]|(?<!globalThis)\.)[cC]onsole(?:\.\w+\(|\[|\s*[;),\n])|\b(?:emitWarning|_rawDebug)\(`,
    // Reading the size of a terminal writes nothing.
    String.raw`\bprocess(?:\.|\[")std(?:out|err)\b(?!\.(?:isTTY|columns|rows)\b)|\bstd(?:out|err)\.(?:write|end)\(|\bstd(?:out|err)\b[^}=\n]*\}\s*=\s*process\b|\bNodeStdio\b`,
    // An import can have another name.
    String.raw`\b(?:writeFile|writeFileSync|writeFileString|appendFile|appendFileSync|createWriteStream|writeSync|openSync)(?:\(|:? )`,
    String.raw`\bnavigator\.clipboard\b`,
    String.raw`\bEffect\.log\w*\(|\bspan\.(?:attribute|event)\(|\bsetAttribute\(|\bannotate\w*Span|\buseSpan\(|\bwithSpan\(`,
    String.raw`(?<!\w)sql(?:<[^>]*>)?\x60`
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
  it.each([...new Set(Object.values(exits).flatMap((exit) => ("test" in exit ? [exit.test] : [])))])(
    "with canaries in %s",
    (test) => {
      assert.match(read(test), /"@signalbox\/testing\/Canary"/u)
    }
  )
})
