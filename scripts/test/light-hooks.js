// Loaded before each test file. Node's test runner follows every promise of a test, to say which test an
// uncaught error belongs to. That takes a fifth of the CPU of a run. This module stops the runner from
// following promises as soon as the tests are known. An uncaught error still fails its file.
import { createHook } from 'node:async_hooks';
import { beforeEach } from 'node:test';

const example = createHook({ trackPromises: false });
const WITHOUT_PROMISES = Object.getOwnPropertySymbols(example).find(
  (symbol) => example[symbol] === true,
);

/** Promises of the test files that are being loaded. @type {Promise<unknown>[]} */
const loads = [];

/** Makes the runner follow promises until a file that defines tests is loaded. */
export function awaitLoad(load) {
  loads.push(load);
  return load;
}

// The runner itself also loads this module.
if (process.env.NODE_TEST_CONTEXT && WITHOUT_PROMISES) {
  const prototype = Object.getPrototypeOf(example);
  const { enable } = prototype;
  const hooks = [];
  prototype.enable = function enableAndKeep() {
    hooks.push(this);
    return enable.call(this);
  };
  // The runner enables its hook when one of its functions is called for the first time. This call of
  // `beforeEach` is the first one.
  beforeEach(async () => {
    await Promise.all(loads);
    prototype.enable = enable;
    for (const hook of hooks.splice(0)) {
      hook.disable();
      hook[WITHOUT_PROMISES] = true;
      hook.enable();
    }
  });
}
