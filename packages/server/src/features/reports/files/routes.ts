import {
  countExportedEvents,
  exportEvents,
  MAX_COUNTED_EVENTS,
} from '@overworld/contract/events/export';
import type { Api } from '../../../platform/http/api.ts';
import { Download } from '../../../platform/http/download.ts';
import { implement } from '../../../platform/http/implement.ts';
import type { ReportServices } from '../answer-report.ts';
import { selectEvents } from '../select-events.ts';
import { countEvents } from './event-export.ts';

const FILE_TYPES = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
} as const;

/** Mounts the export of the stored events, and its count. */
export function mountEventExport(
  api: Api,
  { explorer, waitForInbox }: Pick<ReportServices, 'explorer' | 'waitForInbox'>,
): void {
  implement(api, countExportedEvents, async (call) => {
    const { event_name = null, player_id = null } = call.query;
    const { selection } = await selectEvents(call, waitForInbox);
    const chosen = { ...selection, event_name, player_id };
    const count = await call.read((database) =>
      countEvents(database, chosen, MAX_COUNTED_EVENTS + 1),
    );
    return {
      event_count: Math.min(count, MAX_COUNTED_EVENTS),
      is_complete: count <= MAX_COUNTED_EVENTS,
    };
  });

  implement(api, exportEvents, async (call) => {
    const { environment, event_name = null, player_id = null, format } = call.query;
    const { days, selection } = await selectEvents(call, waitForInbox);
    const input = { ...selection, event_name, player_id, form: format };
    const file = await explorer.stream('export', input, call);
    const name = `events-${environment}-${days.from}-${days.to}.${format}`;
    return new Download(FILE_TYPES[format], name, file);
  });
}
