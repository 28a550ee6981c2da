import { writeFileSync } from "node:fs"
import { apiPage } from "./ApiPage.ts"

writeFileSync(new URL("../../../docs/api.md", import.meta.url), apiPage())
