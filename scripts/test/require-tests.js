/** A reporter that fails a run in which no test passed or failed. */
export default async function* requireTests(events) {
  let tests = 0;
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isFile = data.nesting === 0 && data.name === data.file;
    if (!isFile && data.details?.type !== 'suite' && !data.skip && !data.todo) tests++;
  }
  if (tests === 0) {
    process.exitCode = 1;
    yield 'No test was run.\n';
  }
}
