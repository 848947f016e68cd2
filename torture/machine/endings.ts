/** What must not outlive this process: ended at its exit, in whatever way it comes. */
const endings = new Set<() => void>();

process.on('exit', () => {
  for (const end of endings) {
    try {
      end();
    } catch {
      // It has ended before.
    }
  }
});

/** @returns a function that forgets it again. */
export function endAtExit(end: () => void): () => void {
  endings.add(end);
  return () => void endings.delete(end);
}
