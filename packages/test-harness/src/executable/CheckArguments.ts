import { defined } from "@signalbox/core/internal/errors/Defined"
import { brokenRule, type DeclaredOperation } from "@signalbox/core/DeclaredOperation"
import type { CheckOptions } from "../check/CheckClient.ts"
import { jsonIn } from "../server/JsonFile.ts"
import { type Printed, vendorOf } from "./Arguments.ts"
import { helpOf, parseOnly } from "./Options.ts"
import { maxSeed } from "./ServeOptions.ts"

const options = {
  runs: { value: "N", about: "how many programs to generate (default 100)", minimum: 1, maximum: 1_000_000 },
  seed: { value: "N", about: "the same seed generates the same programs (default 1)", maximum: maxSeed },
  "deadline-ms": { value: "N", about: "deadline of each call (default 5000)", minimum: 1, maximum: 600_000 },
  vendor: { value: "WORD", about: "vendor in wire identifiers (default service)" },
  "max-requests": {
    value: "N",
    about: "the most requests that one call of the client sends: fewer and more are findings",
    minimum: 1,
    maximum: 1_000
  },
  aborts: { about: 'some calls have "abortAfterMs", after which the client must abort them' },
  operations: {
    value: "FILE",
    about: "also call the operations of this file: a JSON array of the fields of defineOperation"
  },
  reproduce: { value: "TOKEN", about: "run only the program of a finding" }
} as const

const help = `signalbox-fake check: finds out what a client does when calls go wrong

  signalbox-fake check [options] -- COMMAND

${helpOf(options)}
COMMAND is started once for each program, with SIGNALBOX_BASE_URL, SIGNALBOX_API_KEY and SIGNALBOX_VENDOR. It reads one
call on each line of its standard input, as JSON with "operation", its input and "deadlineMs", and writes one line:
  {"outcome": "ok"}        the call succeeded; for events.list with "ids", the _id of each event
  {"outcome": "failed"}    the call failed and changed nothing
  {"outcome": "unknown"}   the call failed and may have been applied
It may add what it tells its callers, which the check compares: "status", "requestId", "idempotencyKey", "attempts",
"records", "mayHaveBeenApplied", "accepted", "delivery", "drift", "telemetry".
Exit code: 0 no rule broken, 1 rules broken, 2 the check could not run.
`

/** A check to run, or something to print. */
export type CheckRequest =
  | { readonly _tag: "Check"; readonly command: ReadonlyArray<string>; readonly options: CheckOptions }
  | Printed

/** The operations of a file, by the rules of `defineOperation`. */
const operationsIn = (path: string): ReadonlyArray<DeclaredOperation> => {
  const place = `--operations ${path}`
  const declarations = jsonIn(path, place)
  if (!Array.isArray(declarations)) throw new RangeError(`${place}: must be an array`)
  return declarations.map((declaration, index) => {
    const broken = brokenRule(declaration)
    if (broken !== undefined) throw new RangeError(`${place}.${index}.${broken}`)
    // Only clients call an operation, the check serves it.
    return Object.assign(declaration, { "~callable": {} })
  })
}

/** Reads the command line after `check`. */
export const readCheckArguments = (words: ReadonlyArray<string>): CheckRequest => {
  const end = words.includes("--") ? words.indexOf("--") : words.length
  const values = parseOnly(options, words.slice(0, end))
  if (values.help) return { _tag: "Print", text: help }
  const command = words.slice(end + 1)
  if (command.length === 0) throw new RangeError("check: expected -- and the command of a client")
  const { "deadline-ms": deadlineMs, "max-requests": maxRequests, operations, vendor, ...given } = values
  return {
    _tag: "Check",
    command,
    options: {
      ...given,
      ...defined({
        deadlineMs,
        maxRequests,
        operations: operations === undefined ? undefined : operationsIn(operations),
        vendor: vendorOf(vendor)
      })
    }
  }
}
