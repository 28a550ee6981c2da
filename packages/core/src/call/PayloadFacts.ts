import { type FieldPosition, type OperationName, operations } from "../contract/Operations.ts"
import { isJsonObject } from "../reading/JsonObject.ts"

/** The values at a position; `*` also matches a value that is not an array, which a caller without types can pass. */
const valuesAt = (value: unknown, [key, ...rest]: FieldPosition): ReadonlyArray<unknown> => {
  if (key === undefined) return [value]
  if (key === "*") return [value].flat().flatMap((element) => valuesAt(element, rest))
  return isJsonObject(value) && Object.hasOwn(value, key) ? valuesAt(value[key], rest) : []
}

/** The secrets in a payload. */
export const secretsInPayload = (operation: OperationName, payload: unknown): ReadonlyArray<string> => {
  const positions: ReadonlyArray<FieldPosition> = operations[operation].secrets
  return positions
    .flatMap((position) => valuesAt(payload, position))
    .filter((secret): secret is string => typeof secret === "string")
}

/** Why applying a payload twice does harm (the service appends), as a sentence; `undefined` when it is harmless. */
export const unsafeToRetry = (operation: OperationName, payload: unknown): string | undefined => {
  const positions: ReadonlyArray<FieldPosition> = operations[operation].appends
  const appended = positions.find((position) =>
    valuesAt(payload, position).some((list) => Array.isArray(list) && list.length > 0)
  )
  return appended && `a retry could append ${appended.join(".")} twice.`
}
