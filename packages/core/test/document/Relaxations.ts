/** Responses that reading tolerates beyond the API document, besides values outside of enumerations. */
import type * as Schema from "effect/Schema"
import { readAsOneOf, toleratedAbsenceOf, toleratedNullOf } from "../../src/contract/Marks.ts"
import { registry } from "../../Registry.ts"

/** One rule of the document that reading does not insist on. */
export interface Relaxation {
  /** Type of the API document. */
  readonly type: string
  /** Its field; with `[]` at the end, an element of the list in the field. */
  readonly field: string
  /** The deviation that reading accepts: an absent field, or `null`. */
  readonly accepts: "absent" | "null"
  /** Why. */
  readonly evidence: string
}

type Ast = Schema.Top["ast"]

const nameOf = (record: Ast): string => String(record.annotations?.["identifier"])

/** The relaxations of one field: its absence, its `null`, and the `null` of its elements. */
const ofField = (type: string, field: string, value: Ast): ReadonlyArray<Relaxation> => {
  const absence = toleratedAbsenceOf(value)?.because
  const elements = value._tag === "Arrays" ? value.rest.map((element) => toleratedNullOf(element)?.because) : []
  const found = [
    { field, accepts: "absent" as const, evidence: absence },
    { field, accepts: "null" as const, evidence: toleratedNullOf(value)?.because },
    ...elements.map((evidence) => ({ field: `${field}[]`, accepts: "null" as const, evidence }))
  ]
  return found.flatMap(({ evidence, ...one }) => (evidence === undefined ? [] : [{ type, ...one, evidence }]))
}

/** The fields that some of the records require, where reading takes all of them as one. */
const ofMembers = (members: ReadonlyArray<Ast>, because: string): ReadonlyArray<Relaxation> => {
  const required = members.map((member) =>
    member._tag === "Objects"
      ? member.propertySignatures
          .filter(({ type }) => type.context?.isOptional !== true)
          .map(({ name }) => String(name))
      : []
  )
  return members.flatMap((member, index) =>
    (required[index] ?? [])
      .filter((field) => !required.every((fields) => fields.includes(field)))
      .map((field) => ({ type: nameOf(member), field, accepts: "absent" as const, evidence: because }))
  )
}

const relaxationsOf = (): ReadonlyArray<Relaxation> => {
  const seen = new Set<unknown>()
  const walk = (ast: Ast): ReadonlyArray<Relaxation> => {
    switch (ast._tag) {
      case "Arrays":
        return ast.rest.flatMap(walk)
      case "Union": {
        const merged = readAsOneOf(ast)
        if (seen.has(ast.types)) return []
        seen.add(ast.types)
        return [...(merged === undefined ? [] : ofMembers(ast.types, merged.because)), ...ast.types.flatMap(walk)]
      }
      case "Objects": {
        if (seen.has(ast.propertySignatures)) return []
        seen.add(ast.propertySignatures)
        return ast.propertySignatures.flatMap(({ name, type }) => [
          ...ofField(nameOf(ast), String(name), type),
          ...walk(type)
        ])
      }
      default:
        return []
    }
  }
  return Object.values(registry).flatMap(({ success }) => walk(success.ast))
}

/**
 * The rules of the API document that reading does not insist on, each with its evidence.
 *
 * Every one of them is drift when it happens, except a job without a provider where no provider has anything to do.
 * This list is complete: a test derives every possible violation from the document and reads it.
 */
export const relaxations: ReadonlyArray<Relaxation> = /* @__PURE__ */ relaxationsOf()
