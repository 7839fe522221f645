// Loaded into a measured process: memory is compared after a full collection, not at a random moment between two.
process.on('SIGUSR2', () => {
  globalThis.gc();
  globalThis.gc();
});
