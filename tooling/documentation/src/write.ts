import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { generated } from "./Generated.ts"
import { root } from "./Repository.ts"

for (const [path, make] of Object.entries(generated)) writeFileSync(join(root, path), make())

// Tables get their padding from the formatter.
execFileSync(join(root, "node_modules", ".bin", "oxfmt"), Object.keys(generated), { cwd: root, stdio: "inherit" })
