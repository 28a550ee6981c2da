import { transform } from "esbuild"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The source of a program of `consumer/`. */
export const source = (program: string): string =>
  readFileSync(join(import.meta.dirname, "consumer", `${program}.ts`), "utf8")

/** The program as JavaScript that every supported Node runs: a module, or CommonJS with `require`. */
export const script = async (program: string, format: "esm" | "cjs" = "esm"): Promise<string> => {
  const { code } = await transform(source(program), { loader: "ts", format, target: "node20" })
  return code
}
