import * as Schema from "effect/Schema"
import type {
  IntegerParameter,
  ObjectParameter,
  OneOrSeveralParameter,
  Parameter,
  ParameterFields,
  StringsParameter
} from "./Parameters.ts"
import { emptyMeansNoneAnnotation, forbiddenAnnotation } from "./Shape.ts"

type OneOrSeveral = Schema.Union<readonly [Schema.String, Schema.$Array<Schema.String>]>

/** The schema of a parameter's value. */
type SchemaOf<P extends Parameter> = P extends ObjectParameter
  ? Schema.Struct<FieldsOf<P["fields"]>>
  : P extends StringsParameter
    ? Schema.$Array<Schema.String>
    : P extends OneOrSeveralParameter
      ? OneOrSeveral
      : P extends IntegerParameter
        ? Schema.Int
        : P extends { readonly values: infer Values extends ReadonlyArray<string> }
          ? Schema.Literals<Values>
          : Schema.String

/** The fields of a struct for parameters; those that are not required may be absent. */
export type FieldsOf<Fields extends ParameterFields> = {
  readonly [Name in keyof Fields]: Fields[Name]["required"] extends true
    ? SchemaOf<Fields[Name]>
    : Schema.optionalKey<SchemaOf<Fields[Name]>>
}

const schemaOf = (parameter: Parameter): Schema.Top => {
  switch (parameter.kind) {
    case "string":
      return parameter.values === undefined
        ? Schema.String
        : Schema.Literals(parameter.values).annotate({ message: `Expected one of ${parameter.values.join(", ")}` })
    case "strings":
      return parameter.emptyMeansNone === true
        ? Schema.Array(Schema.String).annotate({ [emptyMeansNoneAnnotation]: true })
        : Schema.Array(Schema.String)
    case "one-or-several":
      return Schema.Union([Schema.String, Schema.Array(Schema.String)])
    case "integer": {
      const { default: whenAbsent, maximum, minimum } = parameter
      const bounds =
        maximum === undefined ? Schema.isGreaterThanOrEqualTo(minimum) : Schema.isBetween({ minimum, maximum })
      return Schema.Int.check(bounds).annotate({ default: whenAbsent })
    }
    case "object":
      return Schema.Struct(fieldsOf(parameter.fields))
  }
}

/** Schemas that are used for the values or the fields of parameters, by those lists. */
type Shared = ReadonlyMap<unknown, Schema.Top>

const partOf = (parameter: Parameter): unknown =>
  parameter.kind === "string" ? parameter.values : parameter.kind === "object" ? parameter.fields : undefined

/** Makes the fields of a struct from the facts of parameters. */
export const fieldsOf = <const Fields extends ParameterFields>(parameters: Fields, shared?: Shared): FieldsOf<Fields> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => {
      const schema = shared?.get(partOf(parameter)) ?? schemaOf(parameter)
      return [name, parameter.required === true ? schema : Schema.optionalKey(schema)]
    })
    // Each entry has the type that `FieldsOf` gives its name; `fromEntries` cannot express that.
  ) as FieldsOf<Fields>

const notPathSegments = ["", ".", ".."]

/**
 * Makes the fields of path parameters. The empty string and the dot segments are valid strings and no valid path segments:
 * a URL parser would resolve them away and the request would reach another path.
 */
export const pathFieldsOf = (parameters: ParameterFields): Schema.Struct.Fields =>
  Object.fromEntries(
    Object.keys(parameters).map((name) => {
      const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
      const isSegment = Schema.makeFilter((value: string) => !notPathSegments.includes(value), {
        expected: `${/^[aeiou]/.test(words) ? "an" : "a"} ${words} that is not "", "." or ".."`,
        [forbiddenAnnotation]: notPathSegments
      })
      return [name, Schema.String.check(isSegment)]
    })
  )
