/**
 * The reproduction token of a finding: the options of the environment, and the calls in their order.
 */
import * as Schema from "effect/Schema"
import { type PlainEnvironmentOptions, tokenReader, writeToken } from "../environment/ReproductionToken.ts"
import { type AnyCall, CallSchema } from "./CheckedCall.ts"

export interface Reproduction extends PlainEnvironmentOptions {
  /** The calls of the checked client, in order. */
  readonly calls?: ReadonlyArray<AnyCall>
}

const read = tokenReader({ calls: Schema.optionalKey(Schema.Array(CallSchema)) })

export const writeReproduction = (content: Reproduction): string => writeToken(content)

export const readReproduction = (token: string): Reproduction => {
  // The schema checks what the types of the options and calls say.
  return read(token) as Reproduction
}
