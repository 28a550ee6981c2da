/**
 * Shared code of operator tools: the filter language, diagnosis of failures, connections, reports and text for terminals.
 * Nothing here needs a terminal, React or Node; the configuration file is in `@signalbox/operator/node`.
 */
export * from "./connections/ConfigError.ts"
export * from "./connections/NamedConnection.ts"
export * from "./diagnosis/Diagnosis.ts"
export * from "./diagnosis/FailureGroup.ts"
export * from "./diagnosis/Histogram.ts"
export * from "./diagnosis/Owner.ts"
export * from "./filter/Completion.ts"
export * from "./filter/Filter.ts"
export * from "./filter/FilterKey.ts"
export * from "./report/Curl.ts"
export * from "./report/EventReport.ts"
export * from "./report/IncidentReport.ts"
export * from "./report/Ndjson.ts"
export * from "./report/ProblemReport.ts"
export * from "./status/Status.ts"
export * from "./text/Moment.ts"
export * from "./text/Nearest.ts"
export * from "./text/Safe.ts"
export * from "./text/Width.ts"
