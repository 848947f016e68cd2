import type { Writable } from 'node:stream';
import pino from 'pino';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config.ts';
import { formatForTerminal } from './terminal-log.ts';

/** When nobody reads the log, further lines are dropped, so that they do not fill the memory. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

export interface ServerLog {
  logger: Logger;
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
    const write = (line: string) => void terminal.write(`${line}\n`);
    const stream = {
      write(json: string) {
        const line = formatForTerminal(JSON.parse(json) as Record<string, unknown>);
        if (line !== null) write(line);
      },
    };
    return { logger: pino(settings(log_level), stream), say: write, flush: () => undefined };
  }
  const stream = pino.destination({ fd: 1, sync: false, maxLength: MAX_WAITING_BYTES });
  const logger = pino(settings(log_level), stream);
  const sayer = logger.child({}, { level: 'info' });
  return {
    logger,
    say(line) {
      if (line !== '') sayer.info(line);
    },
    flush: () => stream.flushSync(),
  };
}

const settings = (level: string): pino.LoggerOptions => ({
  level,
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
});
