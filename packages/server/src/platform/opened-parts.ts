import type { BaseLogger } from 'pino';

/**
 * Makes functions that add the closing steps of parts to a stack. If a closing step fails, for example
 * because the database is down, the error is logged.
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
    /** Registers a part to be closed when the stack is disposed. Returns the part. */
    add<Part extends { close(): unknown }>(part: Part): Part {
      onClose(() => part.close());
      return part;
    },
    /** Registers a step to be run when the stack is disposed. */
    onClose,
  };
}

/** The parts of a server that must be closed, in the reverse order of their opening. */
export type OpenedParts = ReturnType<typeof openedParts>;
