// Loaded before each test file. A file that leaves a server or a timer open after its tests would keep
// the runner waiting for ever; this makes it fail, and names the open handles.
import { after } from 'node:test';

const PATIENCE_MS = 10_000;

// The runner itself loads this too.
if (process.env.NODE_TEST_CONTEXT) {
  after(() => {
    setTimeout(() => {
      const open = process.getActiveResourcesInfo();
      console.error(`${process.argv[1]} left something open: ${open.join(', ')}`);
      process.exit(1);
    }, PATIENCE_MS).unref();
  });
}
