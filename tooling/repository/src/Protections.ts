/**
 * Protections that SECURITY.md promises, and how to remove each one: the test that the page names must then fail.
 */

/** One protection. */
export interface Protection {
  /** The start of its row in SECURITY.md: what an attacker could do. */
  readonly row: string
  readonly file: string
  /** The code that protects; it is there once. */
  readonly code: string
  /** The same without the protection. */
  readonly removed: string
  /** A test file that fails without it; its package is the folder before `src` or `test`. */
  readonly test: string
}

/** The protections whose removal is proved. */
export const protections: ReadonlyArray<Protection> = [
  {
    row: "repeat secrets of the request in its responses",
    file: "packages/core/src/errors/Redaction.ts",
    code: "remove(unescaped(remove(text)))",
    removed: "remove(text)",
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
    row: "repeat the API key in records, or in Base64",
    file: "packages/operator/src/connections/OwnKeys.ts",
    code: "redaction.exact(text)",
    removed: "text",
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
    code: 'outlet(process.stdoutIsTerminal ? "terminal" : "csv")',
    removed: 'outlet("csv")',
    test: "apps/cli/test/canary.test.ts"
  },
  {
    row: "move the cursor, set the title, write to the clipboard",
    file: "apps/tui/src/view/Row.ts",
    code: "({ text: cleanLine(text), tone })",
    removed: "({ text: text as never, tone, ...(cleanLine === undefined && {}) })",
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
    code: 'controls === "removed" ? withoutHidden : undefined',
    removed: "undefined",
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
    code: "const shown = cleanLine(value)",
    removed: "const shown: string = value",
    test: "apps/cli/src/commands/mcp/Confirmation.test.ts"
  },
  {
    row: "change config.toml, whose commands the apps run",
    file: "packages/operator/src/connections/ConfigFile.ts",
    code: "(mode & writableByOthers) !== 0",
    removed: "(mode & writableByOthers) < 0",
    test: "packages/operator/src/connections/ConfigFile.test.ts"
  },
  {
    row: "find a key in config.toml",
    file: "packages/operator/src/connections/NamedConnection.ts",
    code: 'url.username !== "" || url.password !== ""',
    removed: 'url.password !== ""',
    test: "packages/operator/src/connections/ConfigFile.test.ts"
  }
]
