import { faultPoints } from "../../src/faults/FaultPoints.ts"
import { endings } from "./EndingTable.ts"

/** What the clients of one runtime saw, by the name of the ending. */
export type Observed = Readonly<Record<string, Seen>>

/** What clients saw of one ending, on a socket and without one. */
export interface Seen {
  readonly socketFetch: unknown
  readonly fakeFetch: unknown
  readonly socketLayer: unknown
  readonly fakeLayer: unknown
}

/** How each form is made, and what it does. */
const forms: Readonly<Record<keyof typeof faultPoints, readonly [made: string, does: string]>> = {
  Latency: ["latency(200)", "holds the request up; also `uniform` and `lognormal`"],
  Status: ["status(503, { body, headers })", "answers something else"],
  RateLimited: ["rateLimited({ retryAfter: 2 })", "answers 429 with the headers of a rate limit"],
  Html: ["html(502)", "answers with the page of a gateway"],
  Refuse: ["refuse()", "nobody listens; over HTTP `server.down()`"],
  Ending: ["reset()`, `close()`, `hang()`, `garbage()", "no answer, in four ways"],
  SlowBody: ["slowBody({ bytes, everyMillis })", "a body in small pieces"],
  CutBody: ["cutBody({ afterBytes, ending })", "half a body"],
  MalformedJson: ["malformedJson()", "a whole body that is no JSON"],
  ContentType: ['contentType("text/html")', "the body under another content type"],
  Drift: ["drift({ kind, field })", "a body that the API document does not know"]
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

interface Answer {
  readonly status: number
  readonly body?: Failure
}

const failureWords = ({ cause, message, name }: Failure): string => {
  if (message === "out of patience") return "the reason of its signal"
  return `\`${name}: ${message}\`${cause === undefined ? "" : `, cause \`${cause.code ?? `${cause.name}: ${cause.message}`}\``}`
}

const words = (seen: Failure | Answer | undefined): string => {
  if (seen === undefined) return "nothing"
  if (!("status" in seen)) return failureWords(seen)
  return seen.body === undefined ? `\`${seen.status}\`` : `\`${seen.status}\`, then ${failureWords(seen.body)}`
}

/** One sentence where all runtimes show the same, else one for each group that does. */
const onEach = (observed: ReadonlyMap<string, Observed>, name: string): string => {
  const groups = new Map<string, Array<string>>()
  for (const [runtime, seen] of observed) {
    // What the program prints about an ending.
    const shown = words(seen[name]?.fakeFetch as Failure | Answer | undefined)
    groups.set(shown, [...(groups.get(shown) ?? []), runtime])
  }
  const [first] = [...groups.keys()]
  return groups.size === 1
    ? (first ?? "")
    : [...groups].map(([shown, runtimes]) => `${runtimes.join(" and ")}: ${shown}`).join("; ")
}

/** `docs/fake-faults.md`, from the forms and from what clients saw. */
export const faultsPage = (observed: ReadonlyMap<string, Observed>): string => `# Faults of the fake

A fault says what goes wrong, at which point of a request, and for which requests. It is plain JSON, in TypeScript made by
\`Fault\`. How tests use them is in [testing](sdk/testing.md).

## Forms

${table(
  ["Form", "Made by", "What it does", "At"],
  Object.entries(faultPoints).map(([tag, points]) => {
    // The keys of both tables are the same type.
    const [made, does] = forms[tag as keyof typeof faultPoints]
    return [`\`${tag}\``, `\`${made}\``, does, points.map((point) => `\`${point}\``).join(", ")]
  })
)}

Without \`at\` it happens at the first. Each takes \`operation\`, \`attempt\` (the nth request of a logical operation), \`key\`,
\`probability\` (drawn from the seed of the environment) and \`times\`: once unless given, always with a probability. On one
request time passes first, then the answer is made, then it is changed, then the connection gets in the way; of two other
answers, or of two endings, the one armed first comes first and the next request gets the other.

## What the client sees

The tests of \`@signalbox/test-harness\` let each of these happen on a real socket, through \`fake.fetch\` and through
\`fake.layer\`, on Node 20, 22 and 24, and demand the same: class, message and cause of the error, status, headers and body.
This page is generated from what they saw.

${table(
  ["What goes wrong", "What `fetch` shows"],
  endings
    .filter(({ method }) => method === "GET")
    .map(({ name, row: { name: words } }) => [words, onEach(observed, name)])
)}
`
