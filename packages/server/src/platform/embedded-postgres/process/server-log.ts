import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs';

const MAX_BYTES = 10 * 1024 * 1024;
const CHECK_INTERVAL_MS = 60_000;

/**
 * Opens the log for appending and limits its size: when it exceeds 10 MB, its content moves to `<path>.1`.
 * For this, the content is copied and the file truncated, because PostgreSQL keeps the file open.
 */
export function openServerLog(path: string) {
  const descriptor = openSync(path, 'a', 0o600);
  rotateWhenLarge();
  const startedAt = fstatSync(descriptor).size;
  const timer = setInterval(rotateWhenLarge, CHECK_INTERVAL_MS).unref();

  function rotateWhenLarge(): void {
    if (fstatSync(descriptor).size <= MAX_BYTES) return;
    try {
      copyFileSync(path, `${path}.1`);
    } catch {
      // On a full disk the space is worth more than the old lines.
    }
    ftruncateSync(descriptor);
  }

  return {
    path,
    descriptor,
    /**
     * Finds the last fatal reason since the log was opened; null when there is none. A reason of the
     * postmaster takes precedence over a reason of its processes.
     */
    readFatalReason(postmaster: number | undefined): string | null {
      const text = readFileSync(path).subarray(startedAt).toString();
      const lines = text.matchAll(/^(?:.*\[(?<pid>\d+)\] )?(?:FATAL|PANIC): {2}(?<reason>.+)$/gm);
      const reasons = [...lines].map(({ groups }) => groups!);
      // Lines that PostgreSQL writes before it has read `log_line_prefix` have no pid.
      const own = reasons.filter(({ pid }) => pid === undefined || Number(pid) === postmaster);
      return (own.at(-1) ?? reasons.at(-1))?.reason ?? null;
    },
    close() {
      clearInterval(timer);
      closeSync(descriptor);
    },
  };
}

/** PostgreSQL's log. It is a file and no pipe, so PostgreSQL never depends on this process. */
export type ServerLog = ReturnType<typeof openServerLog>;
