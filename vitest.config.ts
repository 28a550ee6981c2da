/**
 * The settings of every package's tests.
 */
export default {
  test: {
    // The limits only end what hangs: CI runs several suites at once on two busy cores.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Each new worker loads Effect again, which takes longer than most files. Tests undo what they change in the process.
    isolate: false
  }
}
