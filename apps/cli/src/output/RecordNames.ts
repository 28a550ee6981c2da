import type { OperationWire, Shape } from "@signalbox/core/internal/contract/Shape"

/** The names of the records that an operation returns, alone, as a list or as a page. */
export const recordNames = ({ read }: Pick<OperationWire, "read">): ReadonlyArray<string> => {
  const namesOf = (shape: Shape): ReadonlyArray<string> => {
    if (typeof shape !== "object") return []
    if ("items" in shape) return namesOf(shape.items)
    if (!("fields" in shape)) return []
    const { data } = shape.fields
    return typeof data === "object" && "items" in data ? namesOf(data) : Object.keys(shape.fields)
  }
  return namesOf(read)
}
