import type { BaseLogger } from 'pino';

/** Adds parts to a stack. A step that fails is logged, such as when the database is gone. */
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
    /** Closes this part when its turn comes. Returns the part. */
    add<Part extends { close(): unknown }>(part: Part): Part {
      onClose(() => part.close());
      return part;
    },
    /** Runs a step when its turn comes. */
    onClose,
  };
}

/** The parts of a server that must be closed, in the opposite order of their opening. */
export type OpenedParts = ReturnType<typeof openedParts>;
