export {
  type DatabaseOptions,
  databaseLayer,
  DatabaseRuns,
  readLayer,
  workerLayer,
  type WorkerOptions
} from "./cluster/DatabaseRuns.ts"
export { ChunkWorker, type WorkerProgress } from "./cluster/ChunkWorker.ts"
export { type InputKeys, makeInputKeys } from "./cluster/StagedInput.ts"
