export {
  type ActivityJob,
  type ActivityNotification,
  type ExecutionDetail,
  type ExecutionDetailStatus,
  type Failure,
  failures,
  isFailed,
  isKnownExecutionDetailStatus,
  isKnownSeverity,
  type Severity
} from "@signalbox/core/Activity"
export type { Attempt } from "@signalbox/core/Attempt"
export type { CallInfo, RateLimitSnapshot } from "@signalbox/core/internal/call/CallFacts"
export { anyProvider, type CredentialsInput } from "@signalbox/core/CredentialsInput"
export { type Channel, isKnownChannel, isKnownJobType, type JobType } from "@signalbox/core/Channel"
export {
  type Declaration,
  type DeclaredOperation,
  type DeclaredRetry,
  defineOperation,
  type OperationExample,
  type QueryParameters,
  type RequestParts,
  type StandardSchema
} from "@signalbox/core/DeclaredOperation"
export type { DriftEntry, DriftReport, Unreadable } from "@signalbox/core/DriftEntry"
export type { EventPage } from "@signalbox/core/EventPage"
export type { EventFilters, PageOfWalk, PagesOptions } from "@signalbox/core/EventFilters"
export {
  CallError,
  ListEventsError,
  MarkManyMessagesAsError,
  MarkMessagesAsError,
  UpsertCredentialsError
} from "@signalbox/core/SignalboxError"
export type { Message } from "@signalbox/core/Message"
export type { MarkAsInput, MessageMark } from "@signalbox/core/internal/services/MarkAsInput"
export {
  type ChannelProviderId,
  type ChatProviderId,
  isKnownChannelProviderId,
  isKnownJobProviderId,
  type JobProviderId,
  type KnownChannelProviderId,
  type KnownJobProviderId,
  type PushProviderId
} from "@signalbox/core/Provider"
export type { Reason } from "@signalbox/core/Reason"
export { redact } from "@signalbox/core/Redaction"
export type { Subscriber } from "@signalbox/core/Subscriber"
export { CallAborted } from "./CallAborted.ts"
export type { CallResult, FailedCall } from "./CallResult.ts"
export type {
  BulkOptions,
  CallArguments,
  CallDeclared,
  Client,
  CredentialsClient,
  EventsClient,
  ListEvents,
  MarkedMessages,
  MarkManyMessagesAs,
  MarkManyResult,
  MarkMessagesAs,
  MarkReport,
  MessagesClient,
  SendRequest,
  UpsertCredentials,
  UpsertInput,
  UpsertOutcome
} from "./Client.ts"
export { ClientClosed } from "./ClientClosed.ts"
export { ClientOptionError } from "./ClientOptionError.ts"
export type {
  AttemptOfCall,
  BehaviourOptions,
  CallOptions,
  ClientOptions,
  DerivedKey,
  HeadersOption,
  IdempotencyOption,
  RetryOptions,
  TimeoutOptions
} from "./ClientOptions.ts"
export { createClient, createCredentialsClient, createEventsClient, createMessagesClient } from "./CreateClient.ts"
export { createClientFromEnv } from "./ClientFromEnv.ts"
export type { DisposableIterable, DisposableIterator, EventList, EventOf, EventWith } from "./EventList.ts"
export type { MeterAttributes, OpenTelemetryMeter } from "./OpenTelemetryMeter.ts"
export type { OpenTelemetrySpan, OpenTelemetryTracer } from "./OpenTelemetryTracer.ts"
export { SignalboxError } from "./ErrorData.ts"
export { type AnyReason, isSignalboxError } from "./SignalboxError.ts"
export type { Stopped } from "./internal/Progress.ts"
