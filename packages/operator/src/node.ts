/**
 * Access to the machine that an operator tool runs on: the configuration file, and API keys from the environment or
 * from a command. Provide `FileSystem` and `ChildProcessSpawner`, for example from
 * `@effect/platform-node/NodeServices`.
 */
export * from "./connections/ApiKey.ts"
export * from "./connections/ConfigFile.ts"
export * from "./connections/ConfigPath.ts"
export type { ScreenSettings } from "./connections/ScreenSettings.ts"
export * from "./connections/VendorSetting.ts"
