import type { Operation } from '@overworld/contract/operation';
import type { Api } from '../http/api.ts';
import { implement } from '../http/implement.ts';
import type { CheckQuery, MakeReport } from './pinned-reports.ts';

/**
 * Mounts the operation of a report that can be pinned to dashboards.
 * @param check Checks what the schema of the query cannot express, before a query is stored as a card.
 */
export function implementReport<O extends Operation>(
  api: Api,
  operation: O,
  handler: MakeReport<NoInfer<O>>,
  check: CheckQuery<NoInfer<O>> = () => undefined,
): void {
  implement(api, operation, handler as never);
  api.pinned.add(operation, handler as MakeReport<O>, check as CheckQuery<O>);
}
