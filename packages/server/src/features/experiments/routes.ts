import {
  createExperiment,
  deleteExperiment,
  getExperiment,
  listExperiments,
  shipExperiment,
  startExperiment,
  stopExperiment,
  updateExperiment,
} from '@overworld/contract/remote-config/experiments';
import { getExperimentResults } from '@overworld/contract/remote-config/experiment-results';
import type { ExperimentResults } from '@overworld/contract/remote-config/experiment-results';
import type { DefinitionCache } from '../../platform/definition-cache.ts';
import type { Api } from '../../platform/http/api.ts';
import { badRequest } from '../../platform/errors.ts';
import { implement, JsonText } from '../../platform/http/implement.ts';
import { readPage } from '../../platform/http/page.ts';
import { implementReport } from '../../platform/reports/implement-report.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { listDrafts, listExperimentEntries } from './calendar.ts';
import { createExperimentChanges, getExperiment as findOne } from './changes.ts';
import type { ConfigEditor } from './changes.ts';
import { readChange, readExperiment } from './definition.ts';
import { experimentKind } from './definition-kind.ts';
import { listExperimentUses } from './experiment-uses.ts';
import { readResults } from './results/read-results.ts';
import type { ResultServices } from './results/read-results.ts';
import * as store from './store.ts';
import type { StoredExperiment } from './store.ts';

interface ExperimentServices extends Omit<ResultServices, 'database'> {
  running: Pick<DefinitionCache<unknown>, 'invalidateOnCommit' | 'evict'>;
  configs: ConfigEditor;
}

export function mountExperiments(api: Api, services: ExperimentServices): void {
  const { running, configs, findRevenueSettings } = services;
  api.calendar.add('experiment', listExperimentEntries);
  api.calendar.addWaiting(listDrafts);
  api.uses.add(listExperimentUses);
  api.definitions.add(experimentKind(running));
  const changes = createExperimentChanges(running, configs, findRevenueSettings, api.uses.list);

  implement(api, listExperiments, async ({ params, query, read }) => {
    const { environment, state, ...page } = query;
    const tenant = { ...params, environment };
    const { page: experiments, ...rest } = await read((database) =>
      readPage(database, page, (from, range) => store.listExperiments(from, tenant, state, range)),
    );
    return new JsonText(writeJson({ experiments: experiments.map(show), ...rest }));
  });

  implement(
    api,
    createExperiment,
    async ({ params, query, body, actor, database }) =>
      show(await changes.create(database, { ...params, ...query }, body, actor)),
    readExperiment,
  );

  implement(api, getExperiment, async ({ params, query, database }) =>
    show(await findOne(database, { ...params, ...query })),
  );

  implement(
    api,
    updateExperiment,
    async ({ params, query, body, actor, database }) =>
      show(await changes.update(database, { ...params, ...query }, body, actor)),
    readChange,
  );

  implement(api, deleteExperiment, ({ params, query, actor, database }) =>
    changes.delete(database, { ...params, ...query }, actor),
  );

  implement(api, startExperiment, async ({ params, query, actor, database }) =>
    show(await changes.start(database, { ...params, ...query }, actor)),
  );

  implement(api, stopExperiment, async ({ params, query, actor, database }) =>
    show(await changes.stop(database, { ...params, ...query }, actor)),
  );

  implement(api, shipExperiment, async ({ params, query, body, actor, database }) =>
    show(await changes.ship(database, { ...params, ...query }, body, actor)),
  );

  implementReport(api, getExperimentResults, async (call) => {
    const { metric, ...query } = call.query;
    const of_game = { ...services, database: call.database };
    const results = await readResults(of_game, { ...call.params, ...query }, call);
    return metric === undefined ? results : pickMetric(results, metric);
  });
}

/** Returns the results with only one metric. @throws ApiError 400 when there is no such metric. */
function pickMetric(results: ExperimentResults, number: number): ExperimentResults {
  const { metrics } = results;
  const chosen = metrics[number - 1];
  if (chosen === undefined) {
    throw badRequest(`metric must be at most ${metrics.length}, the number of metrics`);
  }
  return { ...results, metrics: [chosen] };
}

/**
 * Makes the JSON text of an experiment. The stored text of the definition is added as it is, because parsing
 * a large one takes 15 ms, and a page may have 200 definitions.
 */
function show({ definition, ...experiment }: StoredExperiment): JsonText {
  return new JsonText(`${JSON.stringify(experiment).slice(0, -1)},${definition.slice(1)}`);
}
