/**
 * Protections that SECURITY.md promises, and other promises, with code that keeps each one: a test must fail without it.
 */

/** Code that keeps a promise. */
interface Removal {
  readonly file: string
  /** The code; it is there once. */
  readonly code: string
  /** The same without it. */
  readonly removed: string
  /** A test file that fails without it; its package is the folder before `src` or `test`. */
  readonly test: string
}

/** One protection. */
export interface Protection extends Removal {
  /** The start of its row in SECURITY.md: what an attacker could do. */
  readonly row: string
}

/** A breakage that no protection against attackers covers. */
export interface Breakage extends Removal {
  readonly breakage: string
}

/** The protections whose removal is proved. */
export const protections: ReadonlyArray<Protection> = [
  {
    row: "repeat secrets of the request in its responses",
    file: "packages/core/src/errors/Redaction.ts",
    code: "return removed === plain ? verbatim : removed",
    removed: "return verbatim",
    test: "packages/core/src/errors/Redaction.test.ts"
  },
  {
    row: "repeat secrets of the request in its responses",
    file: "packages/sdk/src/internal/Runner.ts",
    code: "redactTextOf(line, [])",
    removed: "(redactTextOf, line)",
    test: "packages/sdk/src/Observation.test.ts"
  },
  {
    row: "repeat secrets of the request in its responses",
    file: "packages/core/src/services/CallOperation.ts",
    code: "secretsUnderNames([query, body])",
    removed: "[]",
    test: "packages/core/src/call/DeclaredCall.test.ts"
  },
  {
    row: "repeat secrets of the request in its responses",
    file: "apps/cli/src/connection/Traffic.ts",
    code: "...more.map(remove)",
    removed: "...more",
    test: "apps/cli/src/commands/api/Api.test.ts"
  },
  {
    row: "read secrets of the machine, or of records",
    file: "packages/operator/src/outlet/Outlet.ts",
    code: "leave(clean(seen(text)))",
    removed: "leave(clean(text))",
    test: "packages/operator/src/outlet/Outlet.test.ts"
  },
  {
    row: "repeat the API key in records, or in Base64",
    file: "packages/operator/src/connections/OwnKeys.ts",
    code: "redaction.exact(response.text)",
    removed: "response.text",
    test: "packages/operator/src/connections/OwnKeys.test.ts"
  },
  {
    row: "redirect requests, and the API key, to another host",
    file: "packages/core/src/transport/FetchTransport.ts",
    code: 'redirect: "manual"',
    removed: 'redirect: "follow"',
    test: "packages/core/src/transport/Transport.test.ts"
  },
  {
    row: "move the cursor, set the title, write to the clipboard",
    file: "packages/operator/src/outlet/Outlet.ts",
    code: "  named,\n",
    removed: "  named: (text) => text,\n",
    test: "packages/operator/src/outlet/Outlet.test.ts"
  },
  {
    row: "move the cursor, set the title, write to the clipboard",
    file: "apps/cli/src/output/Output.ts",
    code: 'outlet(options.csv && !process.stdoutIsTerminal ? "csv" : "terminal")',
    removed: 'outlet("csv")',
    test: "apps/cli/test/canary.test.ts"
  },
  {
    row: "move the cursor, set the title, write to the clipboard",
    file: "apps/tui/src/view/Row.ts",
    code: "({ text: cleanLine(text), tone })",
    removed: "({ text: text as never, tone })",
    test: "apps/tui/test/canary.test.ts"
  },
  {
    row: "reorder or hide text (bidirectional and invisible characters)",
    file: "packages/operator/src/outlet/Outlet.ts",
    code: 'records: { secrets: "removed", controls: "escaped" }',
    removed: 'records: { secrets: "removed", controls: "unchanged" }',
    test: "apps/cli/test/canary.test.ts"
  },
  {
    row: "reach a shared report with its secrets",
    file: "packages/bulk/src/run/ExportRun.ts",
    code: "header.withSecrets === true ? fresh",
    removed: "header.withSecrets !== undefined || true ? fresh",
    test: "apps/cli/test/canary.test.ts"
  },
  {
    row: "reach a shared report with its secrets",
    file: "packages/operator/src/outlet/Outlet.ts",
    code: "  removed: cleaned,\n",
    removed: "  removed: (text) => text,\n",
    test: "apps/cli/test/canary.test.ts"
  },
  {
    row: "reach a shared report with its secrets",
    file: "apps/tui/src/view/Row.ts",
    code: "({ text: cleanLine(text), tone })",
    removed: "({ text: safe(text), tone })",
    test: "apps/tui/test/canary.test.ts"
  },
  {
    row: "reach a shared report with its secrets",
    file: "apps/tui/src/runtime/Host.ts",
    code: 'outlet("clipboard")',
    removed: 'outlet("own")',
    test: "apps/tui/test/canary.test.ts"
  },
  {
    row: "reach a shared report with its secrets",
    file: "apps/tui/src/runtime/Host.ts",
    code: 'outlet("files")',
    removed: 'outlet("own")',
    test: "apps/tui/test/canary.test.ts"
  },
  {
    row: "reach a shared report with its secrets",
    file: "apps/tui/src/recording/Recorder.ts",
    code: "makeRedaction([], [...secrets])",
    removed: "makeRedaction([])",
    test: "apps/tui/test/canary.test.ts"
  },
  {
    row: "reach stderr in an error that another program wrote",
    file: "apps/cli/src/failure/Failure.ts",
    code: 'outlet("notes").text(',
    removed: 'outlet("own").text(',
    test: "apps/cli/test/canary.test.ts"
  },
  {
    row: "be personal data on a screen that is shared",
    file: "apps/tui/src/state/Masking.ts",
    code: "text: maskedText(message.notice.text)",
    removed: "text: message.notice.text",
    test: "apps/tui/src/state/Masking.test.ts"
  },
  {
    row: "be personal data on a screen that is shared",
    file: "apps/tui/src/state/Masking.ts",
    code: '    case "CredentialsRefused":\n',
    removed: "",
    test: "apps/tui/src/state/Masking.test.ts"
  },
  {
    row: "be personal data on a screen that is shared",
    file: "apps/tui/src/app/AppActions.ts",
    code: "requests: masked(state.requests)",
    removed: "requests: state.requests",
    test: "apps/tui/src/state/Masking.test.ts"
  },
  {
    row: "follow instructions that are hidden in records",
    file: "packages/operator/src/outlet/Outlet.ts",
    code: "JSON.parse(JSON.stringify(value, withoutHidden))",
    removed: "value",
    test: "packages/operator/src/outlet/Outlet.test.ts"
  },
  {
    row: "write what the user did not mean",
    file: "apps/cli/src/commands/mcp/Confirmation.ts",
    code: "if (expiresAt <= now) return false",
    removed: "if (expiresAt === 0) return false",
    test: "apps/cli/src/commands/mcp/Confirmation.test.ts"
  },
  {
    row: "write what the user did not mean",
    file: "apps/cli/src/commands/mcp/Confirmation.ts",
    code: "const shown = safe(ownRedaction().exact(value))",
    removed: "const shown: string = value",
    test: "apps/cli/src/commands/mcp/Confirmation.test.ts"
  },
  {
    row: "change config.toml, whose commands the apps run",
    file: "packages/operator/src/connections/ConfigFile.ts",
    code: "((yield* modeOf(path)) & writableByOthers) !== 0",
    removed: "((yield* modeOf(path)) & writableByOthers) < 0",
    test: "packages/operator/src/connections/ConfigFile.test.ts"
  },
  {
    row: "find a key in config.toml",
    file: "packages/operator/src/connections/NamedConnection.ts",
    code: 'username + password !== ""',
    removed: 'password !== ""',
    test: "packages/operator/src/connections/ConfigFile.test.ts"
  },
  {
    row: "send gigabytes, or little that decompresses to gigabytes",
    file: "packages/core/src/transport/FetchTransport.ts",
    code: "    if (bytes > limit) {\n",
    removed: "    if (bytes > limit * 2) {\n",
    test: "packages/core/src/call/ResponseLimit.test.ts"
  },
  {
    row: "send strings too long for regular expressions",
    file: "packages/core/src/call/ErrorBody.ts",
    code: "redactTextOf(text, secrets, 1 << 18)",
    removed: "redactTextOf(text, secrets)",
    test: "packages/core/src/call/ErrorBody.test.ts"
  },
  {
    row: "break out of a copied cURL command",
    file: "packages/operator/src/report/Curl.ts",
    code: ".replaceAll(\"'\", \"'\\\\''\")",
    removed: "",
    test: "packages/operator/src/report/Curl.test.ts"
  },
  {
    row: "control the fake, or read its journal",
    file: "packages/test-harness/src/control/ControlApi.ts",
    code: "  if (origin !== undefined && (origin !== `http://${host}` || !(isLoopback(name) || isAddress(name)))) return true\n",
    removed: "",
    test: "packages/test-harness/src/control/ControlApi.test.ts"
  },
  {
    row: "control the fake, or read its journal",
    file: "packages/test-harness/src/control/ControlApi.ts",
    code: "isLoopback(boundTo) ? !isLoopback(name) :",
    removed: "isLoopback(boundTo) ? false :",
    test: "packages/test-harness/src/control/ControlApi.test.ts"
  },
  {
    row: "reach a fake in a container after DNS rebinding",
    file: "packages/test-harness/src/control/ControlApi.ts",
    code: ": !isPrivate(name)",
    removed: ": false",
    test: "packages/test-harness/src/control/ControlApi.test.ts"
  },
  {
    row: "reach a fake in a container after DNS rebinding",
    file: "packages/test-harness/src/executable/Arguments.ts",
    code: "(isLoopback(host) ? undefined : randomKey())",
    removed: "undefined",
    test: "packages/test-harness/src/executable/Arguments.test.ts"
  },
  {
    row: "reach a fake in a container after DNS rebinding",
    file: "packages/test-harness/src/environment/ApiKey.ts",
    code: "number === 1 ? key : randomKey()",
    removed: "number === 1 ? key : `fake-key-${number}`",
    test: "packages/test-harness/src/environment/Fake.test.ts"
  },
  {
    row: "get a response from a cache that was meant for an allowed origin",
    file: "packages/test-harness/src/server.ts",
    code: '  reply.setHeader("vary", "origin")\n',
    removed: "",
    test: "packages/test-harness/src/server.test.ts"
  },
  {
    row: "redirect the credentials of an input's URL elsewhere",
    file: "packages/bulk/src/input/Location.ts",
    code: "to?.host === from.host &&",
    removed: "to?.host !== undefined &&",
    test: "packages/bulk/src/input/Location.test.ts"
  },
  {
    row: "redirect the credentials of an input's URL elsewhere",
    file: "packages/bulk/src/input/Location.ts",
    code: '(to.protocol === "https:" || to.protocol === from.protocol)',
    removed: '(to.protocol !== "")',
    test: "packages/bulk/src/input/Location.test.ts"
  },
  {
    row: "never finish an input",
    file: "packages/bulk/src/input/Location.ts",
    code: "await soon(reader.read(), () => void cancel())",
    removed: "await reader.read()",
    test: "packages/bulk/src/input/Location.test.ts"
  },
  {
    row: "read an input, or exchange it for another one",
    file: "packages/bulk/src/cluster/StagedInput.ts",
    code: "  cipher.setAAD(Buffer.from(place))\n",
    removed: '  cipher.setAAD(Buffer.from(""))\n',
    test: "packages/bulk/src/cluster/StagedInput.test.ts"
  },
  {
    row: "be published with malicious code",
    file: "pnpm-workspace.yaml",
    code: "minimumReleaseAge:",
    removed: "minimumReleaseAgeOf:",
    test: "tooling/repository/src/SupplyChain.test.ts"
  },
  {
    row: "publish a package from the release job",
    file: ".github/workflows/release.yml",
    code: "permissions:\n  contents: read\n",
    removed: "permissions:\n  contents: write\n",
    test: "tooling/repository/src/SupplyChain.test.ts"
  },
  {
    row: "replace pnpm",
    file: "tooling/bootstrap/installPart.mjs",
    code: "integrity && { version: pnpmVersion, integrity }",
    removed: "integrity && { version: pnpmVersion }",
    test: "tooling/repository/src/Bootstrap.test.ts"
  },
  {
    row: "follow instructions that are hidden in records",
    file: "packages/operator/src/outlet/Outlet.ts",
    code: 'mcp: { secrets: "removed", controls: "removed" }',
    removed: 'mcp: { secrets: "removed", controls: "unchanged" }',
    test: "packages/operator/src/outlet/Outlet.test.ts"
  },
  {
    row: "read secrets of the machine, or of records",
    file: "packages/operator/src/outlet/Outlet.ts",
    code: 'mcp: { secrets: "removed", controls: "removed" }',
    removed: 'mcp: { secrets: "stay", controls: "removed" }',
    test: "packages/operator/src/outlet/Outlet.test.ts"
  },
  {
    row: "repeat the API key in records, or in Base64",
    file: "packages/test-harness/src/journal/OpenEntry.ts",
    code: "redaction.body(body)",
    removed: "body",
    test: "packages/test-harness/test/canary.test.ts"
  },
  {
    row: "trigger endless or synchronized retries",
    file: "packages/core/src/call/Retry.ts",
    code: "baseDelayMs * 2 ** record.retries",
    removed: "baseDelayMs",
    test: "packages/core/src/policies/RetryPolicy.test.ts"
  },
  {
    row: "trigger endless or synchronized retries",
    file: "packages/core/src/call/Retry.ts",
    code: "randomOf(record) * (1 - least)",
    removed: "(1 - least)",
    test: "packages/core/src/policies/RetryPolicy.test.ts"
  },
  {
    row: "trigger endless or synchronized retries",
    file: "packages/core/src/call/Call.ts",
    code: "Math.max(0, state.spentQuota - record.retry.quota.refund)",
    removed: "state.spentQuota - record.retry.quota.refund",
    test: "packages/core/src/call/Retry.test.ts"
  },
  {
    row: "trigger a defect whose error quotes a secret",
    file: "packages/operator/src/report/CrashReport.ts",
    code: '.replaceAll(longParts, "<redacted>")',
    removed: "",
    test: "packages/operator/src/report/CrashReport.test.ts"
  },
  {
    row: "send records that crash the reader",
    file: "packages/core/src/reading/Reader.ts",
    code: "const salvaged = salvage(shape, record, issues, path)",
    removed: "const salvaged = undefined",
    test: "packages/core/src/reading/Reader.test.ts"
  },
  {
    row: "reject a key that was revoked, and repeat it",
    file: "packages/core/src/call/Retry.ts",
    code: '    default:\n      return "never"\n',
    removed: '    default:\n      return "always"\n',
    test: "packages/core/src/call/Retry.test.ts"
  },
  {
    row: "restart without its data",
    file: "packages/core/src/call/Call.ts",
    code: "record.mayHaveArrived ||= mayHaveArrived(reason)",
    removed: "record.mayHaveArrived = mayHaveArrived(reason)",
    test: "packages/core/src/policies/RetryPolicy.test.ts"
  },
  {
    row: "hang, send slowly or never end a body",
    file: "packages/core/src/call/Call.ts",
    code: "limitOf(timeouts, deadline - started)",
    removed: "limitOf(timeouts, Infinity)",
    test: "packages/core/src/policies/RetryPolicy.test.ts"
  },
  {
    row: "claim a success, or hide one",
    file: "packages/core/src/call/Retry.ts",
    code: '? reason.delivery === "unknown"\n    :',
    removed: "? false\n    :",
    test: "packages/core/src/call/Exchange.test.ts"
  },
  {
    row: "forge the text of a confirmation by an id",
    file: "apps/cli/src/commands/mcp/WriteTools.ts",
    code: "unclear.test(text)",
    removed: "text === String(unclear)",
    test: "apps/cli/test/mcp.test.ts"
  },
  {
    row: "crash the fake with malformed requests",
    file: "packages/test-harness/src/server/NodeRequest.ts",
    code: "    const message = `The fake failed: ",
    removed: "    throw error\n    const message = `The fake failed: ",
    test: "packages/test-harness/src/server.test.ts"
  },
  {
    row: "be replaced in the registry",
    file: "pnpm-workspace.yaml",
    code: "  effect: 4.1.0\n",
    removed: "  effect: ^4.1.0\n",
    test: "tooling/repository/src/SupplyChain.test.ts"
  },
  {
    row: "run a script while it is installed",
    file: "pnpm-workspace.yaml",
    code: "allowBuilds:\n",
    removed: "allowBuilds:\n  left-pad: true\n",
    test: "tooling/repository/src/SupplyChain.test.ts"
  },
  {
    row: "enter a published package unnoticed",
    file: "packages/operator/package.json",
    code: '"smol-toml": "catalog:"',
    removed: '"left-pad": "catalog:",\n    "smol-toml": "catalog:"',
    test: "tooling/repository/src/SupplyChain.test.ts"
  },
  {
    row: "replace an action of a workflow",
    file: ".github/workflows/compare.yml",
    code: "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0",
    removed: "actions/checkout@v5",
    test: "tooling/repository/src/SupplyChain.test.ts"
  }
]

/** The breakages whose detection is proved. */
export const breakages: ReadonlyArray<Breakage> = [
  {
    breakage: "retries are left out of the limit of a fleet",
    file: "packages/bulk/src/cluster/FleetLimit.ts",
    code: "      if (number > 1) available--\n",
    removed: "",
    test: "packages/bulk/src/cluster/FleetLimit.test.ts"
  },
  {
    breakage: "a line whose failure is stored keeps its key",
    file: "packages/bulk/src/run/LineCall.ts",
    code: " && (!isStored(reason) || appendsTokens(request))",
    removed: "",
    test: "packages/bulk/src/run/Sender.test.ts"
  },
  {
    breakage: "a line whose outcome is unknown gets a new key",
    file: "packages/bulk/src/run/LineCall.ts",
    code: "? generation : generation + 1",
    removed: "? generation + 1 : generation + 1",
    test: "packages/bulk/src/run/Sender.test.ts"
  },
  {
    breakage: "a commit of the journal does not reach the disk",
    file: "packages/bulk/src/journal/Journal.ts",
    code: "    await file.sync()\n",
    removed: "",
    test: "packages/bulk/src/journal/Journal.test.ts"
  },
  {
    breakage: "a call that waits is sent into an exhausted rate limit",
    file: "packages/core/src/call/WaitForTurn.ts",
    code: "if (delay > 0 && !isTooLong) {",
    removed: "if (delay < 0 && !isTooLong) {",
    test: "packages/core/src/call/WaitForTurn.test.ts"
  },
  {
    breakage: "the rate limit of one category holds up the others",
    file: "packages/core/src/call/RateGovernor.ts",
    code: "gates.get(category) ?? (gates.has(operation) ? makeGate() : own)",
    removed: "own",
    test: "packages/core/src/call/WaitForTurn.test.ts"
  },
  {
    breakage: "ids of a walk are remembered without a limit",
    file: "packages/core/src/services/EventWalk.ts",
    code: "      if (seen.size > rememberedIds) for (const oldest of seen) return seen.delete(oldest)\n",
    removed: "",
    test: "packages/core/src/services/EventWalk.test.ts"
  },
  {
    breakage: "a walk returns events twice",
    file: "packages/core/src/services/EventWalk.ts",
    code: "      if (seen.has(_id)) return false\n",
    removed: "",
    test: "packages/core/src/services/EventWalk.test.ts"
  },
  {
    breakage: "a change of credentials before a failure without a time counts as its fix",
    file: "packages/operator/src/diagnosis/FixReach.ts",
    code: "!(at < failedAt)",
    removed: "at > failedAt",
    test: "packages/operator/src/diagnosis/FixReach.test.ts"
  },
  {
    breakage: "errors quote secrets that the service repeats",
    file: "packages/core/src/call/ErrorBody.ts",
    code: "redactTextOf(text, secrets, 1 << 18)",
    removed: "(redactTextOf, secrets, text.slice(0, 1 << 18))",
    test: "packages/core/src/call/ErrorBody.test.ts"
  },
  {
    breakage: "messages that were not returned are not reported",
    file: "packages/core/src/services/MarkMany.ts",
    code: "notReturned: ids.filter((id) => !returned.has(id))",
    removed: "notReturned: []",
    test: "packages/core/src/services/Messages.test.ts"
  },
  {
    breakage: "a service that only repeats a key counts as one that honours it",
    file: "packages/core/src/call/ReadResponse.ts",
    code: "key !== undefined && isReplay(headers)",
    removed: "key !== undefined",
    test: "packages/core/src/call/Exchange.test.ts"
  },
  {
    breakage: "409 for a request in flight is not retried",
    file: "packages/core/src/call/Retry.ts",
    code: '    case "RequestInFlight":\n      return "always"\n',
    removed: '      return "always"\n',
    test: "packages/core/src/policies/IdempotencyPolicy.test.ts"
  },
  {
    breakage: "408 and 425 are not retried",
    file: "packages/core/src/call/Retry.ts",
    code: 'reason.status === 425 ? "always" : reason.status === 408 ? "when-harmless" : "never"',
    removed: '"never"',
    test: "packages/core/src/call/Retry.test.ts"
  },
  {
    breakage: "a date to wait for is compared with the local clock",
    file: "packages/core/src/call/RateLimitHeaders.ts",
    code: "Number.isNaN(date) ? now : date",
    removed: "Number.isNaN(date) ? now : now",
    test: "packages/core/src/call/RateLimitHeaders.test.ts"
  }
]
