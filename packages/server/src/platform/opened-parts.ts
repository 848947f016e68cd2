import type { BaseLogger } from 'pino';

/**
 * Adds parts to a stack. If a closing step fails, for example because the database is down, the error is
 * logged.
 */
export function openedParts(stack: AsyncDisposableStack, logger: BaseLogger) {
  const onClose = (step: () => unknown) =>
    stack.defer(async () => {
      try {
        await step();
      } catch (error) {
        logger.error({ err: error }, 'a step of stopping failed');
      }
    });
  return {
    /** Registers a part, which is closed when its turn comes. Returns the part. */
    add<Part extends { close(): unknown }>(part: Part): Part {
      onClose(() => part.close());
      return part;
    },
    /** Registers a step, which is run when its turn comes. */
    onClose,
  };
}

/** The parts of a server that must be closed, in the reverse order of their opening. */
export type OpenedParts = ReturnType<typeof openedParts>;
