/**
 * One page for each operation: its request and response from `openapi.json`, and every way to call it. The tests of
 * `@signalbox/sdk` run the programs.
 */
import { type OperationName, operationNames, operations } from "@signalbox/core/Operations"
import { headingOf, requestOf } from "./ApiPage.ts"
import { reasonRows } from "./ErrorPages.ts"

/** The facts about an operation that its contract does not have. */
interface Ways {
  /** File and route. */
  readonly file: string
  readonly promise: string
  readonly effect: string
  readonly command: string
  /** Its tool of the MCP server; absent where agents have none. */
  readonly tool?: string
  readonly curl: string
  /** Reasons that only this kind of operation has, and what a failure means. */
  readonly failure: string
  /** Which failures are retried. */
  readonly retried: string
  readonly limits: string
}

const authorization = '  -H "Authorization: ApiKey $SIGNALBOX_API_KEY"'

const ways: Readonly<Record<OperationName, Ways>> = {
  "credentials.upsert": {
    file: "credentials-upsert",
    promise: `const subscriber = await client.credentials.upsert("u_16170", {
  providerId: "fcm",
  credentials: { deviceTokens: ["token-of-a-phone"] }
})
subscriber.subscriberId // => "u_16170"`,
    effect: `const call = Credentials.Credentials.use((credentials) =>
  credentials.upsert("u_16170", { providerId: "fcm", credentials: { deviceTokens: ["token-of-a-phone"] } })
)`,
    command: "signalbox credentials upsert --subscriber u_16170 --provider fcm --device-token - < token.txt",
    tool: "upsert_credentials",
    curl: `curl -X PATCH "$SIGNALBOX_BASE_URL/v1/subscribers/u_16170/credentials" \\
${authorization} -H "Content-Type: application/json" \\
  -d '{"providerId":"fcm","credentials":{"deviceTokens":["token-of-a-phone"]}}'`,
    failure:
      "Fails with `UpsertCredentialsError`. `error.mayHaveBeenApplied` says whether the credentials may have been stored.",
    retried:
      "After no response, a timeout, 408, 409 with `Retry-After`, 425, 429, 500, 502, 503 and 504. A request with `deviceTokens` that may have been applied is retried only on a service that is known to honour idempotency keys, because it would append them twice.",
    limits:
      "It cannot remove a token, and cannot read the credentials of a subscriber without writing: see [Remove or replace a device token](../howto/remove-a-token.md)."
  },
  "messages.markAs": {
    file: "messages-mark-as",
    promise: `const failed = await client.messages.markAs.result("no-such-user", {
  messageId: ["65f0a1b2c3d4e5f6a7b8c9d0"],
  markAs: "read"
})
failed.ok ? undefined : failed.error.reason._tag // => "NotFound"`,
    effect: `const call = Messages.Messages.use((messages) =>
  messages.markAs("u_16170", { messageId: ["65f0a1b2c3d4e5f6a7b8c9d0"], markAs: "read" })
)`,
    command: "signalbox messages mark-as read --subscriber u_16170 65f0a1b2c3d4e5f6a7b8c9d0",
    tool: "mark_messages",
    curl: `curl -X POST "$SIGNALBOX_BASE_URL/v1/subscribers/u_16170/messages/mark-as" \\
${authorization} -H "Content-Type: application/json" \\
  -d '{"messageId":["65f0a1b2c3d4e5f6a7b8c9d0"],"markAs":"read"}'`,
    failure: "Fails with `MarkMessagesAsError`. `error.mayHaveBeenApplied` says whether messages may have been marked.",
    retried:
      "After no response, a timeout, 408, 409 with `Retry-After`, 425, 429, 500, 502, 503 and 504: marking again does no harm.",
    limits:
      "It cannot mark all messages of a subscriber, and no operation lists them: see [Mark all messages as read](../howto/mark-all-as-read.md)."
  },
  "events.list": {
    file: "events-list",
    promise: `const page = await client.events.list({ channels: ["chat"], limit: 5 })
page.data.length // => 5

let events = 0
for await (const event of client.events.list({ channels: ["chat"], limit: 50 })) {
  if (event.jobs !== undefined) events += 1
}
events > 5 // => true`,
    effect: `const call = Events.Events.use((events) => events.list({ channels: ["chat"], limit: 5 }))`,
    command: "signalbox events list channel:chat --limit 5",
    tool: "find_events",
    curl: `curl "$SIGNALBOX_BASE_URL/v1/notifications?channels=chat&limit=5" \\
${authorization}`,
    failure: "Fails with `ListEventsError`.",
    retried: "After no response, a timeout, 408, 425, 429, 500, 502, 503 and 504: reading changes nothing.",
    limits:
      "It has no filter for failures and cannot look up one event by its `_id`: see [List failed notifications](../howto/list-failed.md)."
  }
}

/** Links of the API page, seen from another folder. */
const fromFolder = (markdown: string): string =>
  markdown.replaceAll("](#", "](../api.md#").replaceAll(/\]\((?=(?:sdk|testing|fake)[/-])/g, "](../")

/** The reasons that an operation can fail for, each with its page. */
const reasons = (name: OperationName): string =>
  [
    "| Reason | When | What to do |",
    "| --- | --- | --- |",
    ...reasonRows()
      .filter(({ isForWrites }) => !isForWrites || operations[name].method !== "GET")
      .map(
        ({ advice, reason, when }) => `| [\`${reason}\`](../errors/${reason.toLowerCase()}.md) | ${when} | ${advice} |`
      )
  ].join("\n")

const page = (name: OperationName): string => {
  const { command, curl, effect, failure, limits, promise, retried, tool } = ways[name]
  const stem = name.split(".")[0] ?? ""
  const service = `${stem.charAt(0).toUpperCase()}${stem.slice(1)}`
  return `${[
    "<!-- Generated from openapi.json; see tooling/documentation/src/OperationPages.ts. -->",
    `# ${headingOf(name)}`,
    fromFolder(requestOf(name).join("\n")),
    "## Call it",
    `\`\`\`ts\nimport { createClientFromEnv } from "@signalbox/sdk"\n\nconst client = createClientFromEnv()\n\n${promise}\n\nawait client.close()\n\`\`\``,
    "With [Effect](../sdk/effect.md):",
    `\`\`\`typescript\nimport { ${service} } from "@signalbox/sdk/effect"\n\n${effect}\n\`\`\``,
    `From the [command line](../cli/${command.split(" ")[1]}.md):`,
    `\`\`\`sh\n${command}\n\`\`\``,
    `${tool === undefined ? "" : `Agents call the tool \`${tool}\` of the [MCP server](../cli/mcp.md). `}With curl:`,
    `\`\`\`sh\n${curl}\n\`\`\``,
    "## When it fails",
    failure,
    reasons(name),
    "## What is retried",
    `${retried} At most twice, unless the service announces a wait; a failure that lasts until a person changes something, such as an unknown host, is final. [Every response](../errors.md#retries-by-response).`,
    "## Limits",
    `${limits} What the API document leaves open is in [Open questions](../api.md#open-questions).`
  ].join("\n\n")}\n`
}

/** The pages by path. */
export const operationPages: Readonly<Record<string, () => string>> = Object.fromEntries(
  operationNames.map((name) => [`docs/operations/${ways[name].file}.md`, () => page(name)])
)
