/** Ends processes and mounts that must not outlive this process, however it exits. */
const endings = new Set<() => void>();

process.on('exit', () => {
  for (const end of endings) {
    try {
      end();
    } catch {
      // The process has ended before.
    }
  }
});

/** @returns a function that removes `end` from the list. */
export function endAtExit(end: () => void): () => void {
  endings.add(end);
  return () => void endings.delete(end);
}
