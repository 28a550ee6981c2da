import { parseOptions, runTool, UsageError, wholeNumber } from "@signalbox/repository/CommandLine"
import { inspect } from "node:util"
import { startCoverage } from "./Coverage.ts"
import { corpusOf, fuzz, keep } from "./Fuzz.ts"

const usage = (names: ReadonlyArray<string>) =>
  [
    "pnpm fuzz [target...] [--minutes N] [--seed S] [--grow]",
    "",
    `  target       ${names.join(", ")}; default: all`,
    "  --minutes N  time for all targets together (default 1)",
    "  --seed S     seed of the mutations (default: the current time)",
    "  --grow       follow the inputs that reach new code, and add them to the corpus"
  ].join("\n")

/** Longer inputs slow down every later run. */
const longestKept = 2_000

const options = {
  minutes: { type: "string", default: "1" },
  seed: { type: "string" },
  grow: { type: "boolean", default: false },
  help: { type: "boolean", default: false }
} as const

await runTool(async () => {
  const { positionals, values } = parseOptions(process.argv.slice(2), { options, allowPositionals: true })
  const coverage = values.grow ? startCoverage((url) => /\/packages\/[\w-]+\/src\//u.test(url)) : undefined
  // V8 counts blocks of what is imported after the coverage has started.
  const { targets } = await import("./Targets.ts")
  if (values.help) {
    console.log(usage(Object.keys(targets)))
    return 0
  }
  const known = Object.keys(targets)
  const unknown = positionals.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new UsageError(`unknown target "${unknown}"; expected one of: ${known.join(", ")}`)
  const names = positionals.length === 0 ? known : positionals
  const seed = wholeNumber("--seed", values.seed ?? String(Date.now() % 1_000_000), 0)
  const share = (wholeNumber("--minutes", values.minutes, 1) * 60_000) / names.length
  let findings = 0
  for (const name of names) {
    const target = targets[name]
    if (target === undefined) continue
    const deadline = performance.now() + share
    const goesOn = () => performance.now() < deadline
    const { finding, reached, runs } = await fuzz(target, corpusOf(name), { seed, goesOn, coverage })
    await target.close?.()
    console.log(`${name}: ${runs} mutations of seed ${seed}${finding === undefined ? ", no finding" : ""}`)
    const kept = reached.filter(({ length }) => length <= longestKept)
    for (const input of kept) keep(name, input, "reached")
    if (kept.length > 0) console.log(`  ${kept.length} inputs that reach new code were added to the corpus`)
    if (finding === undefined) continue
    findings += 1
    console.log(`  ${inspect(finding.error)}\n  input kept in ${keep(name, finding.input, "finding")}`)
  }
  return findings === 0 ? 0 : 1
})
