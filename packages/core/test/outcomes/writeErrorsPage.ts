import { writeFileSync } from "node:fs"
import { errorsPage } from "./ErrorsPage.ts"

writeFileSync(new URL("../../../../docs/errors.md", import.meta.url), errorsPage())
