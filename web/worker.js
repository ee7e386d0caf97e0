// Starts the worker's WebAssembly module, inside the Web Worker that the page makes of this file.
// Whoever started the worker reads the failure as that of a worker that counts.
try {
  const { default: init } = await import('./queens-worker.js');
  await init();
} catch (error) {
  postMessage(JSON.stringify({ Failed: String(error) }));
}
