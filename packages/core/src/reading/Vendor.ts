/**
 * The vendor's name in the identifiers of providers and origins on the wire.
 *
 * The API document uses the neutral name `service` where a real service uses its own name. With the vendor `acme`,
 * `service-email` is `acme-email` on the wire. Only the known positions of such identifiers are translated, never an
 * equal string elsewhere; the vendor `service` needs no translation.
 *
 * **When to use**: for identifiers outside of calls, such as those in a log or on a dashboard of the service; calls
 * translate identifiers with the `vendor` of their connection.
 *
 * **Gotchas**: a vendor that is a prefix of another provider's identifier (`brevo` of `brevo-sms`) makes the two
 * identical on the wire, so they cannot be distinguished.
 */
import type { FieldPosition, OperationPositions } from "../contract/Operations.ts"
import { isJsonObject } from "./JsonObject.ts"

/**
 * The name that the API document uses instead of the vendor's.
 */
export const neutral = "service"

const translate = (identifier: string, from: string, to: string): string => {
  if (identifier === from) return to
  return identifier.startsWith(`${from}-`) ? to + identifier.slice(from.length) : identifier
}

/**
 * Writes an identifier of the document as the vendor does: `service-email` becomes `acme-email`.
 *
 * @example
 * ```ts
 * import * as Vendor from "@signalbox/core/Vendor"
 *
 * Vendor.identifierToWire("acme", "service-cloud-v1") // => "acme-cloud-v1"
 * Vendor.identifierToWire("acme", "slack") // => "slack"
 * ```
 */
export const identifierToWire = (vendor: string, identifier: string): string => translate(identifier, neutral, vendor)

/**
 * Reads an identifier of the vendor as the document writes it: `acme-email` becomes `service-email`.
 *
 * @example
 * ```ts
 * import * as Vendor from "@signalbox/core/Vendor"
 *
 * Vendor.identifierFromWire("acme", "acme-email") // => "service-email"
 * Vendor.identifierFromWire("acme", "slack") // => "slack"
 * ```
 */
export const identifierFromWire = (vendor: string, identifier: string): string => translate(identifier, vendor, neutral)

/** A copy with the identifiers at the position translated; the same value when there is nothing to translate. */
const walk = (value: unknown, position: FieldPosition, depth: number, from: string, to: string): unknown => {
  const key = position[depth]
  if (key === undefined) return typeof value === "string" ? translate(value, from, to) : value
  if (key === "*") {
    if (!Array.isArray(value)) return value
    let copy: Array<unknown> | undefined
    for (let index = 0; index < value.length; index++) {
      const element: unknown = value[index]
      const translated = walk(element, position, depth + 1, from, to)
      if (translated !== element) (copy ??= [...value])[index] = translated
    }
    return copy ?? value
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, key)) return value
  const translated = walk(value[key], position, depth + 1, from, to)
  return translated === value[key] ? value : { ...value, [key]: translated }
}

const walkAll = (value: unknown, all: ReadonlyArray<FieldPosition>, from: string, to: string): unknown =>
  from === to ? value : all.reduce((at, position) => walk(at, position, 0, from, to), value)

/**
 * Writes the payload of a request as the vendor does; the same payload when there is nothing to translate.
 */
export const requestToWire = ({ identifiers }: OperationPositions, vendor: string, payload: unknown): unknown =>
  walkAll(payload, identifiers.request, neutral, vendor)

/**
 * Reads the payload of a request as the document writes it, for a fake of that vendor's service.
 */
export const requestFromWire = ({ identifiers }: OperationPositions, vendor: string, payload: unknown): unknown =>
  walkAll(payload, identifiers.request, vendor, neutral)

/**
 * Reads the payload of a response, without its envelope, as the document writes it; the same payload when there is
 * nothing to translate.
 */
export const responseFromWire = ({ identifiers }: OperationPositions, vendor: string, payload: unknown): unknown =>
  walkAll(payload, identifiers.response, vendor, neutral)

/**
 * Writes the payload of a response as the vendor does, for a fake of that vendor's service.
 */
export const responseToWire = ({ identifiers }: OperationPositions, vendor: string, payload: unknown): unknown =>
  walkAll(payload, identifiers.response, neutral, vendor)
