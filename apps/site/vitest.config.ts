import shared from "../../vitest.config.ts"

export default { test: { ...shared.test, include: ["test/**/*.test.ts"] } }
