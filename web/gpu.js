// Starts the WebAssembly module that counts on a GPU, inside the Web Worker that is made of this file.
import init from './queens-gpu-worker.js';

await init();
