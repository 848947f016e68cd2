/** Functions that end processes and mounts which must not outlive this process, however it exits. */
const endings = new Set<() => void>();

process.on('exit', () => {
  for (const end of endings) {
    try {
      end();
    } catch {
      // The process or mount has already ended.
    }
  }
});

/** Calls `end` when this process exits. @returns a function that cancels this. */
export function endAtExit(end: () => void): () => void {
  endings.add(end);
  return () => void endings.delete(end);
}
