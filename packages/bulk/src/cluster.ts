export { clientLayer, submit, workerLayer, type WorkerAddress } from "./cluster/Cluster.ts"
export { ClusterRuns, type ClusterRunOptions, type ClusterRunStatus } from "./cluster/ClusterRuns.ts"
