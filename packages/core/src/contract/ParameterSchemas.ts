import * as Schema from "effect/Schema"
import type {
  IntegerParameter,
  ObjectParameter,
  OneOrSeveralParameter,
  Parameter,
  ParameterFields,
  StringsParameter
} from "./Parameters.ts"
import { emptyMeansNoneAnnotation } from "./Shape.ts"

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

/** Makes the fields of a struct from the facts of parameters. */
export const fieldsOf = <const Fields extends ParameterFields>(parameters: Fields): FieldsOf<Fields> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => {
      const schema = schemaOf(parameter)
      return [name, parameter.required === true ? schema : Schema.optionalKey(schema)]
    })
    // Each entry has the type that `FieldsOf` gives its name; `fromEntries` cannot express that.
  ) as FieldsOf<Fields>
