import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { generated } from "./Generated.ts"
import { root } from "./Repository.ts"

for (const [path, make] of Object.entries(generated)) writeFileSync(join(root, path), make())
