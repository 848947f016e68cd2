import type { Operation } from '@overworld/contract/operation';
import type { Api } from '../http/api.ts';
import { implement } from '../http/implement.ts';
import type { MakeReport } from './pinned-reports.ts';

/** Mounts the operation of a report that can be pinned to dashboards. */
export function implementReport<O extends Operation>(
  api: Api,
  operation: O,
  handler: MakeReport<NoInfer<O>>,
): void {
  implement(api, operation, handler as never);
  api.pinned.add(operation, handler as MakeReport<O>);
}
