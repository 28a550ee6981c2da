import * as Command from "effect/cli/Command"
import { connectionFlag } from "../../connection/ConnectionFlags.ts"
import { handledBy } from "../HandledBy.ts"
import { switchFlag } from "../../flags/Flags.ts"

const mcpFlags = {
  allowWrites: switchFlag(
    "allow-writes",
    "Offer the tools that write; each use is confirmed by the user of the client."
  ),
  showPayload: switchFlag("show-payload", "Show payloads of events, which may contain personal data."),
  ...connectionFlag
}

/** The input of `mcp`. */
export type McpInput = Command.Command.Config.Infer<typeof mcpFlags>

/** Serves the tools of an agent over the Model Context Protocol. */
export const mcp = Command.make(
  "mcp",
  mcpFlags,
  handledBy(() => import("./ServeMcp.ts"), "serveMcp")
).pipe(
  Command.withDescription(
    "Serve the Model Context Protocol on stdin and stdout, for agents. The tools diagnose, find_events, get_event and check_connection read. With --allow-writes, mark_messages and upsert_credentials write after the user of the client has confirmed. A secret to store comes from an environment variable of the server whose name starts with SIGNALBOX_SECRET_."
  ),
  Command.withShortDescription("Serve tools for agents (Model Context Protocol)."),
  Command.withExamples([
    { command: "signalbox mcp --connection demo", description: "The command of an MCP client's configuration" },
    { command: "signalbox mcp --allow-writes", description: "With tools that write, after confirmation" }
  ])
)
