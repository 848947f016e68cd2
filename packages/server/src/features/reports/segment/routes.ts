import { getSegment } from '@overworld/contract/analytics/segment';
import { tagSegment as tagSegmentOperation } from '@overworld/contract/analytics/segment-tags';
import type { Api } from '../../../platform/http/api.ts';
import { Download } from '../../../platform/http/download.ts';
import { implement, JsonText } from '../../../platform/http/implement.ts';
import { writeJson } from '../../../platform/http/write-json.ts';
import { readNewTag, readTag } from '../../../platform/players/tags.ts';
import { answerWithProgress } from '../../../platform/reports/progress-report.ts';
import type { ReportServices } from '../answer-report.ts';
import { readSegmentConditions } from '../request/players-request.ts';
import { selectEvents } from '../select-events.ts';
import { readSegment, toSegmentPage } from './segment-request.ts';
import { tagSegment } from './tag-segment.ts';
import type { TaggingServices } from './tag-segment.ts';

/** Mounts the list of the players of a segment, and the change of their tags. */
export function mountSegments(api: Api, services: ReportServices & TaggingServices): void {
  const { explorer, waitForInbox } = services;

  implement(api, getSegment, async (call) => {
    const { format, limit } = call.query;
    const { owner, signal } = call;
    const request = await readSegment(call.params.game_id, call.query, services);
    const { days, selection } = await selectEvents(call, waitForInbox);
    const input = { ...selection, ...request };
    if (format === 'csv') {
      const file = await explorer.stream('segment_csv', input, call);
      return new Download('text/csv; charset=utf-8', 'segment.csv', file);
    }
    return answerWithProgress(format, async (onShare) => {
      const found = await explorer.report('segment', input, { owner, signal, onShare });
      return new JsonText(writeJson({ ...days, ...toSegmentPage(found, limit) }));
    });
  });

  implement(api, tagSegmentOperation, async (call) => {
    const { params, query, body, actor, owner, signal } = call;
    const { environment: _environment, format, ...conditions } = query;
    const { action } = body;
    const change = { tag: action === 'add' ? readNewTag(body.tag) : readTag(body.tag), action };
    const segment = await readSegmentConditions(params.game_id, query, services);
    const { selection } = await selectEvents(call, waitForInbox);
    return answerWithProgress(format, async (onShare) => ({
      tag: change.tag,
      ...(await tagSegment(call.database, services, {
        selection: { ...selection, ...segment },
        change,
        conditions,
        actor,
        owner,
        signal,
        onShare,
      })),
    }));
  });
}
