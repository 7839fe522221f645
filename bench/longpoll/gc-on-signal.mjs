// Loaded into a measured process: memory is compared after a full garbage collection.
process.on('SIGUSR2', () => {
  globalThis.gc();
  globalThis.gc();
});
