import type { Writable } from 'node:stream';
import pino from 'pino';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config.ts';
import { formatForTerminal } from './terminal-log.ts';

/** When nobody reads the log, further lines are dropped, so that they do not fill the memory. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

export interface ServerLog {
  logger: Logger;
  /** Writes lines of JSON that a worker has logged. */
  write(lines: string): void;
  /** Prints a line for the person at the terminal, whatever the level of the log. */
  say(line: string): void;
  /** Writes the waiting lines. */
  flush(): void;
}

/**
 * The log of a running server, on standard output: words for people on a terminal, else one JSON
 * object a line. Writing is asynchronous, so that no request waits for it.
 */
export function openServerLog(
  { log_level }: Pick<Config, 'log_level'>,
  terminal: Writable | null,
): ServerLog {
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
    write: (lines) => void stream.write(lines),
    say(line) {
      if (line !== '') sayer.info(line);
    },
    flush: () => stream.flushSync(),
  };
}

/** A logger that writes one JSON object a line. */
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
