import shared from "../../vitest.config.ts"

// Tables print times in the zone of the machine.
export default { test: { ...shared.test, env: { TZ: "UTC" } } }
