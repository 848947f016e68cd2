// The test runner loads this module before each test file. A test file that
// left a server or a timer open after its tests would keep the runner waiting
// for ever. This module makes such a file fail, and prints what is open.
import { after } from 'node:test';

const PATIENCE_MS = 10_000;

// The runner also loads this module into its own process, where this variable is not set.
if (process.env.NODE_TEST_CONTEXT) {
  after(() => {
    setTimeout(() => {
      const open = process.getActiveResourcesInfo();
      console.error(`${process.argv[1]} left something open: ${open.join(', ')}`);
      process.exit(1);
    }, PATIENCE_MS).unref();
  });
}
