import type { Writable } from 'node:stream';
import pino from 'pino';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config.ts';
import { formatForTerminal } from './terminal-log.ts';

/**
 * When more than this many bytes wait for a reader of the log,
 * further lines are dropped, so that they do not fill the memory.
 */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/**
 * Opens the log of a running server, which goes to standard output. On a
 * terminal, the log is written as words for people; elsewhere, as one JSON
 * object per line. Writing is asynchronous, so no request waits for it.
 */
export function openServerLog({ log_level }: Pick<Config, 'log_level'>, terminal: Writable | null) {
  if (terminal !== null) {
    const say = (line: string) => void terminal.write(`${line}\n`);
    const write = (lines: string) => {
      for (const json of lines.trimEnd().split('\n')) {
        const line = formatForTerminal(JSON.parse(json) as Record<string, unknown>);
        if (line !== null) say(line);
      }
    };
    return { logger: makeLogger(log_level, { write }), write, say, flush: () => undefined };
  }
  const stream = pino.destination({ fd: 1, sync: false, maxLength: MAX_WAITING_BYTES });
  const logger = makeLogger(log_level, stream);
  const sayer = logger.child({}, { level: 'info' });
  return {
    logger,
    /** Writes lines that a worker has logged, which are JSON. */
    write: (lines: string) => void stream.write(lines),
    /** Writes a line for the operator, whatever the level of the log. */
    say(line: string) {
      if (line !== '') sayer.info(line);
    },
    /** Writes the waiting lines. */
    flush: () => stream.flushSync(),
  };
}

export type ServerLog = ReturnType<typeof openServerLog>;

/** Makes a logger that writes one JSON object per line. */
export const makeLogger = (level: string, stream: pino.DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
