import { getRecentCalls } from '@overworld/contract/administration/calls';
import type { Api } from '../../../platform/http/api.ts';
import { implement } from '../../../platform/http/implement.ts';
import { nameCallers } from './callers.ts';
import { createRecentCalls } from './recent-calls.ts';
import type { CallRow } from './recent-calls.ts';

export function mountRecentCalls(api: Api): void {
  const { server, database, background, workerPool } = api;
  const calls = createRecentCalls(background, workerPool);
  server.observe(calls.note);

  implement(api, getRecentCalls, async () => {
    const { window_ms, count, callers, networks } = await calls.read();
    const nameOf = await nameCallers(database, [...callers, ...networks]);
    const show = ({ caller, operation, calls: call_count, refused, failed }: CallRow) => ({
      caller: nameOf(caller),
      operation,
      call_count,
      refused_count: refused,
      failed_count: failed,
    });
    return {
      window_seconds: Math.ceil(window_ms / 1_000),
      call_count: count,
      callers: callers.map(show),
      networks: networks.map((row) => ({ network: row.network, ...show(row) })),
    };
  });
}
