import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs';

const MAX_BYTES = 10 * 1024 * 1024;
const CHECK_INTERVAL_MS = 60_000;

/**
 * Opens PostgreSQL's log for appending, and limits its size. When it exceeds 10 MB, its content is copied to
 * `<path>.1` and the file is truncated. Renaming the file would not help, because PostgreSQL keeps it open.
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
      // The disk may be full. The log is truncated nevertheless, because space matters more than old lines.
    }
    ftruncateSync(descriptor);
  }

  return {
    path,
    descriptor,
    /**
     * Finds the last FATAL or PANIC message since the log was opened, or returns null if there is none. A
     * message of the postmaster takes precedence over messages of the processes that it has started.
     */
    readFatalReason(postmaster: number | undefined): string | null {
      const text = readFileSync(path).subarray(startedAt).toString();
      const lines = text.matchAll(/^(?:.*\[(?<pid>\d+)\] )?(?:FATAL|PANIC): {2}(?<reason>.+)$/gm);
      const reasons = [...lines].map(({ groups }) => groups!);
      // Lines without a pid are also the postmaster's: it writes them before it has read `log_line_prefix`.
      const own = reasons.filter(({ pid }) => pid === undefined || Number(pid) === postmaster);
      return (own.at(-1) ?? reasons.at(-1))?.reason ?? null;
    },
    close() {
      clearInterval(timer);
      closeSync(descriptor);
    },
  };
}

/** PostgreSQL's log. It is a file and not a pipe, so PostgreSQL can write even if this process has ended. */
export type ServerLog = ReturnType<typeof openServerLog>;
