/**
 * The program of a reader with its scenario and fault, as the part of an address after `#`, so that a link or a reload has it.
 */
import { type ChosenFault, isFaultLabel } from "./Faults.ts"

/** A program and the fault that it meets. */
export interface Place {
  /** The name of the scenario that it started as. */
  readonly scenario?: string
  /** The code, where it is not that of the scenario. */
  readonly code?: string
  readonly fault?: ChosenFault
}

const encoded = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCodePoint(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

const decoded = (text: string): string | undefined => {
  try {
    const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.codePointAt(0) ?? 0))
  } catch {
    return undefined
  }
}

/** The address of a place. */
export const hashOf = ({ code, fault, scenario }: Place): string =>
  `#${new URLSearchParams({
    ...(scenario === undefined ? {} : { scenario }),
    ...(fault === undefined ? {} : { fault: fault.label }),
    ...(fault?.request === undefined ? {} : { request: String(fault.request) }),
    ...(code === undefined ? {} : { code: encoded(code) })
  }).toString()}`

/** The place of an address; parts that cannot be read are left out. */
export const placeOf = (hash: string): Place => {
  const fields = new URLSearchParams(hash.slice(1))
  const scenario = fields.get("scenario") ?? undefined
  const code = decoded(fields.get("code") ?? "")
  const label = fields.get("fault") ?? ""
  const request = fields.get("request") ?? ""
  return {
    ...(scenario === undefined ? {} : { scenario }),
    ...(code === undefined || code === "" ? {} : { code }),
    ...(isFaultLabel(label)
      ? { fault: { label, ...(/^[1-9]\d{0,3}$/.test(request) ? { request: Number(request) } : {}) } }
      : {})
  }
}
