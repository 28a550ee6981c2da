interface Described {
  /** Its description, as a phrase; bounds, defaults and remarks follow from the other facts. */
  readonly about: string
  /** The meaning of an absent parameter, as the end of a sentence. */
  readonly whenAbsent?: string
  /** Whether a request without the parameter is invalid. */
  readonly required?: true
  /** Whether the document marks the parameter as deprecated. */
  readonly deprecated?: true
  /** Whether the parameter is newer than the document: services of later versions have it. */
  readonly newer?: true
  /** Whether the value is a secret; each value, where there are several. */
  readonly secret?: true
  /** Whether the service appends the values to its own: sending them twice does harm. */
  readonly appends?: true
  /** Whether the value has the vendor's name in it, where the document has the word `service`. */
  readonly vendorIdentifier?: true
}

/** One string; one of `values`, where the document lists them. */
export interface StringParameter extends Described {
  readonly kind: "string"
  readonly values?: ReadonlyArray<string>
  /** Whether the value is a timestamp. */
  readonly isTime?: true
}

/** An array of strings. */
export interface StringsParameter extends Described {
  readonly kind: "strings"
  /** The known values; others are allowed. */
  readonly known?: ReadonlyArray<string>
  /** Whether an empty array is a condition, and sent; other empty filters are rejected. */
  readonly emptyMeansNone?: true
}

/** One string, or an array of strings. */
export interface OneOrSeveralParameter extends Described {
  readonly kind: "one-or-several"
  /** The known values; others are allowed. */
  readonly known?: ReadonlyArray<string>
}

/** A whole number within bounds, both included. */
export interface IntegerParameter extends Described {
  readonly kind: "integer"
  readonly minimum: number
  readonly maximum?: number
  /** The service's default for an absent parameter. */
  readonly default: number
}

/** An object with fields. */
export interface ObjectParameter extends Described {
  readonly kind: "object"
  readonly fields: ParameterFields
}

/** A parameter in a path, a query or a JSON body. */
export type Parameter = StringParameter | StringsParameter | OneOrSeveralParameter | IntegerParameter | ObjectParameter

/** Parameters by their names. */
export type ParameterFields = { readonly [name: string]: Parameter }

/** The parameters of one operation; a part without parameters is empty. */
export interface OperationParameters {
  readonly path: ParameterFields
  readonly query: ParameterFields
  readonly body: ParameterFields
}

/**
 * Describes a parameter as a phrase without a period: its description and bounds.
 *
 * @example
 * ```ts
 * import { operations, phraseOf } from "@signalbox/core/Operations"
 *
 * phraseOf(operations["events.list"].parameters.query.limit) // => "Size of the page, from 1 to 50"
 * ```
 */
export const phraseOf = (parameter: Parameter): string => {
  if (parameter.kind !== "integer") return parameter.about
  const { about, maximum, minimum } = parameter
  return maximum === undefined ? `${about}, counted from ${minimum}` : `${about}, from ${minimum} to ${maximum}`
}

type ValueOf<P extends Parameter> = P extends ObjectParameter
  ? InputOf<P["fields"]>
  : P extends StringParameter
    ? P["values"] extends ReadonlyArray<string>
      ? P["values"][number]
      : string
    : P extends IntegerParameter
      ? number
      : P extends StringsParameter
        ? ReadonlyArray<string>
        : string | ReadonlyArray<string>

type RequiredOf<Fields extends ParameterFields> = {
  [Name in keyof Fields]: Fields[Name]["required"] extends true ? Name : never
}[keyof Fields]

/** The values of parameters, as a program writes them. */
export type InputOf<Fields extends ParameterFields> = {
  readonly [Name in keyof Fields as Name extends RequiredOf<Fields> ? Name : never]: ValueOf<Fields[Name]>
} & {
  readonly [Name in keyof Fields as Name extends RequiredOf<Fields> ? never : Name]?: ValueOf<Fields[Name]>
}
