/**
 * A terminal and a process manager may both send a signal for one Ctrl-C. Signals within this time
 * count once.
 */
const SIGNAL_ECHO_MS = 1_000;

const PARENT_LOOK_MS = 500;

/**
 * Resolves when Ctrl-C or SIGTERM asks the process to stop; listens from this call on. A second
 * request, at least a second later, ends the process at once. npm passes SIGTERM only to its shell, so
 * under npm the end of that shell also counts as a request.
 */
export function listenForStop({ under_npm }: { under_npm: boolean }): Promise<void> {
  return new Promise((resolve) => {
    let asked_at: number | undefined;
    const stop = () => {
      const now = performance.now();
      if (asked_at !== undefined && now - asked_at > SIGNAL_ECHO_MS) process.exit(130);
      asked_at ??= now;
      resolve();
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
    if (under_npm) watchParent(resolve);
  });
}

function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, PARENT_LOOK_MS);
  timer.unref();
}
