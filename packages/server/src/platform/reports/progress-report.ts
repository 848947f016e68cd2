import { Readable } from 'node:stream';
import { Download } from '../http/download.ts';
import { JsonPieces, JsonText } from '../http/implement.ts';

/** If a report still waits to begin after this time, a line is sent that says so. */
const WAITING_AFTER_MS = 500;

/**
 * Makes a report, and returns it unchanged unless `format` is `progress`. For this format, returns lines of
 * JSON: `{"progress": …}` while the report is made, and at last `{"report": …}` or
 * `{"status": …, "error": …}`. A failure before the first line is answered like any other failure.
 * @param make Makes the report; the text of a `JsonText` or `JsonPieces` must be one line. It gets a function to call with the share of the work that is done, 0 to 1.
 */
export async function answerWithProgress<R>(
  format: string,
  make: (onShare?: (share: number) => void) => Promise<R>,
): Promise<R | Download> {
  if (format !== 'progress') return make();
  const lines: string[] = [];
  let wake = () => {};
  const write = (line: object) => {
    lines.push(JSON.stringify(line));
    wake();
  };
  let started_ms = 0;
  const onShare = (share: number) => {
    clearTimeout(waiting);
    if (started_ms === 0) started_ms = performance.now();
    const took_s = (performance.now() - started_ms) / 1_000;
    const seconds_left = share < 0.02 ? null : Math.ceil((took_s * (1 - share)) / share);
    write({
      progress: { state: 'reading', share: Math.round(share * 1_000) / 1_000, seconds_left },
    });
  };
  const waiting = setTimeout(
    () => write({ progress: { state: 'waiting', share: 0, seconds_left: null } }),
    WAITING_AFTER_MS,
  );
  let has_ended = false;
  let report: R | undefined;
  let failure: unknown;
  const end = () => {
    clearTimeout(waiting);
    has_ended = true;
    wake();
  };
  const finished = make(onShare).then(
    (made) => {
      report = made;
      end();
    },
    (error: unknown) => {
      failure = error;
      end();
    },
  );
  const nextLine = () => new Promise<void>((resolve) => (wake = resolve));
  if (lines.length === 0) await Promise.race([finished, nextLine()]);
  if (failure !== undefined && lines.length === 0) throw failure;

  async function* read() {
    for (;;) {
      for (const line of lines.splice(0)) yield Buffer.from(`${line}\n`);
      if (lines.length > 0) continue;
      if (has_ended) break;
      await nextLine();
    }
    if (failure !== undefined) throw failure;
    yield Buffer.from('{"report":');
    if (report instanceof JsonPieces) {
      for await (const piece of report.pieces) yield Buffer.from(piece);
    } else {
      yield Buffer.from(report instanceof JsonText ? report.text : JSON.stringify(report));
    }
    yield Buffer.from('}\n');
  }
  return new Download(
    'application/x-ndjson',
    'report.ndjson',
    Readable.from(read(), { objectMode: false }),
    (status, body) => `${JSON.stringify({ status, ...body })}\n`,
  );
}
