import * as Result from "effect/Result"
import { type ConfigFile, parseConfigFile } from "./ConfigFile.ts"

const isNamed = (header: string, name: string): boolean => {
  const key =
    /^\s*\[\s*connections\s*\.\s*(?:"(?<quoted>[^"\\]+)"|'(?<literal>[^']+)'|(?<bare>[\w-]+))\s*\]\s*(?:#.*)?$/u.exec(
      header
    )?.groups
  return (key?.["quoted"] ?? key?.["literal"] ?? key?.["bare"]) === name
}

const withoutVendor = ({ databases, connections, views }: ConfigFile, name: string): string =>
  JSON.stringify([
    databases,
    views,
    connections.map(({ vendor, ...others }) => (others.name === name ? others : { ...others, vendor }))
  ])

/** The line that sets the vendor of a connection. */
export const vendorLine = (vendor: string): string => `vendor = ${JSON.stringify(vendor)}`

/**
 * The text of a configuration file with the vendor of a connection that has none. `undefined` where the line cannot be
 * added without changing anything else, for example because the connection is an inline table.
 */
export const addVendor = (path: string, text: string, name: string, vendor: string): string | undefined => {
  const lines = text.split("\n")
  const at = lines.findIndex((line) => isNamed(line, name))
  if (at === -1) return undefined
  const ending = lines[at]?.endsWith("\r") === true ? "\r" : ""
  const edited = lines.toSpliced(at + 1, 0, vendorLine(vendor) + ending).join("\n")
  const before = parseConfigFile(path, text)
  const after = parseConfigFile(path, edited)
  if (Result.isFailure(before) || Result.isFailure(after)) return undefined
  const isSet = after.success.connections.some((connection) => connection.name === name && connection.vendor === vendor)
  return isSet && withoutVendor(before.success, name) === withoutVendor(after.success, name) ? edited : undefined
}
