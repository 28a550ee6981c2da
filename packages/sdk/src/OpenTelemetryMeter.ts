/** Attributes of a measurement. */
export type MeterAttributes = Record<string, string | number | boolean>

/**
 * The part of a `Meter` of `@opentelemetry/api` that the client uses, described by its shape so that the package is not
 * needed.
 */
export interface OpenTelemetryMeter {
  createHistogram(
    name: string,
    options?: { description?: string; unit?: string }
  ): { record(value: number, attributes?: MeterAttributes): void }
  createCounter(
    name: string,
    options?: { description?: string; unit?: string }
  ): { add(value: number, attributes?: MeterAttributes): void }
}
