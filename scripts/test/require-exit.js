// Loaded before each test file. A file that leaves a server or a timer open after its tests would keep
// the runner waiting for ever. This module makes the file fail, and names the open handles.
import { after } from 'node:test';

const PATIENCE_MS = 10_000;

// The runner itself also loads this module.
if (process.env.NODE_TEST_CONTEXT) {
  after(() => {
    setTimeout(() => {
      const open = process.getActiveResourcesInfo();
      console.error(`${process.argv[1]} left something open: ${open.join(', ')}`);
      process.exit(1);
    }, PATIENCE_MS).unref();
  });
}
