import { readFileSync } from "node:fs"

/**
 * Reads the JSON value of a file.
 *
 * @throws RangeError that names the place of the path, such as its flag.
 */
export const jsonIn = (path: string, place: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch (error) {
    throw new RangeError(`${place}: ${error instanceof SyntaxError ? "is not valid JSON" : "cannot be read"}`)
  }
}
