import { transform } from "esbuild"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The source of a program of `consumer/`. */
export const source = (program: string): string =>
  readFileSync(join(import.meta.dirname, "consumer", `${program}.ts`), "utf8")

/** The program as JavaScript that every supported Node runs. */
export const script = async (program: string): Promise<string> => {
  const { code } = await transform(source(program), { loader: "ts", format: "esm", target: "node20" })
  return code
}
