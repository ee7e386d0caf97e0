// Starts the WebAssembly module that counts on a GPU, inside the Web Worker that is made of this file.
try {
  const { default: init } = await import('./queens-gpu-worker.js');
  await init();
} catch (error) {
  postMessage(JSON.stringify({ Failed: String(error) }));
}
