import { defineConfig } from "vitest/config"

export default defineConfig({
  // Real processes on a busy machine: the limit only ends what hangs.
  test: { testTimeout: 60_000 }
})
