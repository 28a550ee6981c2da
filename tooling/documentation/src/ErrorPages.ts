/**
 * One page for each reason of a failed call: what it means and what to do, from `docs/errors.md`, a program that provokes it,
 * and what code does about it. The tests of `@signalbox/sdk` run the programs, so messages and facts are those of the client.
 */
import { read } from "./Repository.ts"

/** How the fake provokes a reason. */
interface Provocation {
  /** The fault; none where the fake itself responds so. */
  readonly fault?: string
  readonly call: string
  readonly message: string
  /** The remedy in code, in one sentence. */
  readonly remedy: string
  /** The field of the error that it reads for that, with its value here. */
  readonly fact: readonly [field: string, value: string]
}

const list = "client.events.list.result()"

const write = `client.credentials.upsert.result("u_16170", {
  providerId: "fcm",
  credentials: { deviceTokens: ["a-token"] }
})`

const provocations: Readonly<Record<string, Provocation>> = {
  InvalidRequest: {
    call: "client.events.list.result({ limit: 51 })",
    message: "events.list failed: limit: Expected a value between 1 and 50. Correct the input. Nothing was sent.",
    remedy: "Show which field is wrong. Nothing was sent.",
    fact: ["reason.fields[0]?.path", '"limit"']
  },
  TransportFailure: {
    fault: 'Fault.reset({ at: "committed" })',
    call: write,
    message:
      "credentials.upsert failed: connection failed with ECONNRESET. Not retried: a retry could append credentials.deviceTokens twice. It is unknown whether the change was applied. Check before retrying.",
    remedy: "A second call could store the token twice: retry only where that does no harm.",
    fact: ["mayHaveBeenApplied", "true"]
  },
  Timeout: {
    fault: "Fault.hang()",
    call: "client.events.list.result({}, { timeouts: { attemptMs: 50 } })",
    message: "events.list failed: no complete response within 50 ms. Retry, or allow more time.",
    remedy: "A list changes nothing: call again, with more time.",
    fact: ["reason.limitMs", "50"]
  },
  Unauthorized: {
    fault: 'Fault.status(401, { body: { message: "API key not found" } })',
    call: list,
    message:
      "events.list failed: 401 Unauthorized: API key not found. Check the API key and that it belongs to this base URL.",
    remedy: "Every call with this key fails: stop, and check the configuration.",
    fact: ["reason.detail", '"API key not found"']
  },
  PaymentRequired: {
    fault: 'Fault.status(402, { body: { message: "These events are no longer kept" } })',
    call: list,
    message:
      "events.list failed: 402 Payment Required: These events are no longer kept. Stay within the limits of the environment's plan.",
    remedy: "Ask for what the plan covers, such as later dates.",
    fact: ["reason.detail", '"These events are no longer kept"']
  },
  Forbidden: {
    fault: 'Fault.status(403, { body: { message: "Insufficient permissions" } })',
    call: list,
    message: "events.list failed: 403 Forbidden: Insufficient permissions. Use an API key that may do this.",
    remedy: "Every such call with this key fails: stop, and use another key.",
    fact: ["reason.detail", '"Insufficient permissions"']
  },
  NotFound: {
    call: `client.messages.markAs.result("no-such-user", {
  messageId: "65f0a1b2c3d4e5f6a7b8c9d0",
  markAs: "read"
})`,
    message:
      "messages.markAs failed: 404 Not Found: Subscriber no-such-user not found. Check the identifiers and the environment of the API key.",
    remedy: "The subscriber does not exist in this environment: skip it, or create it first.",
    fact: ["reason.status", "404"]
  },
  PayloadTooLarge: {
    fault: 'Fault.status(413, { body: { message: "request entity too large" } })',
    call: write,
    message: "credentials.upsert failed: 413 Payload Too Large: request entity too large. Send less in one request.",
    remedy: "Split the request. Nothing was changed.",
    fact: ["mayHaveBeenApplied", "false"]
  },
  RequestInFlight: {
    fault: 'Fault.status(409, { headers: { "retry-after": "1" }, body: { message: "Request is being processed" } })',
    call: write,
    message:
      "credentials.upsert failed: 409 Conflict: Request is being processed. Wait for the request with this idempotency key to finish, then retry with the same key.",
    remedy: "Wait, then call again with { idempotencyKey: error.idempotencyKey }.",
    fact: ["reason.retryAfterMs", "1000"]
  },
  IdempotencyKeyReused: {
    fault: 'Fault.status(422, { body: { message: "Idempotency key is already used for a different request" } })',
    call: write,
    message:
      "credentials.upsert failed: 422 Unprocessable Content: Idempotency key is already used for a different request. Use a new idempotency key; another request used this one before.",
    remedy: "Call again without the option idempotencyKey: the client makes a new key.",
    fact: ["mayHaveBeenApplied", "false"]
  },
  Conflict: {
    fault: 'Fault.status(409, { body: { message: "The subscriber was changed" } })',
    call: write,
    message: "credentials.upsert failed: 409 Conflict: The subscriber was changed. Read the current state first.",
    remedy: "Read the current state, then decide whether the change is still wanted.",
    fact: ["reason.detail", '"The subscriber was changed"']
  },
  Rejected: {
    fault: 'Fault.status(400, { body: { message: "limit is not supported" } })',
    call: list,
    message: "events.list failed: 400 Bad Request: limit is not supported. Correct the request as the response says.",
    remedy: "Correct the request: a retry fails in the same way.",
    fact: ["reason.detail", '"limit is not supported"']
  },
  RateLimited: {
    fault: "Fault.rateLimited({ retryAfterMs: 2_000 })",
    call: list,
    message: "events.list failed: 429 Too Many Requests: API rate limit exceeded. Retry after 2000 ms.",
    remedy: "Wait, then call again.",
    fact: ["reason.retryAfterMs", "2000"]
  },
  ServerFailure: {
    fault: 'Fault.status(503, { body: { message: "unavailable" } })',
    call: list,
    message: "events.list failed: 503 Service Unavailable: unavailable. Retry later.",
    remedy: "Call again later. A replayed failure needs a new idempotency key.",
    fact: ["reason.replayed", "false"]
  },
  UnexpectedStatus: {
    fault: "Fault.status(302, { body: {} })",
    call: list,
    message: "events.list failed: 302. Check the base URL: another server may have responded.",
    remedy: "Another server responded: stop, and check the base URL.",
    fact: ["reason.status", "302"]
  },
  MalformedResponse: {
    fault: "Fault.html(200)",
    call: list,
    message:
      "events.list failed: 200 with a body that cannot be read: Expected JSON, not an HTML page. Check the base URL: another server may have responded.",
    remedy: "Another server responded, such as a login page: stop, and check the base URL.",
    fact: ["reason.status", "200"]
  }
}

/** A row of the table of reasons. */
interface ReasonRow {
  readonly reason: string
  readonly when: string
  readonly advice: string
  readonly isForWrites: boolean
}

const writesOnly = " (writes only)"

/** The table of reasons in `docs/errors.md`. */
export const reasonRows = (): ReadonlyArray<ReasonRow> =>
  Array.from(
    read("docs/errors.md").matchAll(/^\| \[`(\w+)`\]\S+ \| (.*) \| (.*) \|$/gm),
    ([, reason = "", when = "", advice = ""]) => ({
      reason,
      when: when.replace(writesOnly, ""),
      advice,
      isForWrites: when.endsWith(writesOnly)
    })
  )

const program = (reason: string, { call, fault, message }: Provocation): string =>
  [
    "```ts",
    'import { createClient } from "@signalbox/sdk"',
    `import { createFake${fault === undefined ? "" : ", Fault"} } from "@signalbox/test-harness"`,
    "",
    "const fake = createFake()",
    ...(fault === undefined ? [] : [`fake.faults.add(${fault})`]),
    "const { apiKey, baseUrl, fetch } = fake",
    "const client = createClient({ apiKey, baseUrl, fetch, retry: { maxRetries: 0 } })",
    "",
    `const result = await ${call}`,
    "const error = result.ok ? undefined : result.error",
    `error?.reason._tag // => "${reason}"`,
    `error?.message // => ${JSON.stringify(message)}`,
    "",
    "await client.close()",
    "```"
  ].join("\n")

const handling = (reason: string, { fact: [field, value], remedy }: Provocation): string =>
  [
    "```ts",
    `if (error?.reason._tag === "${reason}") {`,
    `  // ${remedy}`,
    `  error.${field} // => ${value}`,
    "}",
    "```"
  ].join("\n")

const page = ({ advice, isForWrites, reason, when }: ReasonRow): string => {
  const provocation = provocations[reason]
  if (provocation === undefined) throw new Error(`ErrorPages.ts has no provocation of ${reason}`)
  return `${[
    "<!-- Generated from docs/errors.md; see tooling/documentation/src/ErrorPages.ts. -->",
    `# ${reason}`,
    `${when}${isForWrites ? " Only writes fail like this." : ""}`,
    `**What to do:** ${advice}`,
    `\`\`\`txt\n${provocation.message}\n\`\`\``,
    "## Provoke it",
    "Against the fake, without retries:",
    program(reason, provocation),
    "## Handle it",
    "In a `catch`, [narrow with `isSignalboxError`](../sdk/errors.md) first:",
    handling(reason, provocation)
  ].join("\n\n")}\n`
}

/** The pages by path; a reason of `docs/errors.md` without a program is an error. */
export const errorPages: Readonly<Record<string, () => string>> = Object.fromEntries(
  reasonRows().map((row) => [`docs/errors/${row.reason.toLowerCase()}.md`, () => page(row)])
)
