// Starts the WebAssembly module that counts on a GPU, in a Web Worker that runs this script.
try {
  const { default: init } = await import('./queens-gpu-worker.js');
  await init();
} catch (error) {
  postMessage(JSON.stringify({ Failed: String(error) }));
}
