/**
 * Makes a function that does pieces of work one after the other, in the order of its calls. If one fails, its
 * caller gets the error, and the next one begins.
 */
export function createSequence() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
