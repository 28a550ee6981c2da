import { parseOptions, runTool, UsageError, wholeNumber } from "@signalbox/repository/CommandLine"
import { inspect } from "node:util"
import { corpusOf, fuzz, keep } from "./Fuzz.ts"
import { targets } from "./Targets.ts"

const usage = (names: ReadonlyArray<string>) =>
  [
    "pnpm fuzz [target...] [--minutes N] [--seed S]",
    "",
    `  target       ${names.join(", ")}; default: all`,
    "  --minutes N  time for all targets together (default 1)",
    "  --seed S     seed of the mutations (default: the current time)"
  ].join("\n")

const options = {
  minutes: { type: "string", default: "1" },
  seed: { type: "string" },
  help: { type: "boolean", default: false }
} as const

await runTool(async () => {
  const { positionals, values } = parseOptions(process.argv.slice(2), { options, allowPositionals: true })
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
    const { finding, runs } = await fuzz(target, corpusOf(name), { seed, goesOn })
    await target.close?.()
    console.log(`${name}: ${runs} mutations of seed ${seed}${finding === undefined ? ", no finding" : ""}`)
    if (finding === undefined) continue
    findings += 1
    console.log(`  ${inspect(finding.error)}\n  input kept in ${keep(name, finding.input)}`)
  }
  return findings === 0 ? 0 : 1
})
