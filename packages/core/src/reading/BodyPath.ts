/** The position of a part in a body: the keys and indexes that lead to it. */
export type BodyPath = ReadonlyArray<PropertyKey>

const plainKey = /^[A-Za-z_$][\w$]*$/

/**
 * Writes a path as in JavaScript: `data[3].jobs[0].providerId`.
 */
export const format = (path: BodyPath): string => {
  let text = ""
  for (const segment of path) {
    if (typeof segment === "number") text += `[${segment}]`
    else {
      const key = String(segment)
      if (!plainKey.test(key)) text += `[${JSON.stringify(key)}]`
      else text += text === "" ? key : `.${key}`
    }
  }
  return text
}
