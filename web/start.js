// Starts the WebAssembly module: index.html loads this file for the page, and
// the page loads it again as its worker.
import init from './queens-web.js';

await init();
