// Starts the worker's WebAssembly module, inside the Web Worker that the page makes of this file.
import init from './queens-worker.js';

await init();
