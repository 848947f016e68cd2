import * as contract from '@overworld/contract/analytics/annotations';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { readDateRange } from '../../platform/reports/date-range.ts';
import * as annotations from './annotations.ts';
import { listNoteEntries } from './calendar.ts';

export function mountAnnotations(api: Api, listReleases: annotations.ListReleases): void {
  const { database } = api;
  api.calendar.add('annotation', listNoteEntries);

  implement(api, contract.listAnnotations, async (call) => {
    const { params, query, actor, role } = call;
    const range = await readDateRange(database, params.game_id, query);
    const tenant = { game_id: params.game_id, environment: query.environment };
    const { from, to, time_zone } = range;
    const listed = await call.read((of_game) =>
      annotations.listAnnotations(of_game, tenant, range, {
        editor: { actor, role },
        listReleases,
      }),
    );
    return { from, to, time_zone, ...listed };
  });

  implement(api, contract.createAnnotation, ({ params, query, body, actor, role }) =>
    annotations.createAnnotation(
      database,
      { game_id: params.game_id, environment: query.environment },
      body,
      { actor, role },
    ),
  );

  implement(api, contract.updateAnnotation, ({ params, body, actor, role }) =>
    annotations.updateAnnotation(database, params, body, { actor, role }),
  );

  implement(api, contract.deleteAnnotation, ({ params, actor, role }) =>
    annotations.deleteAnnotation(database, params, { actor, role }),
  );
}
