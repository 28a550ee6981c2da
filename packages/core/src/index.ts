/**
 * The modules of this package, each under its name.
 *
 * **When to use**: where the bundler leaves out unused modules, or without a bundler. Elsewhere import the
 * entry of each concept. Modules for few programs, such as `Api` or `ConnectionConfig`, are separate entries only.
 */
export * as CallInfo from "./call/CallInfo.ts"
export * as CallMetrics from "./call/CallMetrics.ts"
export * as CallState from "./call/CallState.ts"
export * as Calls from "./services/Calls.ts"
export * as Client from "./services/Client.ts"
export * as Connection from "./transport/Connection.ts"
export * as Credentials from "./services/Credentials.ts"
export * as DeclaredOperation from "./call/DeclaredOperation.ts"
export * as Drift from "./policies/Drift.ts"
export * as Errors from "./errors/Errors.ts"
export * as EventWalk from "./services/EventWalk.ts"
export * as Events from "./services/Events.ts"
export * as FetchTransport from "./transport/FetchTransport.ts"
export * as HttpClientTransport from "./transport/HttpClientTransport.ts"
export * as IdempotencyPolicy from "./policies/IdempotencyPolicy.ts"
export * as Messages from "./services/Messages.ts"
export * as Operations from "./contract/Operations.ts"
export * as Policies from "./policies/Policies.ts"
export * as Records from "./models/Records.ts"
export * as Redaction from "./errors/Redaction.ts"
export * as RetryPolicy from "./policies/RetryPolicy.ts"
export * as Timeouts from "./policies/Timeouts.ts"
export * as Transport from "./transport/Transport.ts"
export * as Vendor from "./reading/Vendor.ts"
