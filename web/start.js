// Starts the page's WebAssembly module.
import init from './queens-web.js';

await init();
