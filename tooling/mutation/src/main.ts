import { read } from "@signalbox/repository/Workspace"
import { parseOptions, runTool, UsageError, wholeNumber } from "@signalbox/repository/CommandLine"
import { measuredScores, writeScores } from "./MeasuredScores.ts"
import { measure } from "./Run.ts"
import { seedOfRelease } from "./Sample.ts"
import { lineOf, percent } from "./Score.ts"
import { subjects } from "./Subjects.ts"

const usage = [
  "pnpm mutate [package...] [--mutants N] [--seed S] [--docs] [--concurrency N]",
  "",
  `  package          ${Object.keys(subjects).join(", ")}; default: all`,
  "  --mutants N      how many mutants of each package are tried (default 300)",
  "  --seed S         which ones (default: others for each version of the SDK)",
  "  --docs           keeps the scores for docs/measurements.md, which `pnpm bench --docs` writes",
  "  --concurrency N  how many processes run tests at the same time (default 2)"
].join("\n")

const options = {
  mutants: { type: "string", default: "300" },
  seed: { type: "string", default: String(seedOfRelease(JSON.parse(read("packages/sdk/package.json")).version)) },
  concurrency: { type: "string", default: "2" },
  docs: { type: "boolean", default: false },
  help: { type: "boolean", default: false }
} as const

await runTool(async () => {
  const { positionals, values } = parseOptions(process.argv.slice(2), { options, allowPositionals: true })
  if (values.help) {
    console.log(usage)
    return 0
  }
  const known = Object.keys(subjects)
  const unknown = positionals.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new UsageError(`unknown package "${unknown}"; expected one of: ${known.join(", ")}`)
  }
  const count = wholeNumber("--mutants", values.mutants, 1)
  const seed = wholeNumber("--seed", values.seed, 0)
  const concurrency = wholeNumber("--concurrency", values.concurrency, 1)
  let below = 0
  for (const name of positionals.length === 0 ? known : positionals) {
    const subject = subjects[name]
    if (subject === undefined) continue
    const score = await measure(name, subject, { count, seed, concurrency })
    for (const survivor of score.survivors) console.log(lineOf(survivor))
    const share = percent(score)
    console.log(
      `${name}: ${share.toFixed(1)} % of ${score.sampled} mutants noticed (bar: ${subject.bar} %, seed ${seed})`
    )
    if (share < subject.bar) below += 1
    if (values.docs) writeScores([...measuredScores().filter((other) => other.package !== name), score])
  }
  return below === 0 ? 0 : 1
})
