export {
  claimCluster,
  clientLayer,
  retryFailed,
  submit,
  type SubmitOptions,
  readLayer,
  workerLayer,
  type WorkerOptions
} from "./cluster/Cluster.ts"
export { ChunkWorker, type WorkerProgress } from "./cluster/ChunkWorker.ts"
export { newRunId } from "./RunId.ts"
export { ClusterRuns, type ClusterRunStatus } from "./cluster/ClusterRuns.ts"
export { type InputKeys, makeInputKeys } from "./cluster/StagedInput.ts"
