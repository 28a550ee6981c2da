import { expectTypeOf } from "vitest"
import type { eventsListQuery, Parameter } from "../contract/Operations.ts"
import type { EventFilters } from "./EventFilters.ts"

type Query = typeof eventsListQuery

type NamesOf<Kind extends Parameter["kind"]> = {
  [Name in keyof Query]: Query[Name]["kind"] extends Kind ? Name : never
}[keyof Query]

type NamesThatTake<Value> = {
  [Name in keyof EventFilters]-?: Extract<EventFilters[Name], Value> extends never ? never : Name
}[keyof EventFilters]

// The filters are those of the API document, and take several values or a number where the document does.
expectTypeOf<Exclude<keyof EventFilters, "unsafe">>().toEqualTypeOf<keyof Query>()
expectTypeOf<NamesThatTake<ReadonlyArray<unknown>>>().toEqualTypeOf<NamesOf<"strings" | "one-or-several">>()
expectTypeOf<NamesThatTake<number>>().toEqualTypeOf<NamesOf<"integer">>()
