import { Fault } from "../../src/index.ts"
import { formNames, formRecords } from "../../src/faults/FaultForms.ts"
import { failures } from "./FailureTable.ts"

/** The observations of the clients of one runtime, by the name of the failure. */
export type Observed = Readonly<Record<string, Seen>>

/** The observations of clients for one failure, on a socket and without one. */
export interface Seen {
  readonly socketFetch: unknown
  readonly fakeFetch: unknown
  readonly socketLayer: unknown
  readonly fakeLayer: unknown
}

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n")

interface Failure {
  readonly name: string
  readonly message: string
  readonly code?: string
  readonly cause?: Failure
}

interface Answered {
  readonly status: number
  readonly body?: Failure
}

const failureWords = ({ cause, message, name }: Failure): string => {
  if (message === "gave up") return "the reason of its signal"
  return `\`${name}: ${message}\`${cause === undefined ? "" : `, cause \`${cause.code ?? `${cause.name}: ${cause.message}`}\``}`
}

const words = (seen: Failure | Answered | undefined): string => {
  if (seen === undefined) return "nothing"
  if (!("status" in seen)) return failureWords(seen)
  return seen.body === undefined ? `\`${seen.status}\`` : `\`${seen.status}\`, then ${failureWords(seen.body)}`
}

/** One sentence where all runtimes show the same, else one for each group that does. */
const onEach = (observed: ReadonlyMap<string, Observed>, name: string): string => {
  const groups = new Map<string, Array<string>>()
  for (const [runtime, seen] of observed) {
    // The output of the program for a failure.
    const shown = words(seen[name]?.fakeFetch as Failure | Answered | undefined)
    groups.set(shown, [...(groups.get(shown) ?? []), runtime])
  }
  const [first] = [...groups.keys()]
  return groups.size === 1
    ? (first ?? "")
    : [...groups].map(([shown, runtimes]) => `${runtimes.join(" and ")}: ${shown}`).join("; ")
}

/** `docs/fake-faults.md`, from the forms and from what clients saw. */
export const faultsPage = (observed: ReadonlyMap<string, Observed>): string => `# Faults of the fake

A fault defines what goes wrong, at which point of a request, and for which requests. It is plain JSON; in TypeScript,
\`Fault\` builds it. [Faults](testing/faults.md) shows how tests use them.

## Forms

${table(
  ["Form", "Made by", "Effect", "At", "As JSON"],
  formNames.map((name) => {
    const { example, points, summary } = formRecords[name]
    const at = points.map((point) => `\`${point}\``).join(", ")
    const forms = failures.flatMap(({ row: { fault } }) => (fault === "down" ? [Fault.refuse().form] : [fault.form]))
    const form = forms.find(({ _tag }) => _tag === name)
    return [`\`${name}\``, `\`${example}\``, summary, at, `\`"form": ${JSON.stringify(form)}\``]
  })
)}

The first point is the default of \`at\`, which is \`point\` in JSON. Every form takes \`operation\`, \`attempt\` (the nth attempt of a call), \`key\`,
\`probability\` (drawn from the seed of the environment) and \`times\` (default: once, or always with a probability). On one
request, delays apply first, then a fault's own response, then changes of the body, then connection failures. Of two
responses, or two connection failures, the fault added first applies, and the other one waits for the next request.

## What the client sees

The tests of \`@signalbox/test-harness\` run each of these on a real socket, through \`fake.fetch\` and through the Layer, on
Node 20, 22 and 24, and require the same result: class, message and cause of the error, status, headers and body. This page
is generated from those runs.

${table(
  ["Failure", "Result of `fetch`"],
  failures
    .filter(({ method }) => method === "GET")
    .map(({ name, row: { name: words } }) => [words, onEach(observed, name)])
)}
`
