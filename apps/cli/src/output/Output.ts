/**
 * Prints records in the format that the flags and the terminal ask for.
 */
import { isSecretName, redact } from "@signalbox/core/Redaction"
import { type Outgoing, outlet } from "@signalbox/operator/outlet/Outlet"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { usage } from "../failure/CommandError.ts"
import { expectedOneOf } from "@signalbox/core/Nearest"
import { type OutputClosed, Process } from "../process/Process.ts"
import { hasColours } from "./Colours.ts"
import { makeCsv } from "./Csv.ts"
import type { Listing, NamedField } from "./Listing.ts"
import type { OutputOptions } from "./OutputFlags.ts"
import { makeTable } from "./Table.ts"

/** Where a command sends its records and its notes. */
export interface Output<Row> {
  /** Prints a batch of records on stdout. */
  readonly rows: (rows: ReadonlyArray<Row>) => Effect.Effect<void, OutputClosed>
  /** Prints one line on stderr, unless the user asked for quiet. */
  readonly note: (line: string) => Effect.Effect<void>
  /** Prints one line on stderr without which the records mislead, such as that some are missing. */
  readonly warning: (line: string) => Effect.Effect<void>
}

/** The value at a path of property names; lists are searched, and their values returned as a list. */
const valueAt = (value: unknown, [name, ...rest]: ReadonlyArray<string>): unknown => {
  if (name === undefined) return value
  if (Array.isArray(value)) return value.flatMap((item) => valueAt(item, [name, ...rest]) ?? [])
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? valueAt(Reflect.get(value, name), rest)
    : undefined
}

/** How a field is printed. A name that no field has is a part of the JSON of a row, at a path with dots. */
export const fieldOf = <Row>({ fields, names = [] }: Listing<Row>, name: string): NamedField<Row> | undefined => {
  const own = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (own !== undefined) return { value: (row) => valueAt(row, [name]), ...own, name }
  if (!names.includes(name) && !/^(?:\.|[^.]+\.)[^.]+(?:\.[^.]+)*$/u.test(name)) return undefined
  const path = name.replace(/^\./u, "")
  const parts = path.split(".")
  // A name of the path can make the value a secret.
  const last = parts.findLast(isSecretName) ?? ""
  return { name: path, value: (row) => valueAt(redact({ [last]: valueAt(row, parts) }), [last]) }
}

const readFields = Effect.fnUntraced(function* <Row>(listing: Listing<Row>, names: ReadonlyArray<string>) {
  const fields: Array<NamedField<Row>> = []
  for (const name of names) {
    const field = fieldOf(listing, name)
    if (field === undefined) {
      const known = Object.keys(listing.fields)
      const close = expectedOneOf(name, [...known, ...(listing.names ?? [])], `one of: ${known.join(", ")}`)
      return yield* usage(`--fields: unknown field "${name}"; ${close}, or .NAME for a part of the JSON record`)
    }
    fields.push(field)
  }
  return fields
})

const records = outlet("records")

/**
 * Opens the output of a command.
 *
 * On a terminal records are a table, elsewhere NDJSON; `--json`, `--csv` and `--table` decide otherwise. Checks `--fields` before
 * anything is sent.
 */
export const openOutput = Effect.fnUntraced(function* <Row>(listing: Listing<Row>, options: OutputOptions) {
  const process = yield* Process
  const formats = (["json", "csv", "table"] as const).filter((format) => options[format]).map((format) => `--${format}`)
  if (formats.length > 1) return yield* usage(`${formats.join(" and ")} cannot be used together`)
  const wanted = Option.map(options.fields, (text) => text.split(",").map((name) => name.trim()))
  const fields = yield* readFields(
    listing,
    Option.getOrElse(wanted, () => listing.columns)
  )
  const format = (): ((rows: ReadonlyArray<Row>) => Outgoing) => {
    if (options.json || (formats.length === 0 && !process.stdoutIsTerminal)) {
      const chosen = (row: Row) => Object.fromEntries(fields.map(({ name, value }) => [name, value(row) ?? null]))
      return (rows) => records.lines(Option.isNone(wanted) ? rows : rows.map(chosen))
    }
    const { text } = outlet(options.csv && !process.stdoutIsTerminal ? "csv" : "terminal")
    const lines = layout()
    return (rows) => text(lines(rows))
  }
  const layout = (): ((rows: ReadonlyArray<Row>) => string) => {
    if (options.csv) return makeCsv(fields)
    // Elsewhere than on a terminal no width is known, and a cut value could not be used.
    const columns = process.stdoutIsTerminal ? process.columns() : Number.POSITIVE_INFINITY
    const style = { columns, colours: hasColours(process) }
    const { detail } = listing
    return detail === undefined || Option.isSome(wanted)
      ? makeTable(fields, style, Option.isNone(wanted))
      : (rows) => rows.map((row) => detail(row, style)).join("\n")
  }
  const write = format()
  const output: Output<Row> = {
    rows: (rows) =>
      Effect.suspend(() => {
        const text = write(rows)
        return text === "" ? Effect.void : process.write(text)
      }),
    note: (line) => (options.quiet ? Effect.void : output.warning(line)),
    warning: (line) => process.report(`${line}\n`)
  }
  return output
})
