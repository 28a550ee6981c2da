/**
 * Sets the vendor that a service's events show in `config.toml`, once the user has agreed.
 */
import { addVendor, configFilePath, vendorLine } from "@signalbox/operator/node"
import * as Effect from "effect/Effect"
import { Process } from "../process/Process.ts"
import { type Connection, isYes } from "./Connection.ts"
import { readOwnerFile, writeOwnerFile } from "./OwnerFile.ts"
import type { FoundVendor } from "./VendorSearch.ts"

/** The evidence of the events. */
export const vendorEvidence = ({ places, values, vendor }: FoundVendor): string =>
  `"${vendor}" where the API document has "service": ${values.slice(0, 3).join(", ")} (${places} times)`

/** How to set the vendor by hand. */
export const vendorAdvice = ({ isConfigured, name }: Connection, vendor: string): string =>
  isConfigured
    ? `Add ${vendorLine(vendor)} to [connections.${name}] in config.toml.`
    : `Set SIGNALBOX_VENDOR=${vendor}.`

const setVendor = Effect.fnUntraced(function* ({ name }: Connection, vendor: string) {
  const { environment } = yield* Process
  const path = configFilePath(environment)
  const edited = addVendor(path, yield* readOwnerFile(path), name, vendor)
  if (edited === undefined) return undefined
  yield* writeOwnerFile(path, edited)
  return path
})

/**
 * Offers to set the vendor: asks on a terminal, sets it with `--yes`, and otherwise prints the line to add. A connection of
 * the environment has no place for it.
 */
export const offerVendor = Effect.fnUntraced(function* (connection: Connection, found: FoundVendor, yes: boolean) {
  const { ask, report, stdinIsTerminal } = yield* Process
  const { isConfigured, name } = connection
  const advice = vendorAdvice(connection, found.vendor)
  if (isConfigured && (yes || stdinIsTerminal)) {
    const question = `Set ${vendorLine(found.vendor)} for "${name}" in config.toml? [y/N] `
    const isAgreed = yes || isYes(yield* ask(question, "visible"))
    const path = isAgreed ? yield* setVendor(connection, found.vendor) : undefined
    if (path !== undefined) return yield* report(`Set ${vendorLine(found.vendor)} for "${name}" in ${path}\n`)
  }
  yield* report(`Events have ${vendorEvidence(found)}. ${advice}\n`)
})
