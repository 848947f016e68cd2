// Loaded before each test file: one that leaves something open after its tests would never end, and
// the runner would wait for it for ever. It fails instead, and says what it left open.
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
