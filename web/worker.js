// Starts the worker's WebAssembly module, in a Web Worker that runs this script. The failure has the
// form in which a pool worker reports one to the count's coordinator. The page treats every message
// that it cannot decode as a failure.
try {
  const { default: init } = await import('./queens-worker.js');
  await init();
} catch (error) {
  postMessage(JSON.stringify({ Failed: String(error) }));
}
