/** A terminal and a process manager may both pass one Ctrl-C on: within a second it counts once. */
const SIGNAL_ECHO_MS = 1_000;

const PARENT_LOOK_MS = 500;

/**
 * Resolves when the process is asked to stop, by Ctrl-C or SIGTERM; listens from this call on. A
 * second request, a second later or more, ends the process at once. Under npm, which passes a
 * SIGTERM on to nobody but its shell, the end of that shell asks, too.
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
