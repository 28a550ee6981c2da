export type * from "@signalbox/core/internal/models/Interfaces"
export {
  type ChatProviderId,
  type EventPage,
  type Failure,
  failures,
  isFailed,
  isKnownChannel,
  isKnownChannelProviderId,
  isKnownExecutionDetailStatus,
  isKnownJobProviderId,
  isKnownJobType,
  isKnownSeverity,
  type KnownChannelProviderId,
  type KnownJobProviderId,
  type PushProviderId
} from "@signalbox/core/Records"
export type { CallInfo, RateLimitSnapshot } from "@signalbox/core/CallInfo"
export {
  type AnyCredentials,
  anyProvider,
  type AnyProviderInput,
  type ChatInput,
  type CredentialsInput,
  type GrafanaOnCallInput,
  type KnownCredentials,
  type MattermostInput,
  type PushInput
} from "@signalbox/core/internal/services/CredentialsInput"
export {
  type Declaration,
  type DeclaredOperation,
  defineOperation,
  type OperationExample,
  type QueryParameters,
  type RequestParts,
  type RetryOptions,
  type StandardSchema
} from "@signalbox/core/DeclaredOperation"
export type { DriftEntry, DriftReport, Unreadable } from "@signalbox/core/Drift"
export type { EventFilters, PageOfWalk, PagesOptions } from "@signalbox/core/Events"
export type {
  Attempt,
  Conflict,
  FieldIssue,
  Forbidden,
  IdempotencyKeyReused,
  InvalidRequest,
  MalformedResponse,
  NotFound,
  PayloadTooLarge,
  PaymentRequired,
  RateLimited,
  Reason,
  Rejected,
  RequestInFlight,
  ServerFailure,
  Timeout,
  TransportFailure,
  Unauthorized,
  UnexpectedStatus
} from "@signalbox/core/Errors"
export * from "@signalbox/core/internal/errors/OperationErrors"
export type { Method } from "@signalbox/core/Operations"
export type { MarkAsInput, MessageMark } from "@signalbox/core/Messages"
export { redact } from "@signalbox/core/Redaction"
export { CallAborted } from "./CallAborted.ts"
export type { CallResult, FailedCall } from "./CallResult.ts"
export type * from "./Calls.ts"
export type * from "./Client.ts"
export type * from "./ClientBase.ts"
export type * from "./Credentials.ts"
export type * from "./Events.ts"
export type * from "./Messages.ts"
export type * from "./UpsertCredentials.ts"
export { ClientClosed } from "./ClientClosed.ts"
export { ClientOptionError } from "./ClientOptionError.ts"
export type {
  AttemptOfCall,
  BehaviourOptions,
  BulkOptions,
  CallOptions,
  ClientOptions,
  DispatcherForNode,
  DerivedKey,
  HeadersOption,
  IdempotencyOption,
  TimeoutOptions
} from "./ClientOptions.ts"
export { createClient, createCredentialsClient, createEventsClient, createMessagesClient } from "./CreateClient.ts"
export { createClientFromEnv } from "./ClientFromEnv.ts"
export type { Awaitable, DisposableIterable, DisposableIterator, EventList, EventOf, EventWith } from "./EventList.ts"
export type { MeterAttributes, OpenTelemetryMeter } from "./OpenTelemetryMeter.ts"
export type { OpenTelemetrySpan, OpenTelemetryTracer } from "./OpenTelemetryTracer.ts"
export { SignalboxError } from "./ErrorData.ts"
export { type AnyReason, isSignalboxError } from "./SignalboxError.ts"
export type { Stopped } from "./internal/Progress.ts"
